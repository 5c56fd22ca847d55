import { StashlightError } from "@stashlight/contracts/errors";
import type { changePasswordInput } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { hashNewPassword, setPassword } from "../auth/credentials.ts";
import { assertPasswordHardToGuess } from "../auth/password-rules.ts";
import { requireRole, type Verb } from "../context.ts";
import { revokeLinks } from "../link/revoke.ts";
import { confirmPassword } from "./confirm-password.ts";

/** Changes the user's password, revokes password links and ends the user's other sessions. */
export async function changePassword({
  ctx,
  input,
}: Verb<typeof changePasswordInput>): Promise<{ endedCount: number }> {
  const principal = requireRole(ctx, "viewer");
  await confirmPassword(ctx, principal, input.currentPassword, "currentPassword");
  if (input.newPassword === input.currentPassword) {
    throw new StashlightError("invalid_input", "The new password is the same as the current one.", {
      field: "newPassword",
    });
  }
  try {
    await assertPasswordHardToGuess(input.newPassword, principal.email);
  } catch (error) {
    if (!(error instanceof StashlightError)) throw error;
    throw new StashlightError(error.code, error.message, { field: "newPassword", cause: error });
  }
  const passwordHash = await hashNewPassword(input.newPassword);
  return ctx.platform.db.$transaction(async (tx) => {
    await setPassword(tx, principal.userId, passwordHash);
    await revokeLinks(tx, { purpose: "password", userId: principal.userId }, ctx.platform.now());
    const ended = await tx.session.deleteMany({
      where: { userId: principal.userId, id: { not: principal.sessionId } },
    });
    await writeAudit(tx, ctx, {
      action: "user.password_changed",
      target: { kind: "user", id: principal.userId, name: principal.email },
      after: { sessionsEnded: ended.count },
    });
    return { endedCount: ended.count };
  });
}
