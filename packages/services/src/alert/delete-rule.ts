import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { endStates } from "./record.ts";
import { findRule, ruleAudit } from "./stored-rule.ts";

/** Resolves the rule's firing alerts and notifies channels; the history stays. */
export async function deleteAlertRule({ ctx, input }: Verb<{ ruleId: string }>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const rule = await findRule(tx, input.ruleId);
    if (rule.builtInKey !== null) {
      throw new StashlightError(
        "conflict",
        `"${rule.name}" comes with Stashlight and would come back; turn it off instead.`,
      );
    }
    await endStates(tx, rule, ctx.platform.now());
    await tx.alertRule.delete({ where: { id: rule.id } });
    await writeAudit(tx, ctx, {
      action: "alert.rule_deleted",
      target: { kind: "alert rule", id: rule.id, name: rule.name },
      before: ruleAudit(rule),
    });
  });
}
