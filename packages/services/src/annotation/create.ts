import type { createAnnotationInput } from "@stashlight/contracts/annotation";
import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";

/** Creates an annotation, which charts of its vault show, or charts of all vaults if it names none. */
export async function createAnnotation({
  ctx,
  input,
}: Verb<typeof createAnnotationInput>): Promise<{ annotationId: string }> {
  const { userId, name } = requireRole(ctx, "operator");
  const { text, vault, startMs, endMs } = input;
  const annotationId = newId();
  const now = ctx.platform.now();
  const startsAt = startMs === undefined ? now : new Date(startMs);
  const endsAt = endMs === null ? null : new Date(endMs);
  await ctx.platform.db.$transaction(async (tx) => {
    const known = vault === null ? 1 : await tx.node.count({ where: { vault } });
    if (known === 0) {
      throw new StashlightError("invalid_input", `There is no vault "${vault}".`, { field: "vault" });
    }
    await tx.annotation.create({
      data: {
        id: annotationId,
        text,
        vault,
        startsAt,
        endsAt,
        createdById: userId,
        createdByName: name,
        createdAt: now,
      },
    });
    await writeAudit(tx, ctx, {
      action: "annotation.created",
      target: { kind: "annotation", id: annotationId, name: text },
      after: { vault, startsAt: startsAt.toISOString(), endsAt: endsAt?.toISOString() ?? null },
    });
  });
  return { annotationId };
}
