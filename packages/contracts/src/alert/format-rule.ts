/** Describes a rule and its findings in readable words and units. */

import { metricCatalogue } from "../metrics/catalogue.ts";
import type { MetricDefinition, MetricUnit } from "../metrics/definition.ts";
import { DIGITS, DIGITS_MAX, formatMetricValue } from "../metrics/format-value.ts";
import { wearSpace } from "../space/gauges.ts";
import type { AlertDurabilityFigure } from "./durability.ts";
import { PEER_HOURS } from "./peers.ts";
import type { AlertCondition, AlertEvidence, AlertPercentile, AlertQuery } from "./rule.ts";

type Ask = { readonly query: Pick<AlertQuery, "metric">; readonly condition: AlertCondition };

/** Unit of a rule's value and threshold. */
export function ruleUnit({ query, condition }: Ask): MetricUnit | "share" {
  if (condition.kind === "durability") return condition.figure === "nines" ? "count" : "share";
  if (condition.kind === "peers") return "count";
  if (condition.kind === "time-to-full") return "seconds";
  if (condition.kind === "threshold" && condition.shareOf !== undefined) return "share";
  return (metricCatalogue[query.metric] as MetricDefinition).unit;
}

/** Formats a rule's value with its unit: "12 per second" for a rate. */
function formatRuleValue(rule: Ask, value: number, digits?: number): string {
  const said = formatBareValue(rule, value, digits);
  if (rule.condition.kind === "durability") return `${said} ${durabilityWords[rule.condition.figure]}`;
  return rule.condition.kind === "peers" ? `${said} slow hours of the last ${PEER_HOURS}` : said;
}

/** Fewer nines are shown as zero: a vault whose objects cannot be read has a tiny fraction of a nine. */
const NINES_SHOWN_MIN = 0.05;

/** Formats the value beside its condition, which names the figure already. */
function formatBareValue(rule: Ask, value: number, digits?: number): string {
  const { condition } = rule;
  const isNines = condition.kind === "durability" && condition.figure === "nines";
  const said = formatMetricValue(ruleUnit(rule), isNines && value < NINES_SHOWN_MIN ? 0 : value, digits);
  return rule.condition.kind === "rate" ? `${said} per second` : said;
}

const durabilityWords: Record<AlertDurabilityFigure, string> = {
  nines: "nines a year at best",
  "spare-parity": "of the parity shards to spare",
};

const percentileWord = (percentile: AlertPercentile): string =>
  percentile === "p999" ? "p99.9" : percentile;
const counted = new Intl.NumberFormat("en");

/** Formats "p90 69.6 ms, n 640": a value with its statistic, if it is a percentile. */
export const formatMeasured = (rule: Ask, value: number, evidence: AlertEvidence | null): string =>
  addEvidence(formatBesideLimit(rule, value, evidence, formatRuleValue), evidence);

/** Formats "p90 69.6 ms, n 640", or "0 %: 10 of 20 pods are away ..." after a condition that names the figure. */
export const formatMember = (rule: Ask, value: number, evidence: AlertEvidence | null): string =>
  addEvidence(formatBesideLimit(rule, value, evidence, formatBareValue), evidence);

/** Formats "p99 70 ms, n 640, above 50 ms": a value beyond the limit with the limit; a sentence comes last. */
export function formatBeyond(rule: Ask, value: number, evidence: AlertEvidence | null): string {
  const { condition } = rule;
  if (condition.kind !== "durability" && condition.kind !== "peers") {
    const breach = formatBreach(rule, evidence);
    return breach.startsWith("reports ") ? breach : `${formatMeasured(rule, value, evidence)}, ${breach}`;
  }
  const said = formatBesideLimit(rule, value, evidence, formatRuleValue);
  const limit = formatBareValue(rule, condition.threshold);
  const beyond = condition.kind === "peers" ? "more" : lessWord(condition.figure);
  return addEvidence(`${said}, ${beyond} than ${limit}`, evidence);
}

const lessWord = (figure: AlertDurabilityFigure): string => (figure === "nines" ? "fewer" : "less");

