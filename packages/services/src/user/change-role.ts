import { StashlightError } from "@stashlight/contracts/errors";
import type { changeRoleInput } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { revokeLinks } from "../link/revoke.ts";
import { assertAnotherAdmin, findUser } from "./stored-user.ts";

/** Gives a user another role, from their next request on. Users cannot change their own. */
export async function changeRole({ ctx, input }: Verb<typeof changeRoleInput>): Promise<void> {
  const admin = requireRole(ctx, "admin");
  if (admin.userId === input.userId) {
    throw new StashlightError("conflict", "You cannot change your own role; ask another admin.");
  }
  await ctx.platform.db.$transaction(async (tx) => {
    await assertAnotherAdmin(tx, input.userId);
    const user = await findUser(tx, input.userId);
    if (user.role === input.role) return;
    await tx.user.update({ where: { id: user.id }, data: { role: input.role } });
    // Revokes the user's invitations, which must not outlast the right to issue them.
    if (user.role === "admin") await revokeLinks(tx, { createdById: user.id }, ctx.platform.now());
    await writeAudit(tx, ctx, {
      action: "user.role_changed",
      target: { kind: "user", id: user.id, name: user.email },
      before: { role: user.role },
      after: { role: input.role },
    });
  });
}
