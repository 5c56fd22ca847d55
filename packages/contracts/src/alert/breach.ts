/** Decides whether a value breaches a rule; the evaluation and its sentences share this decision. */
import type { AlertCondition } from "./rule.ts";

/** `learned` replaces the rule's threshold where a limit follows from the group's usual value. */
export function isBreached(
  condition: Exclude<AlertCondition, { kind: "absence" }>,
  value: number,
  learned?: number,
): boolean {
  if (condition.kind === "time-to-full") return value < condition.thresholdSeconds;
  const limit = learned ?? condition.threshold;
  return condition.comparison === "above" ? value > limit : value < limit;
}
