/** Says in sentences for a person what an event is about. */
import { isBreached } from "@stashlight/contracts/alert/breach";
import { describeAlertState } from "@stashlight/contracts/alert/state-sentence";
import {
  formatCondition,
  formatGroups,
  formatLabels,
  formatMeasured,
  formatUsual,
} from "@stashlight/contracts/alert/words";
import type { alertEventColumns } from "@stashlight/db/columns/alert";
import type { AlertTransition, GroupState } from "./evaluate.ts";
import type { Telling } from "./incident.ts";
import { conditionOf, queryOf, type StoredRule } from "./rows.ts";

/** Channels are told of a transition, or reminded that a group still fires. */
export type ToldEvent = Omit<AlertTransition, "kind"> & {
  readonly kind: AlertTransition["kind"] | "reminder";
};

export type AlertGroupsMessage = ReturnType<typeof alertEventColumns.message.read>;

/** A longer list is read by nobody, and chat services refuse it. */
const NAMED_GROUPS_MAX = 50;

const askOf = (rule: StoredRule) => ({
  query: queryOf(rule),
  condition: conditionOf(rule),
  keepFiringSeconds: rule.keepFiringSeconds,
});

/** A sentence of one group: what, how much, where. */
export function summarise(rule: StoredRule, state: GroupState): string {
  const where = formatLabels(state.labels);
  return `${rule.name}${where && ` (${where})`}: ${describeAlertState(askOf(rule), state)}.`;
}

/**
 * "fsync slow on SSD (vault photos): 21 of 21 drives, p99 above 50 ms; worst p90 69.6 ms, n 640 (node stash-1, device s3)."
 * Null for one group, of which the event itself says it all. `groupCount` is of all groups of the rule in the vault.
 */
export function messageOfGroups(
  rule: StoredRule,
  {
    kind,
    groups,
  }: { readonly kind: Telling["kind"]; readonly groups: readonly { readonly state: GroupState }[] },
  { vault, groupCount }: { readonly vault: string; readonly groupCount: number },
): AlertGroupsMessage | null {
  if (groups.length < 2) return null;
  const states = groups.map(({ state }) => state);
  const labels = { ...(vault === "" ? {} : { vault }), ...commonLabels(states) };
  const where = formatLabels(labels);
  const ask = askOf(rule);
  const worst = worstOf(rule, states);
  const many = `${states.length} of ${formatGroups(ask.query.groupBy, Math.max(groupCount, states.length))}`;
  const what =
    kind === "ends" ? "resolved, none fires any more" : `${many}${describeWorst(ask, worst, states, labels)}`;
  return {
    summary: `${rule.name}${where && ` (${where})`}: ${what}.`,
    labels,
    value: worst?.value ?? null,
    groupCount: states.length,
    groups: states
      .slice(0, NAMED_GROUPS_MAX)
      .map((state) => ({ labels: { ...state.labels }, value: state.value })),
  };
}

/** ", p99 above 50 ms; worst p99 70 ms, n 640 (device s3)", or when the worst ends once its value is within the limit. */
function describeWorst(
  ask: ReturnType<typeof askOf>,
  worst: GroupState | null,
  states: readonly GroupState[],
  common: GroupState["labels"],
): string {
  const last = states.find(({ clearSinceMs }) => clearSinceMs === null) ?? states[0];
  if (worst === null || worst.value === null || ask.condition.kind === "absence") {
    return last === undefined ? "" : `, ${describeAlertState(ask, last)}`;
  }
  const named = ` (${formatLabels(labelsBeside(worst.labels, common))})`;
  const isBreach =
    worst.clearSinceMs === null && isBreached(ask.condition, worst.value, worst.evidence?.limit);
  if (!isBreach) return `; worst ${describeAlertState(ask, worst)}${named}`;
  const measured = `${formatMeasured(ask, worst.value, worst.evidence)}${formatUsual(ask, worst.evidence)}`;
  return `, ${formatCondition(ask)}; worst ${measured}${named}`;
}

function commonLabels([first, ...rest]: readonly GroupState[]): Record<string, string> {
  const isCommon = ([label, value]: [string, string]) => rest.every(({ labels }) => labels[label] === value);
  return Object.fromEntries(Object.entries(first?.labels ?? {}).filter(isCommon));
}

/** What tells a group apart from others that have some labels in common. */
export const labelsBeside = (labels: GroupState["labels"], common: GroupState["labels"]) =>
  Object.fromEntries(Object.entries(labels).filter(([label]) => common[label] === undefined));

/** The member with the worst value; members whose value is within the limit come last. */
function worstOf(rule: StoredRule, states: readonly GroupState[]): GroupState | null {
  const condition = conditionOf(rule);
  if (condition.kind === "absence") return null;
  const sign = condition.kind === "time-to-full" || condition.comparison === "below" ? 1 : -1;
  const valued = states.filter(({ value }) => value !== null);
  const order = (state: GroupState) => sign * (state.value ?? 0);
  return (
    valued.toSorted(
      (a, b) => Number(a.clearSinceMs !== null) - Number(b.clearSinceMs !== null) || order(a) - order(b),
    )[0] ?? null
  );
}