function addEvidence(said: string, evidence: AlertEvidence | null): string {
  if (evidence === null) return said;
  const { statistic, sampleCount, sentence } = evidence;
  if (statistic === "modelled") return sentence === undefined ? said : `${said}: ${withoutStop(sentence)}`;
  return `${percentileWord(statistic)} ${said}, n ${counted.format(sampleCount)}`;
}

/** "p99 was 128 ms before" or "95 % before": the last value of a group that currently has none. */
export function formatEarlier(rule: Ask, value: number, evidence: AlertEvidence | null): string {
  if (ruleUnit(rule) === "boolean") return `reported ${formatMeasured(rule, value, evidence)} before`;
  if (rule.condition.kind !== "percentile" || evidence === null || evidence.statistic === "modelled") {
    return `${formatMeasured(rule, value, evidence)} before`;
  }
  return `${percentileWord(evidence.statistic)} was ${formatBesideLimit(rule, value, evidence, formatRuleValue)} before`;
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, "");

/** Adds digits until a value on one side of the limit no longer reads like the limit itself. */
function formatBesideLimit(
  rule: Ask,
  value: number,
  evidence: AlertEvidence | null,
  format: typeof formatRuleValue,
): string {
  if (ruleUnit(rule) === "boolean" && (value === 0 || value === 1)) return value === 0 ? "no" : "yes";
  const limit = limitOfRule(rule.condition, evidence);
  if (limit === null || limit === value) return format(rule, value);
  for (let digits = DIGITS; digits < DIGITS_MAX; digits++) {
    const said = format(rule, value, digits);
    if (said !== format(rule, limit, digits)) return said;
  }
  return format(rule, value, DIGITS_MAX);
}

function limitOfRule(condition: AlertCondition, evidence: AlertEvidence | null): number | null {
  if (condition.kind === "absence") return null;
  if (condition.kind === "time-to-full") return condition.thresholdSeconds;
  return evidence?.limit ?? condition.threshold;
}

/** Formats ", usually 9.8 ms", if known. */
export const formatUsual = (rule: Ask, evidence: AlertEvidence | null): string =>
  evidence?.usual === undefined ? "" : `, usually ${formatRuleValue(rule, evidence.usual)}`;

/** Formats "above 50 ms" after the statistic was named; if a lower one replaces the rule's, also the reason. */
function formatBreach(rule: Ask, evidence: AlertEvidence | null): string {
  const { condition } = rule;
  if (condition.kind === "threshold" && !isAnswer(rule) && isOfAnyValue(condition)) {
    return `${formatLevel(rule, condition)} within ${formatMetricValue("seconds", condition.windowSeconds)}`;
  }
  if (condition.kind !== "percentile" || evidence === null) return formatCondition(rule);
  const limit = formatLimit(rule, condition, evidence);
  const isLower = evidence.statistic !== condition.percentile;
  return isLower ? `${formatTooFew(condition)}, ${limit}` : limit;
}

/** Returns true if one value of the window is enough to breach the limit; it may have passed since. */
const isOfAnyValue = ({ statistic, comparison }: Extract<AlertCondition, { kind: "threshold" }>): boolean =>
  statistic === (comparison === "above" ? "max" : "min");

/** Explains why another percentile replaces the rule's. */
export const formatTooFew = ({
  percentile,
}: Pick<Extract<AlertCondition, { kind: "percentile" }>, "percentile">): string =>
  `too few samples for ${percentileWord(percentile)}`;

/** Formats "above 3 times its usual 9.8 ms", if that is the limit. */
function formatLimit(
  rule: Ask,
  { comparison, threshold, usual: asked }: Extract<AlertCondition, { kind: "percentile" }>,
  { usual, limit }: AlertEvidence,
): string {
  if (asked !== undefined && usual !== undefined && limit !== undefined) {
    return `above ${asked.times} times its usual ${formatRuleValue(rule, usual)}`;
  }
  const absolute = `${comparison} ${formatRuleValue(rule, threshold)}`;
  return usual === undefined ? absolute : `${absolute}, its usual value is ${formatRuleValue(rule, usual)}`;
}

