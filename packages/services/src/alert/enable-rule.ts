import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { endStates } from "./record.ts";
import { findRule } from "./stored-rule.ts";

/** Turns a rule on or off; turning it off resolves its alerts. */
export async function enableAlertRule({
  ctx,
  input: { ruleId, isEnabled },
}: Verb<{ ruleId: string; isEnabled: boolean }>): Promise<void> {
  requireRole(ctx, "admin");
  const now = ctx.platform.now();
  await ctx.platform.db.$transaction(async (tx) => {
    const rule = await findRule(tx, ruleId);
    if (rule.isEnabled === isEnabled) return;
    if (!isEnabled) await endStates(tx, rule, now);
    await tx.alertRule.update({
      where: { id: ruleId },
      data: { isEnabled, updatedAt: now, evaluatedAt: null, lastError: null },
    });
    await writeAudit(tx, ctx, {
      action: "alert.rule_changed",
      target: { kind: "alert rule", id: ruleId, name: rule.name },
      before: { isEnabled: rule.isEnabled },
      after: { isEnabled },
    });
  });
}
