/** How many alerts fire, as the shell of every page tells it; it is part of each page's first scripts, so it is small. */
import type { AlertEventRow } from "@stashlight/contracts/alert/event";
import type { AlertSeverity } from "@stashlight/contracts/alert/rule";
import type { Status } from "@stashlight/ui";

export const severityStatus: Record<AlertSeverity, Status> = {
  critical: "bad",
  warning: "warning",
  info: "info",
};

/** How an event of an alert looks: over, looked after, or as bad as it is. */
export function eventStatus({ kind, severity }: Pick<AlertEventRow, "kind" | "severity">): Status {
  if (kind === "resolved") return "good";
  return kind === "acknowledged" ? "info" : severityStatus[severity];
}

/** "3 alerts firing", by cause. */
export const formatFiringCount = (causeCount: number): string =>
  `${causeCount} ${causeCount === 1 ? "alert" : "alerts"} firing`;

/** "(3) Stash · Stashlight"; a count that stands there already is replaced. */
export function titleWithCount(title: string, causeCount: number): string {
  const own = title.replace(/^\(\d+\) /, "");
  return causeCount === 0 ? own : `(${causeCount}) ${own}`;
}
