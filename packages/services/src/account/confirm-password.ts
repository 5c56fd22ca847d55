import { StashlightError } from "@stashlight/contracts/errors";
import type { Principal } from "@stashlight/contracts/user";
import { passwordMatches } from "../auth/credentials.ts";
import type { Context } from "../context.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { statementsIn } from "../statements-in.ts";

const rule = { windowSeconds: 900, requestCountMax: 10 };

/** Checks the password before actions for which an open session is not enough; at most ten attempts per 15 minutes. */
export async function confirmPassword(
  ctx: Context,
  principal: Principal,
  password: string,
  field: string,
): Promise<void> {
  const { db, now } = ctx.platform;
  await enforceRateLimit(statementsIn(db), `confirm-password:${principal.userId}`, rule, now());
  if (await passwordMatches(db, principal.userId, password)) return;
  throw new StashlightError("invalid_input", "This is not your current password.", { field });
}
