/**
 * Describes the state of one group of a rule. The page, the API and channels print this sentence, so none of them can
 * name a limit that the printed value does not breach: for a firing alert whose value is back within the limit it
 * states when the alert ends.
 */
import { formatMetricValue } from "../metrics/format-value.ts";
import { HOUR_SECONDS, MINUTE_SECONDS } from "../time/duration.ts";
import { isBreached } from "./breach.ts";
import {
  formatBeyond,
  formatCondition,
  formatEarlier,
  formatMeasured,
  formatTooFew,
  ruleUnit,
} from "./format-rule.ts";
import type { AlertCondition, AlertEvidence, AlertQuery, AlertStatus } from "./rule.ts";

export interface DescribedRule {
  readonly query: Pick<AlertQuery, "metric">;
  readonly condition: AlertCondition;
}

export interface DescribedState {
  readonly status: AlertStatus;
  /** Latest value; from an earlier evaluation if this one had none. */
  readonly value: number | null;
  readonly hasValue: boolean;
  readonly evidence: AlertEvidence | null;
  readonly evaluatedMs: number;
  /** Time of the last value. */
  readonly sampleMs: number;
  /** Time at which it resolves if nothing changes; null while the condition holds. */
  readonly endsMs: number | null;
}

/** Formats "95 %, above 80 %", "10.1 % now; ends in 2 min" or "unknown for 25 s, 95 % before". */
export function describeAlertState(rule: DescribedRule, state: DescribedState): string {
  const ending = describeEnd(state);
  const end = ending === null ? "" : `; ${ending}`;
  if (rule.condition.kind === "absence") return describeAbsence(rule, state, end);
  if (state.value === null) return `no value${end}`;
  const told = formatMeasured(rule, state.value, state.evidence);
  const measured = ruleUnit(rule) === "boolean" ? `reports ${told}` : told;
  const before = formatEarlier(rule, state.value, state.evidence);
  const isBeyond = isBreached(rule.condition, state.value, state.evidence?.limit);
  if (state.status === "ok") return `resolved, ${isBeyond || !state.hasValue ? before : measured}`;
  if (!state.hasValue) return `${describeUnknown(rule, state)}, ${before}${end}`;
  if (isBeyond) return formatBeyond(rule, state.value, state.evidence);
  return `${measured} now${end === "" ? describeHeld(rule) : end}`;
}

/** A percentile may lack samples, even for a silent drive; any other missing value is unknown. */
function describeUnknown({ condition }: DescribedRule, { sampleMs, evaluatedMs }: DescribedState): string {
  const unknown = condition.kind === "percentile" ? "too few new samples" : "unknown";
  const seconds = (evaluatedMs - sampleMs) / 1000;
  return Math.round(seconds) <= 0 ? `${unknown} now` : `${unknown} for ${formatWhole(seconds, Math.round)}`;
}

/** Explains why a value within the limit ends nothing: it is a lower percentile than the one that exceeded it. */
const describeHeld = ({ condition }: DescribedRule): string =>
  condition.kind === "percentile" ? `, ${formatTooFew(condition)}` : "";

function describeAbsence(rule: DescribedRule, { status }: DescribedState, end: string): string {
  if (status === "ok") return "resolved";
  return end === "" ? formatCondition(rule) : `reports again${end}`;
}

/** Formats "ends in 2 min"; null while the condition holds. */
export function describeEnd({
  endsMs,
  evaluatedMs,
}: Pick<DescribedState, "endsMs" | "evaluatedMs">): string | null {
  if (endsMs === null) return null;
  const leftSeconds = (endsMs - evaluatedMs) / 1000;
  return leftSeconds <= 0 ? "ends at the next evaluation" : `ends in ${formatWhole(leftSeconds, Math.ceil)}`;
}

/** Formats whole units without fractions: "90 s", "2 min", "15 min". */
function formatWhole(seconds: number, round: (units: number) => number): string {
  const unit = [HOUR_SECONDS, MINUTE_SECONDS].find((each) => seconds > 2 * each);
  const whole = round(seconds / (unit ?? 1)) * (unit ?? 1);
  return whole < 2 * MINUTE_SECONDS ? `${whole} s` : formatMetricValue("seconds", whole);
}
