import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";

export async function revokeInvitation({ ctx, input }: Verb<{ invitationId: string }>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const { count } = await tx.oneTimeLink.updateMany({
      where: { id: input.invitationId, purpose: "invitation", usedAt: null, revokedAt: null },
      data: { revokedAt: ctx.platform.now() },
    });
    const link = await tx.oneTimeLink.findUnique({ where: { id: input.invitationId } });
    if (count === 0 || link === null) {
      throw new StashlightError(
        "not_found",
        "There is no open invitation for this address; it may have been accepted.",
      );
    }
    await writeAudit(tx, ctx, {
      action: "user.invitation_revoked",
      target: { kind: "invitation", id: link.id, name: link.email ?? "" },
      before: { email: link.email, role: link.role },
    });
  });
}
