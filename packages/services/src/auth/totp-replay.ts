/**
 * Ensures that a code of the authenticator app works only once. better-auth accepts it for as long as it is valid, so
 * this runs first, in the same transaction: it finds the 30 s step of the code and uses that step up.
 */
import { createHmac } from "node:crypto";
import type { Transaction } from "@stashlight/db";
import type { AuthContext, GenericEndpointContext } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { currentTransaction } from "./scope.ts";

export const totpPeriodSeconds = 30;
export const totpDigits = 6;
/** Steps by which better-auth allows a phone's clock to be ahead or behind. */
const windowSteps = 1;
/** Never a correct code, so it is answered, counted and logged like any wrong one. */
const wrongCode = "-";

export const spendTotpCode = createAuthMiddleware(async (context) => {
  if (context.path !== "/two-factor/verify-totp") return;
  const { body } = context;
  const userId = await findUserId(context);
  if (userId === null || typeof body?.code !== "string") return;
  if (await spendCode(currentTransaction(), context.context, userId, body.code)) return;
  return { context: { body: { ...body, code: wrongCode } } };
});

/** Finds the owner of the code: the signed-in user, or the one who has just entered the right password. */
async function findUserId(context: GenericEndpointContext): Promise<string | null> {
  const session = await getSessionFromCtx(context);
  if (session !== null) return session.user.id;
  const { context: auth } = context;
  const { name } = auth.createAuthCookie("two_factor");
  const challenge = await context.getSignedCookie(name, auth.secret);
  if (!challenge) return null;
  return (await auth.internalAdapter.findVerificationValue(challenge))?.value ?? null;
}

/** True if the code is correct and of a later step than the last one used. One of two concurrent requests passes. */
async function spendCode(tx: Transaction, auth: AuthContext, userId: string, code: string): Promise<boolean> {
  const row = await tx.twoFactor.findFirst({ where: { userId } });
  if (row === null) return false;
  const secret = await symmetricDecrypt({ key: auth.secretConfig, data: row.secret });
  // Uses the machine's clock, as better-auth does.
  const now = Math.floor(Date.now() / 1000 / totpPeriodSeconds);
  const earliest = Math.max(now - windowSteps, (row.lastAcceptedStep ?? 0) + 1);
  for (let step = earliest; step <= now + windowSteps; step++) {
    if (codeAt(secret, step) !== code) continue;
    const { count } = await tx.twoFactor.updateMany({
      where: { id: row.id, OR: [{ lastAcceptedStep: null }, { lastAcceptedStep: { lt: step } }] },
      data: { lastAcceptedStep: step },
    });
    return count === 1;
  }
  return false;
}

/** RFC 6238 with SHA-1, which every authenticator app supports. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** totpDigits;
  return String(number).padStart(totpDigits, "0");
}
