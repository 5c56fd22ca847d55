import { occurrenceFrom } from "@stashlight/contracts/alert";
import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { silenceWindow } from "./silences.ts";

/** Ends a silence now, including all its remaining occurrences. */
export async function endSilence({ ctx, input }: Verb<{ silenceId: string }>): Promise<void> {
  requireRole(ctx, "operator");
  const now = ctx.platform.now();
  await ctx.platform.db.$transaction(async (tx) => {
    const silence = await tx.alertSilence.findUnique({
      where: { id: input.silenceId },
      include: { rule: { select: { name: true } } },
    });
    if (silence === null) throw new StashlightError("not_found", "There is no such silence.");
    if (occurrenceFrom(silenceWindow(silence), now.getTime()) === null) return;
    await tx.alertSilence.update({ where: { id: silence.id }, data: { endedAt: now } });
    await writeAudit(tx, ctx, {
      action: "alert.silence_ended",
      target: { kind: "silence", id: silence.id, name: silence.rule?.name ?? "every rule" },
      before: { endsAt: silence.endsAt.toISOString(), isWeekly: silence.isWeekly },
      after: { endedAt: now.toISOString() },
    });
  });
}
