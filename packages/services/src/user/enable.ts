import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { findUser } from "./stored-user.ts";

/** Lets a disabled user sign in again, with the role and password they had. */
export async function enableUser({ ctx, input }: Verb<{ userId: string }>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const user = await findUser(tx, input.userId);
    if (user.disabledAt === null) return;
    await tx.user.update({ where: { id: user.id }, data: { disabledAt: null } });
    await writeAudit(tx, ctx, {
      action: "user.enabled",
      target: { kind: "user", id: user.id, name: user.email },
      before: { state: "disabled" },
      after: { state: "active" },
    });
  });
}
