/** Says in sentences for a person what an event is about. */
import {
  formatBreach,
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

const askOf = (rule: StoredRule) => ({ query: queryOf(rule), condition: conditionOf(rule) });

/** A sentence of one group: what, how much, where. */
export function summarise(rule: StoredRule, { kind, state }: Pick<ToldEvent, "kind" | "state">): string {
  const ask = askOf(rule);
  const where = formatLabels(state.labels);
  const value =
    ask.condition.kind === "absence" || state.value === null
      ? []
      : [formatMeasured(ask, state.value, state.evidence)];
  const what = kind === "resolved" ? ["resolved", ...value] : [...value, formatBreach(ask, state.evidence)];
  return `${rule.name}${where && ` (${where})`}: ${what.join(", ")}.`;
}

/**
 * "fsync slow on SSD (vault photos): 21 of 21 drives, p99 above 50 ms; worst p90 69.6 ms, n 640 (node stash-1, device s3)."
 * Null for one group, of which the event itself says it all. `groupCount` is of all groups of the rule in the vault.
 */
export function messageOfGroups(
  rule: StoredRule,
  { kind, groups }: Pick<Telling, "kind" | "groups">,
  { vault, groupCount }: { readonly vault: string; readonly groupCount: number },
): AlertGroupsMessage | null {
  if (groups.length < 2) return null;
  const states = groups.map(({ state }) => state);
  const labels = { ...(vault === "" ? {} : { vault }), ...commonLabels(states) };
  const where = formatLabels(labels);
  const ask = askOf(rule);
  const worst = worstOf(rule, states);
  const many = `${states.length} of ${formatGroups(ask.query.groupBy, Math.max(groupCount, states.length))}`;
  const worstText =
    worst === null
      ? ""
      : `; worst ${formatMeasured(ask, worst.value, worst.evidence)}${formatUsual(ask, worst.evidence)} (${formatLabels(labelsBeside(worst.labels, labels))})`;
  const what =
    kind === "ends" ? "resolved, none fires any more" : `${many}, ${formatCondition(ask)}${worstText}`;
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

function commonLabels([first, ...rest]: readonly GroupState[]): Record<string, string> {
  const isCommon = ([label, value]: [string, string]) => rest.every(({ labels }) => labels[label] === value);
  return Object.fromEntries(Object.entries(first?.labels ?? {}).filter(isCommon));
}

/** What tells a group apart from others that have some labels in common. */
export const labelsBeside = (labels: GroupState["labels"], common: GroupState["labels"]) =>
  Object.fromEntries(Object.entries(labels).filter(([label]) => common[label] === undefined));

function worstOf(rule: StoredRule, states: readonly GroupState[]) {
  const condition = conditionOf(rule);
  if (condition.kind === "absence") return null;
  const isLeastWorst = condition.kind === "time-to-full" || condition.comparison === "below";
  const valued = states.flatMap(({ labels, value, evidence }) =>
    value === null ? [] : [{ labels, value, evidence }],
  );
  valued.sort((a, b) => (isLeastWorst ? a.value - b.value : b.value - a.value));
  return valued[0] ?? null;
}
