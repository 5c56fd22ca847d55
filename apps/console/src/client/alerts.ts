import type { FiringAlert } from "@stashlight/contracts/alert/event";
import type { AlertRuleRow } from "@stashlight/contracts/alert/rule";
import type { Status } from "@stashlight/ui";

type Standing = Pick<
  AlertRuleRow,
  "isEnabled" | "lastError" | "firingCount" | "pendingCount" | "evaluatedAt" | "groupCount"
>;

/** How a rule stands in a word, what matters most first. */
export function standingOfRule(rule: Standing): { label: string; status: Status } {
  if (!rule.isEnabled) return { label: "Off", status: "unknown" };
  if (rule.lastError !== null) return { label: "Not evaluated", status: "warning" };
  if (rule.firingCount > 0) return { label: `${rule.firingCount} firing`, status: "bad" };
  if (rule.pendingCount > 0) return { label: `${rule.pendingCount} pending`, status: "warning" };
  if (rule.evaluatedAt === null) return { label: "Not evaluated yet", status: "unknown" };
  // Nothing was held against it: no node reports it, or a percentile has too few samples.
  if (rule.groupCount === 0) return { label: "Too little data", status: "unknown" };
  return { label: "OK", status: "good" };
}

/** The alerts of a rule in one vault have one cause, one row and one silence. */
export interface AlertCause {
  readonly key: string;
  readonly title: string;
  /** Alerts of one rule, vault and status, of which there is at least one; the longest first. */
  readonly alerts: readonly [FiringAlert, ...FiringAlert[]];
  /** The labels that a silence of it names: those of the only alert, or the vault. */
  readonly silenceLabels: Record<string, string>;
  /** Alerts of other rules that channels are not told of because of this one. */
  readonly inhibited: readonly FiringAlert[];
}

/** Whether all of it only follows from another alert. */
export const isInhibited = ({ alerts }: Pick<AlertCause, "alerts">): boolean =>
  alerts.every(({ inhibitedBy }) => inhibitedBy !== null);

/** Alerts by cause, in the order in which the first of each comes; what only follows from another one comes last. */
export function causesOf(alerts: readonly FiringAlert[]): AlertCause[] {
  return groupByCause(alerts).sort((a, b) => Number(isInhibited(a)) - Number(isInhibited(b)));
}

function groupByCause(alerts: readonly FiringAlert[]): AlertCause[] {
  const causes = Map.groupBy(alerts, ({ status, ruleId, vault }) => `${status} ${ruleId} ${vault}`);
  const inhibitions = Map.groupBy(alerts, ({ inhibitedBy, vault }) => `${inhibitedBy?.ruleId} ${vault}`);
  return [...causes].map(([key, grouped]) => {
    const [first, ...rest] = grouped as [FiringAlert, ...FiringAlert[]];
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
