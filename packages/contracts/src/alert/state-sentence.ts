/**
 * Describes the state of one group of a rule. The page, the API and channels print this sentence, so none of them can
 * name a limit that the printed value keeps: a firing alert whose value is back within the limit says when it ends.
 */
import { formatMetricValue } from "../metrics/format-value.ts";
import { isBreached } from "./breach.ts";
import type { AlertCondition, AlertEvidence, AlertQuery, AlertStatus } from "./rule.ts";
import { formatBreach, formatCondition, formatMeasured } from "./words.ts";

export interface DescribedRule {
  readonly query: Pick<AlertQuery, "metric">;
  readonly condition: AlertCondition;
  readonly keepFiringSeconds: number;
}

export interface DescribedState {
  readonly status: AlertStatus;
  readonly value: number | null;
  readonly evidence: AlertEvidence | null;
  readonly evaluatedMs: number;
  readonly clearSinceMs: number | null;
}

/** "95 %, above 80 %" or "10.1 % now; ends in 2 min". */
export function describeAlertState(rule: DescribedRule, state: DescribedState): string {
  const end =
    state.clearSinceMs === null ? "" : `; ${describeEnd(rule, state.clearSinceMs, state.evaluatedMs)}`;
  if (rule.condition.kind === "absence") return describeAbsence(rule, state, end);
  if (state.value === null) return `no value${end}`;
  const measured = formatMeasured(rule, state.value, state.evidence);
  const isBeyond = isBreached(rule.condition, state.value, state.evidence?.limit);
  if (state.status === "ok") return isBeyond ? `resolved, ${measured} before` : `resolved, ${measured}`;
  // An evaluation with a value within the limit clears the alert and one beyond it does not, so this one had no value.
  if (isBeyond !== (state.clearSinceMs === null)) return `no value now, ${measured} before${end}`;
  return isBeyond ? describeBreach(rule, state.evidence, measured) : `${measured} now${end}`;
}

function describeBreach(rule: DescribedRule, evidence: AlertEvidence | null, measured: string): string {
  const breach = formatBreach(rule, evidence);
  return breach.startsWith("reports ") ? breach : `${measured}, ${breach}`;
}

function describeAbsence(rule: DescribedRule, { status }: DescribedState, end: string): string {
  if (status === "ok") return "resolved";
  return end === "" ? formatCondition(rule) : `reports again${end}`;
}

function describeEnd(rule: DescribedRule, clearSinceMs: number, evaluatedMs: number): string {
  const leftSeconds = rule.keepFiringSeconds - (evaluatedMs - clearSinceMs) / 1000;
  return leftSeconds <= 0
    ? "ends at the next evaluation"
    : `ends in ${formatMetricValue("seconds", Math.ceil(leftSeconds))}`;
}
