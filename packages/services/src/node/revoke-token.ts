import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";

/** Revokes a token: no further machine can enrol with it, and existing nodes stay. */
export async function revokeEnrolmentToken({ ctx, input }: Verb<{ tokenId: string }>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const { count } = await tx.enrolmentToken.updateMany({
      where: { id: input.tokenId, revokedAt: null },
      data: { revokedAt: ctx.platform.now() },
    });
    const token = await tx.enrolmentToken.findUnique({ where: { id: input.tokenId } });
    if (count === 0 || token === null) {
      throw new StashlightError("not_found", "There is no such enrolment token; it may already be revoked.");
    }
    await writeAudit(tx, ctx, {
      action: "node.token_revoked",
      target: { kind: "enrolment token", id: token.id, name: `…${token.lastCharacters}` },
      before: { vault: token.vault, role: token.role, useCount: token.useCount },
    });
  });
}
