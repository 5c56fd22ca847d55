/** Decides whether a value breaches a rule or is clear of it; the evaluation and its sentences share these decisions. */
import { hysteresisMarks } from "../thresholds.ts";
import { ruleUnit } from "./format-rule.ts";
import { type AlertCondition, type AlertEvidence, alertPercentiles } from "./rule.ts";

type Compared = Exclude<AlertCondition, { kind: "absence" }>;
type ComparedRule = Omit<Parameters<typeof ruleUnit>[0], "condition"> & { readonly condition: Compared };

/** `learned` replaces the rule's threshold if a limit follows from the group's usual value. */
export function isBreached(condition: Compared, value: number, learned?: number): boolean {
  return isBeyond(condition, value, conditionLimit(condition, learned));
}

/** True if a value within the limit also keeps the margin, so that noise alone does not make it breach again. */
export function isClear(rule: ComparedRule, value: number, learned?: number): boolean {
  const { condition } = rule;
  const limit = conditionLimit(condition, learned);
  if (isBeyond(condition, value, limit)) return false;
  // A yes-or-no value has no margin.
  if (ruleUnit(rule) === "boolean") return true;
  const margin = Math.abs(limit) * hysteresisMarks.marginShare;
  return !isBeyond(condition, value, isLowBad(condition) ? limit + margin : limit - margin);
}

const conditionLimit = (condition: Compared, learned?: number): number =>
  condition.kind === "time-to-full" ? condition.thresholdSeconds : (learned ?? condition.threshold);

const isBeyond = (condition: Compared, value: number, limit: number): boolean =>
  isLowBad(condition) ? value < limit : value > limit;

/** True if lower values are worse. */
export const isLowBad = (condition: Compared): boolean =>
  condition.kind === "time-to-full" ||
  condition.kind === "durability" ||
  ("comparison" in condition && condition.comparison === "below");

/** True if the samples are too few for the rule's percentile, and the largest value exceeds the limit. */
export function isUndecided(condition: Compared, value: number, evidence: AlertEvidence | null): boolean {
  if (condition.kind !== "percentile" || evidence === null || evidence.atMost === undefined) return false;
  const { statistic, atMost, limit } = evidence;
  return (
    statistic !== condition.percentile &&
    !isBreached(condition, value, limit) &&
    isBreached(condition, atMost, limit)
  );
}

/** The higher of two percentiles. */
export const higherPercentile = (
  a: AlertEvidence["breachedBy"],
  b: AlertEvidence["breachedBy"],
): AlertEvidence["breachedBy"] => (percentileRank(a) >= percentileRank(b) ? a : b);

/** Values that are not percentiles rank below all of them. */
export const percentileRank = (percentile: AlertEvidence["statistic"] | undefined): number =>
  percentile === undefined || percentile === "modelled" ? -1 : alertPercentiles.indexOf(percentile);
