import type { InvitationRow } from "@stashlight/contracts/user";
import { type Context, requireRole } from "../context.ts";

/** Lists invitations that can still be accepted, newest first. */
export async function listInvitations({ ctx }: { ctx: Context }): Promise<InvitationRow[]> {
  requireRole(ctx, "admin");
  const links = await ctx.platform.db.oneTimeLink.findMany({
    where: { purpose: "invitation", usedAt: null, revokedAt: null, expiresAt: { gt: ctx.platform.now() } },
    orderBy: { createdAt: "desc" },
  });
  return links.map((link) => ({
    id: link.id,
    email: link.email ?? "",
    role: link.role ?? "viewer",
    invitedBy: link.createdByName ?? "",
    createdAt: link.createdAt,
    expiresAt: link.expiresAt,
  }));
}
