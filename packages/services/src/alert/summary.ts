/** Describes an event in readable sentences. */
import {
  describeAlertState,
  formatCondition,
  formatGroups,
  formatLabels,
  formatMember,
  formatUsual,
  isBreached,
  isLowBad,
  ruleUnit,
} from "@stashlight/contracts/alert";
import { formatMetricValue } from "@stashlight/contracts/metrics";
import { MINUTE_SECONDS } from "@stashlight/contracts/time";
import type { alertEventColumns } from "@stashlight/db/columns/alert";
import { z } from "zod";
import type { AlertTransition, GroupState } from "./evaluate.ts";
import type { WorstMember } from "./incident-grouping.ts";
import { type StoredRule, storedCondition, storedQuery } from "./rule-rows.ts";

/** A transition, or a reminder that a group still fires. */
export type NotifiedEvent = Omit<AlertTransition, "kind"> & {
  readonly kind: AlertTransition["kind"] | "joined" | "reminder";
};

export type AlertGroupsMessage = ReturnType<typeof alertEventColumns.message.read>;

/** Longer lists are unreadable, and chat services refuse them. */
const NAMED_GROUPS_MAX = 50;

const ruleQuestion = (rule: StoredRule) => ({ query: storedQuery(rule), condition: storedCondition(rule) });

interface Place {
  readonly vault: string;
  /** All groups of the rule in the vault, firing or not. */
  readonly groupCount: number;
}

/** Describes one group: figure, value and place. */
export function summarise(rule: StoredRule, state: GroupState): string {
  const described = describeAlertState(ruleQuestion(rule), state);
  return `${rule.name}${bracketed(state.labels)}: ${described}${describePause(state)}.`;
}

/** Formats "; not evaluated for 58 min since it began"; empty without a pause of the evaluator. */
const describePause = ({ unevaluatedSeconds }: Pick<GroupState, "unevaluatedSeconds">): string =>
  unevaluatedSeconds === 0
    ? ""
    : `; not evaluated for ${formatMetricValue("seconds", wholeMinutes(unevaluatedSeconds))} since it began`;

/** A pause has no use for seconds beyond the first minutes. */
const wholeMinutes = (seconds: number): number =>
  seconds < 2 * MINUTE_SECONDS ? seconds : Math.round(seconds / MINUTE_SECONDS) * MINUTE_SECONDS;

const longestPause = (states: readonly GroupState[]): Pick<GroupState, "unevaluatedSeconds"> => ({
  unevaluatedSeconds: Math.max(...states.map(({ unevaluatedSeconds }) => unevaluatedSeconds)),
});

/**
 * Describes the groups of a rule that have one status in a vault, for pages, messages and the API: "fsync slow on SSD
 * (vault photos): 21 of 21 drives, p99 above 50 ms; worst p90 69.6 ms, n 640 (node stash-1, device s3)."
 */
export function describeGroups(
  rule: StoredRule,
  states: readonly GroupState[],
  { vault, groupCount }: Place,
  joinedCount = 0,
): string {
  const [only, ...others] = states;
  if (only !== undefined && others.length === 0) return summarise(rule, only);
  const labels = placeLabels(states, vault);
  const ask = ruleQuestion(rule);
  const many = `${states.length} of ${formatGroups(ask.query.groupBy, Math.max(groupCount, states.length))}`;
  const joined = joinedCount === 0 ? "" : `, ${joinedCount} of them new`;
  return `${rule.name}${bracketed(labels)}: ${many}${joined}${describeWorst(ask, worstState(rule, states), states, labels)}${describePause(longestPause(states))}.`;
}

/** Describes the firing groups of a rule in a vault. Null for a single group, which the event already describes. */
export function messageOfGroups(
  rule: StoredRule,
  states: readonly GroupState[],
  place: Place,
  joinedCount = 0,
): AlertGroupsMessage | null {
  if (states.length < 2) return null;
  return {
    summary: describeGroups(rule, states, place, joinedCount),
    labels: placeLabels(states, place.vault),
    value: worstState(rule, states)?.value ?? null,
    groupCount: states.length,
    groups: namedGroups(states),
  };
}

/**
 * Describes the end of an incident with the number and names of all groups that fired in it; null for a single group.
 */
export function messageOfEnd(
  rule: StoredRule,
  groups: readonly string[],
  { vault, ...pause }: Pick<DescribedIncident, "vault" | "unevaluatedSeconds">,
): AlertGroupsMessage | null {
  if (groups.length < 2) return null;
  const { groupBy } = storedQuery(rule);
  const members = groups.map((group) => ({ labels: labelsOfKey(groupBy, group), value: null }));
  const labels = placeLabels(members, vault);
  return {
    summary: `${rule.name}${bracketed(labels)}: resolved, ${formatGroups(groupBy, groups.length)} had fired${describePause(pause)}.`,
    labels,
    value: null,
    groupCount: groups.length,
    groups: namedGroups(members),
  };
}

/**
 * Formats the worst value of an incident so far: "p99 70 ms, n 640"; empty for rules without a value, and for yes-or-no
 * rules, whose condition is the value.
 */
export function describeWorstMember(rule: StoredRule, { value, evidence }: WorstMember): string {
  const ask = ruleQuestion(rule);
  if (value === null || ask.condition.kind === "absence" || ruleUnit(ask) === "boolean") return "";
  return formatMember(ask, value, evidence);
}

