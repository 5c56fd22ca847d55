/**
 * Two-factor sign-in by authenticator app. better-auth stores secret and backup codes, encrypted with the
 * installation's secret; these verbs run its steps in our transaction, together with the audit event.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type { Principal } from "@stashlight/contracts/user";
import type { Transaction } from "@stashlight/db";
import { type AuditEntry, writeAudit } from "../audit/write.ts";
import { runInScope } from "../auth/scope.ts";
import type { WithSignIn } from "../auth/sign-in.ts";
import { type Context, requireRole, type Verb } from "../context.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { statementsIn } from "../statements-in.ts";
import { confirmPassword } from "./confirm-password.ts";

/** A verb that acts on the caller's own session cookie, and may replace it. */
export interface CookieVerb<Input> extends Verb<Input, WithSignIn> {
  requestHeaders: Headers;
  /** Called with Set-Cookie values for the browser, after the transaction has committed. */
  setCookies: (cookies: string[]) => void;
}

const codeRule = { windowSeconds: 300, requestCountMax: 10 };

export interface TotpSetup {
  /** otpauth://... for the QR code; contains the secret and is shown once. */
  uri: string;
  backupCodes: string[];
}

/** First step: creates a secret, which takes effect only when a code proves that the app has it. */
export async function startTotp(verb: CookieVerb<{ password: string }>): Promise<TotpSetup> {
  const principal = await begin(verb.ctx, verb.input.password);
  if (principal.twoFactorEnabled) {
    throw new StashlightError(
      "conflict",
      "Two-factor sign-in is already on; turn it off to set it up again.",
    );
  }
  const auth = await verb.ctx.platform.auth();
  const { result } = await inScope(verb.ctx, null, () =>
    auth.api.enableTwoFactor({
      body: { password: verb.input.password, method: "totp" },
      headers: verb.requestHeaders,
    }),
  );
  if (result.method !== "totp") throw new Error("better-auth answered with another method");
  return { uri: result.totpURI, backupCodes: result.backupCodes };
}

/** Second step: a correct code turns on two-factor sign-in and renews the session cookie. */
export async function confirmTotp(verb: CookieVerb<{ code: string }>): Promise<void> {
  const principal = requireRole(verb.ctx, "viewer");
  const { db, now } = verb.ctx.platform;
  const auth = await verb.ctx.platform.auth();
  await enforceRateLimit(statementsIn(db), `totp:${principal.userId}`, codeRule, now());
  const { result } = await inScope(verb.ctx, entry(principal, "user.totp_enabled"), () =>
    auth.api.verifyTOTP({
      body: { code: verb.input.code },
      headers: verb.requestHeaders,
      returnHeaders: true,
    }),
  );
  verb.setCookies(result.headers.getSetCookie());
}

/** Turns two-factor sign-in off; the secret and the backup codes are deleted. */
export async function disableTotp(verb: CookieVerb<{ password: string }>): Promise<void> {
  const principal = await begin(verb.ctx, verb.input.password);
  const auth = await verb.ctx.platform.auth();
  const { result } = await inScope(verb.ctx, entry(principal, "user.totp_disabled"), () =>
    auth.api.disableTwoFactor({
      body: { password: verb.input.password },
      headers: verb.requestHeaders,
      returnHeaders: true,
    }),
  );
  verb.setCookies(result.headers.getSetCookie());
}

/** Creates new backup codes; the old ones stop working. */
export async function renewBackupCodes(
  verb: CookieVerb<{ password: string }>,
): Promise<{ backupCodes: string[] }> {
  const principal = await begin(verb.ctx, verb.input.password);
  if (!principal.twoFactorEnabled) {
    throw new StashlightError("conflict", "Two-factor sign-in is off; there are no backup codes.");
  }
  const auth = await verb.ctx.platform.auth();
  const { result } = await inScope(verb.ctx, entry(principal, "user.backup_codes_renewed"), () =>
    auth.api.generateBackupCodes({ body: { password: verb.input.password }, headers: verb.requestHeaders }),
  );
  return { backupCodes: result.backupCodes };
}

/**
 * Recognises refusals of better-auth by shape, because its own check would load the whole library into processes that
 * sign in no users.
 */
function isApiError(
  error: unknown,
): error is Error & { statusCode: number; body?: { code?: string; message?: string } } {
  return error instanceof Error && error.name === "APIError" && "statusCode" in error;
}

async function begin(ctx: Context<WithSignIn>, password: string): Promise<Principal> {
  const principal = requireRole(ctx, "viewer");
  await confirmPassword(ctx, principal, password, "password");
  return principal;
}

function entry(principal: Principal, action: AuditEntry["action"]): AuditEntry {
  return { action, target: { kind: "user", id: principal.userId, name: principal.email } };
}

/** Runs a better-auth call and, if it succeeds, writes the audit event in the same transaction. */
async function inScope<Result>(
  ctx: Context<WithSignIn>,
  audit: AuditEntry | null,
  call: () => Promise<Result>,
): Promise<{ result: Result }> {
  try {
    return await ctx.platform.db.$transaction((tx: Transaction) =>
      runInScope(tx, async () => {
        const result = await call();
        if (audit !== null) await writeAudit(tx, ctx, audit);
        return { result };
      }),
    );
  } catch (error) {
    if (!isApiError(error) || error.statusCode >= 500) throw error;
    const sentence =
      error.body?.code === "INVALID_CODE"
        ? "This code is not correct; check your phone's clock and enter the code that it shows now."
        : (error.body?.message ?? "Two-factor sign-in could not be changed.");
    throw new StashlightError("invalid_input", sentence, { field: "code", cause: error });
  }
}
