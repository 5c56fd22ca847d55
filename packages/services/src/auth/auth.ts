/**
 * Sign-in: better-auth over our tables. Only endpoints that a browser needs without a session are served over HTTP
 * (handler.ts); everything else about users is a verb of this package.
 */
import { clientAddressHeader } from "@stashlight/contracts/process";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins/two-factor";
import { newId } from "../ids.ts";
import { admitNewUser } from "./admit-new-user.ts";
import { oidcPlugin } from "./oidc-provider.ts";
import type { AuthOptions } from "./options.ts";
import { currentTransaction, scopedClient } from "./scope.ts";
import { spendTotpCode, totpDigits, totpPeriodSeconds } from "./totp-replay.ts";

export const sessionSecondsMax = 7 * 24 * 3600;

export type Auth = ReturnType<typeof createAuth>;

export function createAuth(options: AuthOptions) {
  const secure = options.publicUrl.startsWith("https:");
  return betterAuth({
    appName: "Stashlight",
    baseURL: options.publicUrl,
    basePath: "/api/auth",
    secret: options.secret,
    database: prismaAdapter(scopedClient(options.db), { provider: "postgresql", transaction: false }),
    telemetry: { enabled: false },
    logger: { level: "error" },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 256 },
    user: {
      additionalFields: {
        role: { type: "string", input: false, defaultValue: "viewer" },
        disabledAt: { type: "date", input: false, required: false },
        timeZone: { type: "string", input: false, required: false },
      },
    },
    // A session lasts a week and is looked up for every request, so ending it takes effect at once.
    session: { expiresIn: sessionSecondsMax, disableSessionRefresh: true, cookieCache: { enabled: false } },
    // Without trusted providers an identity is linked to a user only by an e-mail address that its provider verified.
    account: { accountLinking: { enabled: true, trustedProviders: [], allowDifferentEmails: false } },
    // Requests are counted in handler.ts, outside the transaction of a sign-in.
    rateLimit: { enabled: false },
    advanced: {
      // __Host- binds the cookie to this exact host; browsers accept the prefix only with Secure, and so only over
      // HTTPS.
      cookiePrefix: secure ? "__Host-stashlight" : "stashlight",
      useSecureCookies: false,
      // An earlier check compares Origin with the public address and with Host (api's same-origin.ts).
      disableCSRFCheck: true,
      // Always checks redirect addresses, which better-auth skips in tests by default.
      disableOriginCheck: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/", secure },
      database: { generateId: newId },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    onAPIError: { errorURL: "/sign-in" },
    databaseHooks: {
      user: { create: { before: (user) => admitNewUser(currentTransaction(), options, user) } },
      session: { create: { before: async (session) => refuseDisabled(session.userId) } },
    },
    hooks: { before: spendTotpCode },
    plugins: [
      twoFactor({ issuer: "Stashlight", totpOptions: { period: totpPeriodSeconds, digits: totpDigits } }),
      ...(options.oidc && options.discovery ? [oidcPlugin(options.oidc, options.discovery)] : []),
    ],
  });
}

/** The last check before any session: rejects disabled users, however they sign in. */
async function refuseDisabled(userId: string): Promise<void> {
  const user = await currentTransaction().user.findUnique({
    where: { id: userId },
    select: { disabledAt: true },
  });
  if (user === null || user.disabledAt !== null) {
    throw new APIError("FORBIDDEN", {
      code: "user_disabled",
      message: "This user is disabled; ask an admin.",
    });
  }
}
