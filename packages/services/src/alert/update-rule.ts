import { isDeepStrictEqual } from "node:util";
import type { updateAlertRuleInput } from "@stashlight/contracts/alert";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { refuseTakenName } from "../taken-name.ts";
import { endStates } from "./record.ts";
import { storedCondition, storedQuery, storedTerms } from "./rule-rows.ts";
import { findRule, refuseUnknownChannels, ruleAudit } from "./stored-rule.ts";

/**
 * Changes a rule. Its alerts keep firing unless the query or condition changed, or the rule is turned off; then they
 * are resolved.
 */
export async function updateAlertRule({ ctx, input }: Verb<typeof updateAlertRuleInput>): Promise<void> {
  requireRole(ctx, "admin");
  const { ruleId, ...changes } = input;
  const now = ctx.platform.now();
  await ctx.platform.db.$transaction(async (tx) => {
    const before = await findRule(tx, ruleId);
    await refuseTakenName(tx.alertRule, "A rule", input.name, ruleId);
    await refuseUnknownChannels(tx, input.channelIds);
    const asksTheSame =
      isDeepStrictEqual(storedQuery(before), input.query) &&
      isDeepStrictEqual(storedCondition(before), input.condition);
    if (!asksTheSame) await tx.alertUsual.deleteMany({ where: { ruleId } });
    if (!asksTheSame || !input.isEnabled) await endStates(tx, before, now);
    const after = await tx.alertRule.update({
      where: { id: ruleId },
      data: { ...storedTerms(changes), updatedAt: now, evaluatedAt: null, usualAt: null, lastError: null },
    });
    await writeAudit(tx, ctx, {
      action: "alert.rule_changed",
      target: { kind: "alert rule", id: ruleId, name: after.name },
      before: ruleAudit(before),
      after: ruleAudit(after),
    });
  });
}
