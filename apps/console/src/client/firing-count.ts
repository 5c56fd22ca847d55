/** How many alerts fire, as the shell of every page tells it; it is part of each page's first scripts, so it is small. */
import type { AlertSeverity } from "@stashlight/contracts/alert/rule";
import type { Status } from "@stashlight/ui";

export const severityStatus: Record<AlertSeverity, Status> = {
  critical: "bad",
  warning: "warning",
  info: "info",
};

/** "3 alerts firing", by cause. */
export const formatFiringCount = (causeCount: number): string =>
  `${causeCount} ${causeCount === 1 ? "alert" : "alerts"} firing`;

/** "(3) Stash · Stashlight"; a count that stands there already is replaced. */
export function titleWithCount(title: string, causeCount: number): string {
  const own = title.replace(/^\(\d+\) /, "");
  return causeCount === 0 ? own : `(${causeCount}) ${own}`;
}
