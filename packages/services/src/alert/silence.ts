import { type createAlertSilenceInput, formatMatchers } from "@stashlight/contracts/alert";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { alertSilenceColumns } from "@stashlight/db/columns/alert";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { findRule } from "./stored-rule.ts";

/** Silences matching alerts until the silence ends; those that still fire then are sent. */
export async function silenceAlerts({
  ctx,
  input,
}: Verb<typeof createAlertSilenceInput>): Promise<{ silenceId: string }> {
  const { userId, name } = requireRole(ctx, "operator");
  const { ruleId, labels, reason, minutes } = input;
  const silenceId = newId();
  const now = ctx.platform.now();
  const endsAt = new Date(now.getTime() + minutes * MINUTE_MS);
  await ctx.platform.db.$transaction(async (tx) => {
    const rule = ruleId === null ? null : await findRule(tx, ruleId);
    await tx.alertSilence.create({
      data: {
        id: silenceId,
        ruleId,
        labels: alertSilenceColumns.labels.write(labels),
        reason,
        createdById: userId,
        createdByName: name,
        createdAt: now,
        endsAt,
      },
    });
    await writeAudit(tx, ctx, {
      action: "alert.silenced",
      target: { kind: "silence", id: silenceId, name: rule?.name ?? "every rule" },
      after: {
        rule: rule?.name ?? null,
        where: formatMatchers(labels),
        reason,
        endsAt: endsAt.toISOString(),
      },
    });
  });
  return { silenceId };
}
