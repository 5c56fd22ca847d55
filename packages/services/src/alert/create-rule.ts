import type { AlertRuleInput } from "@stashlight/contracts/alert";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { refuseTakenName } from "../taken-name.ts";
import { storedTerms } from "./rule-rows.ts";
import { refuseUnknownChannels, ruleAudit } from "./stored-rule.ts";

/** Creates a rule, which workers evaluate at their next poll. */
export async function createAlertRule({ ctx, input }: Verb<AlertRuleInput>): Promise<{ ruleId: string }> {
  requireRole(ctx, "admin");
  const ruleId = newId();
  const now = ctx.platform.now();
  await ctx.platform.db.$transaction(async (tx) => {
    await refuseTakenName(tx.alertRule, "A rule", input.name, null);
    await refuseUnknownChannels(tx, input.channelIds);
    const rule = await tx.alertRule.create({
      data: { id: ruleId, ...storedTerms(input), createdAt: now, updatedAt: now },
    });
    await writeAudit(tx, ctx, {
      action: "alert.rule_created",
      target: { kind: "alert rule", id: ruleId, name: rule.name },
      after: ruleAudit(rule),
    });
  });
  return { ruleId };
}
