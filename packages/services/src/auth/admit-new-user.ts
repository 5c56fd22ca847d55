import type { Transaction } from "@stashlight/db";
import { APIError } from "better-auth/api";
import type { AuthOptions } from "./options.ts";

/**
 * Decides on a user whom the identity provider authenticates and Stashlight does not know yet: an open invitation
 * assigns the role, the configuration may admit everyone as viewer, and otherwise access is refused.
 */
export async function admitNewUser(
  tx: Transaction,
  options: AuthOptions,
  user: { email: string; emailVerified?: boolean },
): Promise<{ data: { role: string } }> {
  if (user.emailVerified !== true) {
    throw new APIError("FORBIDDEN", {
      code: "email_unverified",
      message: "The identity provider has not verified this e-mail address.",
    });
  }
  const now = options.now();
  const invitation = await tx.oneTimeLink.findFirst({
    where: {
      purpose: "invitation",
      email: user.email.toLowerCase(),
      usedAt: null,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    orderBy: { createdAt: "desc" },
  });
  if (invitation !== null) {
    await tx.oneTimeLink.update({ where: { id: invitation.id }, data: { usedAt: now } });
    return { data: { role: invitation.role ?? "viewer" } };
  }
  if (options.oidc?.newUsers === "viewer") return { data: { role: "viewer" } };
  throw new APIError("FORBIDDEN", {
    code: "not_invited",
    message: "There is no user or open invitation with this e-mail address; ask an admin for one.",
  });
}
