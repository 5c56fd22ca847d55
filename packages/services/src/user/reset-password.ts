import { StashlightError } from "@stashlight/contracts/errors";
import type { resetPasswordInput } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { hashNewPassword, setPassword } from "../auth/credentials.ts";
import { assertPasswordHardToGuess } from "../auth/password-rules.ts";
import type { Verb } from "../context.ts";
import { describeLink } from "../link/describe.ts";
import { redeemLink } from "../link/redeem.ts";
import { findUser } from "./stored-user.ts";

/** Sets a password by link and ends every session of the user; two-factor sign-in stays as it was. */
export async function resetPassword({
  ctx,
  input,
}: Verb<typeof resetPasswordInput>): Promise<{ email: string }> {
  const { email } = await describeLink({ ctx, input });
  await assertPasswordHardToGuess(input.password, email ?? "");
  const passwordHash = await hashNewPassword(input.password);
  return ctx.platform.db.$transaction(async (tx) => {
    const link = await redeemLink(tx, "password", input.token, ctx.platform.now());
    const user = await findUser(tx, link.userId ?? "");
    if (user.disabledAt !== null)
      throw new StashlightError("conflict", "This user is disabled; ask an admin.");
    await setPassword(tx, user.id, passwordHash);
    const ended = await tx.session.deleteMany({ where: { userId: user.id } });
    await writeAudit(tx, ctx, {
      action: "user.password_reset",
      actor: { id: user.id, name: user.name, role: user.role },
      target: { kind: "user", id: user.id, name: user.email },
      after: { sessionsEnded: ended.count, linkIssuedBy: link.createdByName },
    });
    return { email: user.email };
  });
}
