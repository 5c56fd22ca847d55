import type { acceptInvitationInput } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { hashNewPassword } from "../auth/credentials.ts";
import { assertPasswordHardToGuess } from "../auth/password-rules.ts";
import type { Verb } from "../context.ts";
import { describeLink } from "../link/describe.ts";
import { redeemLink } from "../link/redeem.ts";
import { createUser } from "./create.ts";

/** Turns an invitation into a user with a password; returns the address to sign in with. */
export async function acceptInvitation({
  ctx,
  input,
}: Verb<typeof acceptInvitationInput>): Promise<{ email: string }> {
  const { email } = await describeLink({ ctx, input });
  await assertPasswordHardToGuess(input.password, email ?? "");
  const passwordHash = await hashNewPassword(input.password);
  return ctx.platform.db.$transaction(async (tx) => {
    const link = await redeemLink(tx, "invitation", input.token, ctx.platform.now());
    if (link.email === null || link.role === null) throw new Error("an invitation without address or role");
    const { email, role } = link;
    const user = await createUser(tx, { name: input.name, email, role, passwordHash }, { remedy: "sign in" });
    await writeAudit(tx, ctx, {
      action: "user.joined",
      actor: { id: user.id, name: user.name, role: user.role },
      target: { kind: "user", id: user.id, name: user.email },
      after: { name: user.name, email: user.email, role: user.role, invitedBy: link.createdByName },
    });
    return { email: user.email };
  });
}
