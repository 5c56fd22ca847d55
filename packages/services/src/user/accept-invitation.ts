import { type acceptInvitationInput, StashlightError } from "@stashlight/contracts";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import { hashNewPassword, setPassword } from "../auth/credentials.ts";
import { assertPasswordHardToGuess } from "../auth/password-rules.ts";
import type { Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { describeLink } from "../link/describe.ts";
import { redeemLink } from "../link/redeem.ts";

/** Turns an invitation into a user with a password; returns the address to sign in with. */
export async function acceptInvitation({
  ctx,
  input,
}: Verb<z.output<typeof acceptInvitationInput>>): Promise<{ email: string }> {
  const { email } = await describeLink({ ctx, input });
  await assertPasswordHardToGuess(input.password, email ?? "");
  const passwordHash = await hashNewPassword(input.password);
  return ctx.platform.db.$transaction(async (tx) => {
    const link = await redeemLink(tx, "invitation", input.token, ctx.platform.now());
    if (link.email === null || link.role === null) throw new Error("an invitation without address or role");
    if ((await tx.user.count({ where: { email: link.email } })) > 0) {
      throw new StashlightError("conflict", `${link.email} has a user already; sign in.`);
    }
    const user = await tx.user.create({
      data: { id: newId(), name: input.name, email: link.email, emailVerified: true, role: link.role },
    });
    await setPassword(tx, user.id, passwordHash);
    await writeAudit(tx, ctx, {
      action: "user.joined",
      actor: { id: user.id, name: user.name, role: user.role },
      target: { kind: "user", id: user.id, name: user.email },
      after: { name: user.name, email: user.email, role: user.role, invitedBy: link.createdByName },
    });
    return { email: user.email };
  });
}
