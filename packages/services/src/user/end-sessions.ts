import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { findUser } from "./stored-user.ts";

/** Signs a user out everywhere. Admins who name themselves keep the session in use. */
export async function endUserSessions({
  ctx,
  input,
}: Verb<{ userId: string }>): Promise<{ endedCount: number }> {
  const admin = requireRole(ctx, "admin");
  return ctx.platform.db.$transaction(async (tx) => {
    const user = await findUser(tx, input.userId);
    const ended = await tx.session.deleteMany({ where: { userId: user.id, id: { not: admin.sessionId } } });
    await writeAudit(tx, ctx, {
      action: "session.ended_all",
      target: { kind: "user", id: user.id, name: user.email },
      after: { sessionsEnded: ended.count },
    });
    return { endedCount: ended.count };
  });
}
