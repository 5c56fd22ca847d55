import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";

export async function deleteAnnotation({ ctx, input }: Verb<{ annotationId: string }>): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const found = await tx.annotation.findUnique({ where: { id: input.annotationId } });
    if (found === null) throw new StashlightError("not_found", "There is no such annotation.");
    await tx.annotation.delete({ where: { id: found.id } });
    await writeAudit(tx, ctx, {
      action: "annotation.deleted",
      target: { kind: "annotation", id: found.id, name: found.text },
      before: { vault: found.vault, startsAt: found.startsAt.toISOString() },
    });
  });
}