type Threshold = Extract<AlertCondition, { kind: "threshold" }>;

/** "any value above" if the extreme of a window on the limit's far side decides, and "every value above" otherwise. */
function formatStatistic({ statistic, comparison }: Pick<Threshold, "statistic" | "comparison">): string {
  if (statistic === "last") return "";
  if (statistic === "avg") return "average ";
  if (statistic === "increase") return "increase ";
  return (statistic === "max") === (comparison === "above") ? "any value " : "every value ";
}

/** True if the rule is on a yes-or-no metric. */
const isAnswer = ({ query, condition }: Ask): boolean =>
  condition.kind === "threshold" &&
  ["last", "min", "max"].includes(condition.statistic) &&
  ruleUnit({ query, condition }) === "boolean" &&
  (condition.comparison === "below") === condition.threshold > 0;

/** Formats "p99 above 50 ms", without the duration. */
export function formatCondition(rule: Ask): string {
  const { condition } = rule;
  if (condition.kind === "absence") return `no value for ${condition.minutes} min`;
  if (condition.kind === "time-to-full") {
    const reached = condition.capacityMetric === wearSpace.capacity ? "worn out" : "full";
    return `${reached} in less than ${formatMetricValue("seconds", condition.thresholdSeconds)}`;
  }
  if (condition.kind === "peers") return `more than ${formatRuleValue(rule, condition.threshold)}`;
  if (condition.kind === "durability")
    return `${lessWord(condition.figure)} than ${formatRuleValue(rule, condition.threshold)}`;
  const limit = formatLevel(rule, condition);
  if (condition.kind === "rate") return `rate ${limit}`;
  if (condition.kind === "percentile") {
    const { percentile, usual } = condition;
    return `${percentileWord(percentile)} ${limit}${usual === undefined ? "" : ` or ${usual.times} times its usual`}`;
  }
  if (isAnswer(rule)) return `reports ${condition.comparison === "below" ? "no" : "yes"}`;
  return `${formatStatistic(condition)}${limit}`;
}

const formatLevel = (
  rule: Ask,
  { comparison, threshold }: { readonly comparison: "above" | "below"; readonly threshold: number },
): string => `${comparison} ${formatRuleValue(rule, threshold)}`;

export function formatRule(rule: Ask & { readonly forSeconds: number }): string {
  const { condition } = rule;
  const wait = rule.forSeconds === 0 ? "" : ` for ${formatMetricValue("seconds", rule.forSeconds)}`;
  const few =
    condition.kind === "percentile" && condition.sampleCountMin > 1
      ? `, judged from ${counted.format(condition.sampleCountMin)} samples in ${formatMetricValue("seconds", condition.windowSeconds)}`
      : "";
  return `${formatCondition(rule)}${wait}${few}`;
}

/** Formats "Notifies when it fires and when it resolves, and every 4 h in between." */
export const formatReminders = ({ remindSeconds }: { readonly remindSeconds: number }): string =>
  remindSeconds === 0
    ? "Notifies when it fires and when it resolves."
    : `Notifies when it fires and when it resolves, and every ${formatMetricValue("seconds", remindSeconds)} in between.`;

export const formatLabels = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label} ${value}`)
    .join(", ");

/** Formats a silence's labels: "node n1 or n2, device s1". */
export const formatMatchers = (labels: Readonly<Record<string, readonly string[] | undefined>>): string =>
  formatLabels(
    Object.fromEntries(Object.entries(labels).map(([label, values = []]) => [label, values.join(" or ")])),
  );

/** Formats "21 drives" if the device distinguishes groups. */
export function formatGroups(labelNames: readonly string[], count: number): string {
  const noun = groupNoun(labelNames);
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

function groupNoun(labelNames: readonly string[]): string {
  if (labelNames.includes("device")) return "drive";
  if (labelNames.includes("filesystem")) return "file system";
  return labelNames.includes("node") ? "node" : "group";
}
