import type { UserRow } from "@stashlight/contracts/user";
import { credentialProviderId } from "../auth/credentials.ts";
import { type Context, requireRole } from "../context.ts";

/** Lists all users by name, with how and when they sign in. */
export async function listUsers({ ctx }: { ctx: Context }): Promise<UserRow[]> {
  requireRole(ctx, "admin");
  const now = ctx.platform.now();
  const users = await ctx.platform.db.user.findMany({
    orderBy: [{ name: "asc" }, { id: "asc" }],
    include: {
      accounts: { select: { providerId: true } },
      sessions: { where: { expiresAt: { gt: now } }, select: { updatedAt: true } },
    },
  });
  return users.map((user) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    state: user.disabledAt === null ? "active" : "disabled",
    twoFactorEnabled: user.twoFactorEnabled,
    signInMethods: user.accounts.map(({ providerId }) =>
      providerId === credentialProviderId ? "password" : "identity provider",
    ),
    sessionCount: user.sessions.length,
    lastSeenAt: user.sessions.reduce<Date | null>(
      (latest, { updatedAt }) => (latest === null || updatedAt > latest ? updatedAt : latest),
      null,
    ),
    createdAt: user.createdAt,
  }));
}