interface DescribedIncident {
  readonly vault: string;
  readonly groups: readonly string[];
  readonly worst: string;
  readonly worstGroup: string;
  readonly unevaluatedSeconds: number;
}

/**
 * Describes an incident as "fsync slow on SSD (vault photos): 21 drives, p99 above 50 ms; worst p99 70 ms, n 640 (node
 * n1, device s3)."
 */
export function describeIncident(rule: StoredRule, incident: DescribedIncident): string {
  const { vault, groups, worst, worstGroup, ...pause } = incident;
  const ask = ruleQuestion(rule);
  const { groupBy } = ask.query;
  const members = groups.map((group) => ({ labels: labelsOfKey(groupBy, group) }));
  const isOne = members.length < 2;
  const labels = isOne ? (members[0]?.labels ?? {}) : placeLabels(members, vault);
  const many = isOne ? "" : `${formatGroups(groupBy, groups.length)}, `;
  const named = bracketed(labelsBeside(labelsOfKey(groupBy, worstGroup), labels));
  const most = worst === "" ? "" : `; worst ${worst}${named}`;
  return `${rule.name}${bracketed(labels)}: ${many}${formatCondition(ask)}${most}${describePause(pause)}.`;
}

/** Returns a function that is true if its first value is worse than its second by the rule. */
export function compareByRule(rule: StoredRule): (value: number, than: number) => boolean {
  const condition = storedCondition(rule);
  if (condition.kind === "absence") return () => false;
  return isLowBad(condition) ? (value, than) => value < than : (value, than) => value > than;
}

type Labelled = Pick<GroupState, "labels">;

const namedGroups = (members: readonly (Labelled & { readonly value: number | null })[]) =>
  members.slice(0, NAMED_GROUPS_MAX).map(({ labels, value }) => ({ labels: { ...labels }, value }));

const placeLabels = (members: readonly Labelled[], vault: string): Record<string, string> => ({
  ...(vault === "" ? {} : { vault }),
  ...commonLabels(members),
});

const bracketed = (labels: GroupState["labels"]): string => {
  const where = formatLabels(labels);
  return where && ` (${where})`;
};

/** Returns the labels behind a group's key, which lists their values in the rule's order. */
function labelsOfKey(groupBy: readonly string[], key: string): Record<string, string> {
  const values = z.array(z.string()).parse(JSON.parse(key));
  const named = groupBy.map((label, index): [string, string] => [label, values[index] ?? ""]);
  return Object.fromEntries(named.filter(([, value]) => value !== ""));
}

/** Returns the group that ends last, and with it the incident: one with an unknown end, or else the latest. */
export const lastToEnd = (states: readonly GroupState[]): GroupState | null =>
  states.find(({ endsMs }) => endsMs === null) ??
  states.toSorted((a, b) => (b.endsMs ?? 0) - (a.endsMs ?? 0))[0] ??
  null;

/**
 * Formats ", p99 above 50 ms; worst p99 70 ms, n 640 (device s3)", or when the last group ends once all values are
 * within the limit.
 */
function describeWorst(
  ask: ReturnType<typeof ruleQuestion>,
  worst: GroupState | null,
  states: readonly GroupState[],
  common: GroupState["labels"],
): string {
  const last = lastToEnd(states);
  if (worst === null || worst.value === null || ask.condition.kind === "absence") {
    return last === null ? "" : `, ${describeAlertState(ask, last)}`;
  }
  const isBreach = worst.hasValue && isBreached(ask.condition, worst.value, worst.evidence?.limit);
  if (!isBreach) {
    const shown = last === null || last.endsMs === null ? (last ?? worst) : { ...worst, endsMs: last.endsMs };
    const rank = shown.hasValue ? "worst " : "";
    return `; ${rank}${describeAlertState(ask, shown)}${bracketed(labelsBeside(shown.labels, common))}`;
  }
  const named = bracketed(labelsBeside(worst.labels, common));
  const measured = `${formatMember(ask, worst.value, worst.evidence)}${formatUsual(ask, worst.evidence)}`;
  return `, ${formatCondition(ask)}; worst ${measured}${named}`;
}

function commonLabels([first, ...rest]: readonly Labelled[]): Record<string, string> {
  const isCommon = ([label, value]: [string, string]) => rest.every(({ labels }) => labels[label] === value);
  return Object.fromEntries(Object.entries(first?.labels ?? {}).filter(isCommon));
}

/** Labels that distinguish a group from others that share some labels. */
export const labelsBeside = (labels: GroupState["labels"], common: GroupState["labels"]) =>
  Object.fromEntries(Object.entries(labels).filter(([label]) => common[label] === undefined));

/** Finds the member with the worst value; members within the limit or without a current value come last. */
export function worstState(rule: StoredRule, states: readonly GroupState[]): GroupState | null {
  if (storedCondition(rule).kind === "absence") return null;
  const isWorse = compareByRule(rule);
  const rank = ({ endsMs, hasValue }: GroupState) => Number(endsMs !== null) + Number(!hasValue);
  const order = (a: GroupState, b: GroupState) =>
    rank(a) - rank(b) ||
    Number(isWorse(b.value ?? 0, a.value ?? 0)) - Number(isWorse(a.value ?? 0, b.value ?? 0));
  return states.filter(({ value }) => value !== null).toSorted(order)[0] ?? null;
}
