import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { removeTwoFactor } from "../auth/two-factor.ts";
import { openCore } from "../core.ts";
import { issueLink } from "../link/issue.ts";

export interface RecoverOptions {
  databaseUrl: string;
  secret: string;
  publicUrl: string;
  /** User whose access is restored. */
  email: string;
}

/**
 * Restores the access of an admin who has the machine but neither password nor phone: enables the user, turns off their
 * second factor, ends their sessions, and issues a link to set a new password. The audit log records it.
 */
export async function recoverUser(options: RecoverOptions): Promise<{ url: string; expiresAt: Date }> {
  const platform = openCore({ kind: "tool", dataDirectory: null, ...options });
  const ctx = { platform, principal: null, origin: { ipAddress: "local", userAgent: "npm start" } };
  try {
    return await platform.db.$transaction(async (tx) => {
      const user = await tx.user.findUnique({ where: { email: options.email.trim().toLowerCase() } });
      if (user === null) {
        throw new StashlightError("not_found", `There is no user with the e-mail address ${options.email}.`);
      }
      await tx.user.update({ where: { id: user.id }, data: { disabledAt: null } });
      await removeTwoFactor(tx, user.id);
      const ended = await tx.session.deleteMany({ where: { userId: user.id } });
      const link = await issueLink(tx, platform, { purpose: "password", userId: user.id, email: user.email });
      await writeAudit(tx, ctx, {
        action: "user.recovered",
        actor: { id: null, name: "npm start --recover", role: null },
        target: { kind: "user", id: user.id, name: user.email },
        before: { state: user.disabledAt === null ? "active" : "disabled", twoFactor: user.twoFactorEnabled },
        after: { state: "active", twoFactor: false, sessionsEnded: ended.count },
      });
      return { url: link.url, expiresAt: link.expiresAt };
    });
  } finally {
    await platform.close();
  }
}
