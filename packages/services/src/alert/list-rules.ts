import type { AlertRuleRow } from "@stashlight/contracts/alert";
import { StashlightError } from "@stashlight/contracts/errors";
import { type Context, requireRole, type Verb } from "../context.ts";
import { toRuleRow } from "./rule-rows.ts";

const collator = new Intl.Collator("en", { numeric: true });
const withStatuses = { states: { select: { status: true, value: true, hasValue: true } } } as const;

/** Lists all rules by name, with their numbers of pending and firing groups. */
export async function listAlertRules({ ctx }: { ctx: Context }): Promise<AlertRuleRow[]> {
  requireRole(ctx, "viewer");
  const rules = await ctx.platform.db.alertRule.findMany({ include: withStatuses });
  rules.sort((a, b) => collator.compare(a.name, b.name));
  return rules.map(({ states, ...rule }) => toRuleRow(rule, states));
}

export async function getAlertRule({ ctx, input }: Verb<{ ruleId: string }>): Promise<AlertRuleRow> {
  requireRole(ctx, "viewer");
  const found = await ctx.platform.db.alertRule.findUnique({
    where: { id: input.ruleId },
    include: withStatuses,
  });
  if (found === null) throw new StashlightError("not_found", "There is no such rule.");
  const { states, ...rule } = found;
  return toRuleRow(rule, states);
}
