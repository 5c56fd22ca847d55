import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";

/** Ends one of the user's own sessions; its browser is signed out at its next request. */
export async function endSession({ ctx, input }: Verb<{ sessionId: string }>): Promise<void> {
  const principal = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    const session = await tx.session.findFirst({ where: { id: input.sessionId, userId: principal.userId } });
    if (session === null) throw new StashlightError("not_found", "This session has already ended.");
    await tx.session.delete({ where: { id: session.id } });
    await writeAudit(tx, ctx, {
      action: "session.ended",
      target: { kind: "session", id: session.id, name: session.userAgent ?? "" },
      before: { ipAddress: session.ipAddress, createdAt: session.createdAt.toISOString() },
    });
  });
}
