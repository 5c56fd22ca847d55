import { StashlightError } from "@stashlight/contracts/errors";
import type { completeSetupInput } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { hashNewPassword } from "../auth/credentials.ts";
import { assertPasswordHardToGuess } from "../auth/password-rules.ts";
import type { Verb } from "../context.ts";
import { linkRateLimit } from "../link/describe.ts";
import { redeemLink } from "../link/redeem.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { statementsIn } from "../statements-in.ts";
import { createUser } from "../user/create.ts";

/** Creates the first admin. The link works once, and no longer once there is an admin. */
export async function completeSetup({ ctx, input }: Verb<typeof completeSetupInput>): Promise<void> {
  const { db, now } = ctx.platform;
  await enforceRateLimit(statementsIn(db), `link:${ctx.origin.ipAddress}`, linkRateLimit, now());
  await assertPasswordHardToGuess(input.password, input.email);
  const passwordHash = await hashNewPassword(input.password);
  await db.$transaction(async (tx) => {
    await redeemLink(tx, "setup", input.token, now());
    if ((await tx.user.count({ where: { role: "admin" } })) > 0) {
      throw new StashlightError(
        "conflict",
        "This installation already has an admin; sign in, or ask them for an invitation.",
      );
    }
    const { name, email } = input;
    const taken = { remedy: "use another address", field: "email" };
    const user = await createUser(tx, { name, email, role: "admin", passwordHash }, taken);
    await writeAudit(tx, ctx, {
      action: "setup.completed",
      actor: { id: user.id, name: user.name, role: user.role },
      target: { kind: "user", id: user.id, name: user.email },
      after: { name: user.name, email: user.email, role: user.role },
    });
  });
}
