import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { removeTwoFactor } from "../auth/two-factor.ts";
import { requireRole, type Verb } from "../context.ts";
import { findUser } from "./stored-user.ts";

/** Turns off the second factor of a user who lost their phone and backup codes, and signs them out everywhere. */
export async function disableUserTwoFactor({ ctx, input }: Verb<{ userId: string }>): Promise<void> {
  const admin = requireRole(ctx, "admin");
  if (admin.userId === input.userId) {
    throw new StashlightError("conflict", "Turn your own two-factor sign-in off in your settings.");
  }
  await ctx.platform.db.$transaction(async (tx) => {
    const user = await findUser(tx, input.userId);
    if (!user.twoFactorEnabled) {
      throw new StashlightError("conflict", "This user has no two-factor sign-in to turn off.");
    }
    await removeTwoFactor(tx, user.id);
    const ended = await tx.session.deleteMany({ where: { userId: user.id } });
    await writeAudit(tx, ctx, {
      action: "user.totp_reset",
      target: { kind: "user", id: user.id, name: user.email },
      after: { sessionsEnded: ended.count },
    });
  });
}
