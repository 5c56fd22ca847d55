import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import { type StoredRule, storedCondition, storedQuery } from "./rule-rows.ts";

/** Reads the rule and locks it until the transaction ends, so that no worker evaluates it in parallel. */
export async function findRule(tx: Transaction, ruleId: string): Promise<StoredRule> {
  await tx.$queryRaw`SELECT id FROM alert_rule WHERE id = ${ruleId}::uuid FOR UPDATE`;
  const rule = await tx.alertRule.findUnique({ where: { id: ruleId } });
  if (rule === null) throw new StashlightError("not_found", "There is no such rule.");
  return rule;
}

export async function refuseUnknownChannels(tx: Transaction, channelIds: readonly string[]): Promise<void> {
  const known = await tx.alertChannel.count({ where: { id: { in: [...channelIds] } } });
  if (known === new Set(channelIds).size) return;
  throw new StashlightError("not_found", "One of the channels no longer exists.", {
    field: "channelIds",
  });
}

/** Fields of a rule that the audit log stores. */
export const ruleAudit = (rule: StoredRule) => ({
  name: rule.name,
  query: JSON.stringify(storedQuery(rule)),
  condition: JSON.stringify(storedCondition(rule)),
  forSeconds: rule.forSeconds,
  keepFiringSeconds: rule.keepFiringSeconds,
  remindSeconds: rule.remindSeconds,
  noData: rule.noData,
  severity: rule.severity,
  isEnabled: rule.isEnabled,
  channelIds: rule.channelIds,
});
