import type { AlertRuleRow, FiringAlert } from "@stashlight/contracts/alert";
import type { Status } from "@stashlight/ui";
import { severityStatus } from "./firing-count.ts";

type EvaluatedRule = Pick<
  AlertRuleRow,
  | "severity"
  | "isEnabled"
  | "lastError"
  | "firingCount"
  | "pendingCount"
  | "evaluatedAt"
  | "groupCount"
  | "noValueCount"
>;

/** State of a rule in a word; the rank sorts rules that need attention first. */
export interface RuleState {
  readonly label: string;
  readonly status: Status;
  readonly rank: number;
}

export function ruleState(rule: EvaluatedRule): RuleState {
  if (!rule.isEnabled) return { label: "Off", status: "unknown", rank: 6 };
  if (rule.lastError !== null) return { label: "Not evaluated", status: "warning", rank: 1 };
  if (rule.firingCount > 0)
    return { label: `${rule.firingCount} firing`, status: severityStatus[rule.severity], rank: 0 };
  if (rule.pendingCount > 0) return { label: `${rule.pendingCount} pending`, status: "warning", rank: 2 };
  if (rule.evaluatedAt === null) return { label: "Not evaluated yet", status: "unknown", rank: 3 };
  if (isNotApplicable(rule)) return { label: "Not applicable", status: "unknown", rank: 7 };
  if (rule.noValueCount === rule.groupCount) return { label: "No data", status: "unknown", rank: 4 };
  return { label: "OK", status: "good", rank: 5 };
}

/** True if no series ever matched the rule: it concerns a store or service that is not installed. */
export const isNotApplicable = (rule: EvaluatedRule): boolean =>
  rule.isEnabled && rule.lastError === null && rule.evaluatedAt !== null && rule.groupCount === 0;

/** Alerts of one rule in one vault: they share a cause, a row and a silence. */
export interface AlertCause {
  readonly key: string;
  readonly title: string;
  /** At least one alert of one rule and vault; firing ones first, then the longest-lasting. */
  readonly alerts: readonly [FiringAlert, ...FiringAlert[]];
  /** Labels that silence the cause: those of its only alert, or the vault. */
  readonly silenceLabels: Record<string, string>;
  /** Alerts of other rules for which no channel is notified, because this one fires. */
  readonly inhibited: readonly FiringAlert[];
}

/** Dates the sentence of a cause by its worst figure, or by the evaluation that found no figure. */
export function causeTime({ alerts }: Pick<AlertCause, "alerts">): {
  readonly word: "measured" | "evaluated";
  readonly at: Date;
} {
  const { hasValue, measuredAt, evaluatedAt } = alerts.find(({ isWorst }) => isWorst) ?? alerts[0];
  return hasValue && measuredAt !== null
    ? { word: "measured", at: measuredAt }
    : { word: "evaluated", at: evaluatedAt };
}

/** True if every alert of the cause is inhibited by another. */
export const isInhibited = ({ alerts }: Pick<AlertCause, "alerts">): boolean =>
  alerts.every(({ inhibitedBy }) => inhibitedBy !== null);

/** Groups alerts by cause, in order of each group's first alert; inhibited causes come last. */
export function orderedCauses(alerts: readonly FiringAlert[]): AlertCause[] {
  return groupByCause(alerts).sort((a, b) => Number(isInhibited(a)) - Number(isInhibited(b)));
}

function groupByCause(alerts: readonly FiringAlert[]): AlertCause[] {
  const causes = Map.groupBy(alerts, ({ ruleId, vault }) => `${ruleId} ${vault}`);
  const inhibitions = Map.groupBy(alerts, ({ inhibitedBy, vault }) => `${inhibitedBy?.ruleId} ${vault}`);
  return [...causes].map(([key, grouped]) => {
    const isFiring = (alert: FiringAlert) => alert.status === "firing";
    const sorted = grouped.toSorted((a, b) => Number(isFiring(b)) - Number(isFiring(a)));
    const [first, ...rest] = sorted as [FiringAlert, ...FiringAlert[]];
    const { vault, ruleId, labels, incidentSummary: title, status } = first;
    const inhibited = status === "firing" ? (inhibitions.get(`${ruleId} ${vault}`) ?? []) : [];
    if (rest.length === 0) return { key, title, alerts: [first], silenceLabels: labels, inhibited };
    const silenceLabels: Record<string, string> = vault === "" ? {} : { vault };
    return { key, title, alerts: [first, ...rest], silenceLabels, inhibited };
  });
}

/** "Inhibits 21 alerts: fsync slow on SSD, Drive not running." */
export function formatInhibited(inhibited: readonly Pick<FiringAlert, "ruleName">[]): string {
  const names = [...new Set(inhibited.map(({ ruleName }) => ruleName))];
  const count = `${inhibited.length} ${inhibited.length === 1 ? "alert" : "alerts"}`;
  return `Inhibits ${count}: ${names.join(", ")}. Channels are notified of this one only.`;
}
