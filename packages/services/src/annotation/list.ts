import type { AnnotationRow, listAnnotationsInput } from "@stashlight/contracts/annotation";
import { requireRole, type Verb } from "../context.ts";

/** Lists annotations that overlap the range, newest first. */
export async function listAnnotations({
  ctx,
  input: { fromMs, toMs, pageSize },
}: Verb<typeof listAnnotationsInput>): Promise<AnnotationRow[]> {
  requireRole(ctx, "viewer");
  const from = { gte: new Date(fromMs) };
  const rows = await ctx.platform.db.annotation.findMany({
    where: { startsAt: { lte: new Date(toMs) }, OR: [{ startsAt: from }, { endsAt: from }] },
    orderBy: [{ startsAt: "desc" }, { id: "asc" }],
    take: pageSize,
  });
  return rows.map(({ id, text, vault, startsAt, endsAt, createdByName }) => ({
    id,
    text,
    vault,
    startsAt,
    endsAt,
    createdBy: createdByName,
  }));
}
