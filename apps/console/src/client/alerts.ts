import type { AlertRuleRow, AlertSeverity } from "@stashlight/contracts/alert";
import type { Status } from "@stashlight/ui";

export const severityStatus: Record<AlertSeverity, Status> = {
  critical: "bad",
  warning: "warning",
  info: "info",
};

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
