import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { revokeLinks } from "../link/revoke.ts";
import { assertAnotherAdmin, findUser } from "./stored-user.ts";

/** Keeps a user from signing in, and ends at once their sessions, API tokens and every open link to or from them. */
export async function disableUser({ ctx, input }: Verb<{ userId: string }>): Promise<void> {
  const admin = requireRole(ctx, "admin");
  if (admin.userId === input.userId) {
    throw new StashlightError("conflict", "You cannot disable yourself; ask another admin.");
  }
  await ctx.platform.db.$transaction(async (tx) => {
    await assertAnotherAdmin(tx, input.userId);
    const user = await findUser(tx, input.userId);
    if (user.disabledAt !== null) return;
    const now = ctx.platform.now();
    await tx.user.update({ where: { id: user.id }, data: { disabledAt: now } });
    const ended = await tx.session.deleteMany({ where: { userId: user.id } });
    const tokens = await tx.apiToken.updateMany({
      where: { userId: user.id, revokedAt: null },
      data: { revokedAt: now },
    });
    await revokeLinks(tx, { OR: [{ userId: user.id }, { createdById: user.id }] }, now);
    await writeAudit(tx, ctx, {
      action: "user.disabled",
      target: { kind: "user", id: user.id, name: user.email },
      before: { state: "active" },
      after: { state: "disabled", sessionsEnded: ended.count, apiAccessEnded: tokens.count },
    });
  });
}
