import {
  type AlertCondition,
  type AlertEventRow,
  type AlertQuery,
  type AlertRuleRow,
  type AlertSeverity,
  type AlertSilenceRow,
  type NoDataChoice,
  sayRule,
} from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";
import type { GroupState } from "./evaluate.ts";
import { alertPath } from "./link.ts";

export type StoredRule = Prisma.AlertRuleGetPayload<object>;
export type StoredState = Prisma.AlertStateGetPayload<object>;
type StoredEvent = Prisma.AlertEventGetPayload<{ include: { deliveries: { select: { state: true } } } }>;
type StoredSilence = Prisma.AlertSilenceGetPayload<{ include: { rule: { select: { name: true } } } }>;

/** Rules are parsed before they are stored, so what is read back is trusted. */
export const queryOf = (rule: Pick<StoredRule, "query">) => rule.query as unknown as AlertQuery;
export const conditionOf = (rule: Pick<StoredRule, "condition">) =>
  rule.condition as unknown as AlertCondition;
export const labelsOf = (row: { labels: Prisma.JsonValue }) => row.labels as Record<string, string>;

export function toRuleRow(rule: StoredRule, statuses: readonly string[]): AlertRuleRow {
  const [query, condition] = [queryOf(rule), conditionOf(rule)];
  const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
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
    noData: rule.noData as NoDataChoice,
    severity: rule.severity as AlertSeverity,
    isEnabled: rule.isEnabled,
    channelIds: rule.channelIds,
    updatedAt: rule.updatedAt,
    evaluatedAt: rule.evaluatedAt,
    lastError: rule.lastError,
    sentence: sayRule({ query, condition, forSeconds: rule.forSeconds }),
    groupCount: statuses.length,
    pendingCount: count("pending"),
    firingCount: count("firing"),
  };
}

export function toEventRow(event: StoredEvent): AlertEventRow {
  const count = (wanted: string) => event.deliveries.filter(({ state }) => state === wanted).length;
  return {
    id: event.id,
    ruleId: event.ruleId,
    ruleName: event.ruleName,
    severity: event.severity as AlertSeverity,
    kind: event.kind as AlertEventRow["kind"],
    labels: labelsOf(event),
    value: event.value,
    summary: event.summary,
    occurredAt: event.occurredAt,
    path: alertPath(event.ruleId, event.group, event.occurredAt.getTime()),
    delivered: count("delivered"),
    waiting: count("waiting"),
    failed: count("failed"),
  };
}

export function toSilenceRow(silence: StoredSilence): AlertSilenceRow {
  return {
    id: silence.id,
    ruleId: silence.ruleId,
    ruleName: silence.rule?.name ?? null,
    labels: silence.labels as Record<string, string[]>,
    reason: silence.reason,
    createdBy: silence.createdByName,
    createdAt: silence.createdAt,
    endsAt: silence.endsAt,
  };
}

export const toGroupState = (row: StoredState): GroupState => ({
  group: row.group,
  labels: labelsOf(row),
  status: row.status as GroupState["status"],
  sinceMs: row.since.getTime(),
  evaluatedMs: row.evaluatedAt.getTime(),
  value: row.value,
  sampleMs: (row.sampleAt ?? row.evaluatedAt).getTime(),
  clearSinceMs: row.clearSince?.getTime() ?? null,
});
