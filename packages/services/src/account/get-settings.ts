import type { Role, SessionRow } from "@stashlight/contracts/user";
import { credentialProviderId } from "../auth/credentials.ts";
import { type Context, requireRole } from "../context.ts";

export interface AccountSettings {
  name: string;
  email: string;
  role: Role;
  twoFactorEnabled: boolean;
  /**
   * False for users who sign in only through the identity provider; they have no password and no second factor here.
   */
  hasPassword: boolean;
  /** Null uses the browser's time zone. */
  timeZone: string | null;
  createdAt: Date;
  sessions: SessionRow[];
}

/** Returns the signed-in user's settings and open sessions, the current one first. */
export async function getSettings({ ctx }: { ctx: Context }): Promise<AccountSettings> {
  const principal = requireRole(ctx, "viewer");
  const { db, now } = ctx.platform;
  const user = await db.user.findUniqueOrThrow({
    where: { id: principal.userId },
    include: {
      accounts: { select: { providerId: true } },
      sessions: { where: { expiresAt: { gt: now() } }, orderBy: { updatedAt: "desc" } },
    },
  });
  const sessions = user.sessions.map((session) => ({
    id: session.id,
    current: session.id === principal.sessionId,
    ipAddress: session.ipAddress ?? "",
    userAgent: session.userAgent ?? "",
    createdAt: session.createdAt,
    lastSeenAt: session.updatedAt,
    expiresAt: session.expiresAt,
  }));
  return {
    name: user.name,
    email: user.email,
    role: user.role,
    twoFactorEnabled: user.twoFactorEnabled,
    hasPassword: user.accounts.some(({ providerId }) => providerId === credentialProviderId),
    timeZone: user.timeZone,
    createdAt: user.createdAt,
    sessions: sessions.sort((a, b) => Number(b.current) - Number(a.current)),
  };
}
