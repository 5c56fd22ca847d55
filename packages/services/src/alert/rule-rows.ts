import {
  type AlertRuleInput,
  type AlertRuleRow,
  type AlertSilenceRow,
  formatRule,
  occurrenceFrom,
} from "@stashlight/contracts/alert";
import type { Prisma } from "@stashlight/db";
import { alertRuleColumns, alertSilenceColumns, alertStateColumns } from "@stashlight/db/columns/alert";
import type { GroupState } from "./evaluate.ts";
import { silenceWindow } from "./silences.ts";

export type StoredRule = Prisma.AlertRuleGetPayload<object>;
export type StoredState = Prisma.AlertStateGetPayload<object>;
type SilenceWithRule = Prisma.AlertSilenceGetPayload<{ include: { rule: { select: { name: true } } } }>;

export const storedQuery = ({ id, query }: Pick<StoredRule, "id" | "query">) =>
  alertRuleColumns.query.read(query, id);
export const storedCondition = ({ id, condition }: Pick<StoredRule, "id" | "condition">) =>
  alertRuleColumns.condition.read(condition, id);
/** Columns of a rule's row that derive from the rule alone. */
export const storedTerms = <Rule extends Pick<AlertRuleInput, "query" | "condition">>(rule: Rule) => ({
  ...rule,
  query: alertRuleColumns.query.write(rule.query),
  condition: alertRuleColumns.condition.write(rule.condition),
});
export const storedSeverity = ({ id, severity }: Pick<StoredRule, "id" | "severity">) =>
  alertRuleColumns.severity.read(severity, id);
export const storedNoData = ({ id, noData }: Pick<StoredRule, "id" | "noData">) =>
  alertRuleColumns.noData.read(noData, id);
export const storedLabels = ({ ruleId, group, labels }: Pick<StoredState, "ruleId" | "group" | "labels">) =>
  alertStateColumns.labels.read(labels, `${ruleId} ${group}`);

type StateFacts = Pick<StoredState, "status" | "value" | "hasValue">;

export function toRuleRow(rule: StoredRule, states: readonly StateFacts[]): AlertRuleRow {
  const [query, condition] = [storedQuery(rule), storedCondition(rule)];
  const count = (wanted: string) => states.filter(({ status }) => status === wanted).length;
  return {
    id: rule.id,
    isBuiltIn: rule.builtInKey !== null,
    name: rule.name,
    description: rule.description,
    query,
    condition,
    forSeconds: rule.forSeconds,
    keepFiringSeconds: rule.keepFiringSeconds,
    remindSeconds: rule.remindSeconds,
    noData: storedNoData(rule),
    severity: storedSeverity(rule),
    isEnabled: rule.isEnabled,
    channelIds: rule.channelIds,
    updatedAt: rule.updatedAt,
    evaluatedAt: rule.evaluatedAt,
    lastError: rule.lastError,
    sentence: formatRule({ query, condition, forSeconds: rule.forSeconds }),
    groupCount: states.length,
    noValueCount: states.filter(({ value, hasValue }) => value === null || !hasValue).length,
    pendingCount: count("pending"),
    firingCount: count("firing"),
  };
}

/** Null if no occurrence remains. */
export function toSilenceRow(silence: SilenceWithRule, nowMs: number): AlertSilenceRow | null {
  const occurrence = occurrenceFrom(silenceWindow(silence), nowMs);
  if (occurrence === null) return null;
  return {
    id: silence.id,
    ruleId: silence.ruleId,
    ruleName: silence.rule?.name ?? null,
    labels: alertSilenceColumns.labels.read(silence.labels, silence.id),
    reason: silence.reason,
    createdBy: silence.createdByName,
    createdAt: silence.createdAt,
    startsAt: new Date(occurrence.startMs),
    endsAt: new Date(occurrence.endMs),
    isActive: occurrence.startMs <= nowMs,
    isMaintenance: silence.isMaintenance,
    isWeekly: silence.isWeekly,
  };
}

export const toGroupState = (row: StoredState): GroupState => ({
  group: row.group,
  labels: storedLabels(row),
  status: alertStateColumns.status.read(row.status, `${row.ruleId} ${row.group}`),
  sinceMs: row.since.getTime(),
  evaluatedMs: row.evaluatedAt.getTime(),
  value: row.value,
  hasValue: row.hasValue && row.value !== null,
  evidence:
    row.evidence === null
      ? null
      : alertStateColumns.evidence.read(row.evidence, `${row.ruleId} ${row.group}`),
  sampleMs: (row.sampleAt ?? row.evaluatedAt).getTime(),
  clearSinceMs: row.clearSince?.getTime() ?? null,
  endsMs: row.endsAt?.getTime() ?? null,
  unevaluatedSeconds: row.unevaluatedSeconds,
});
