/** Count of firing alerts in the shell. Kept small, because every page loads it first. */
import type { AlertSeverity } from "@stashlight/contracts/alert";
import type { Status } from "@stashlight/ui";

/** Polling interval of alerts and of their count, equal to that of the tiles beside them. */
export const FIRING_REFETCH_MS = 5_000;

export const severityStatus: Record<AlertSeverity, Status> = {
  critical: "bad",
  warning: "warning",
  info: "info",
};

/** "3 alerts firing"; counts causes. */
export const formatFiringCount = (causeCount: number): string =>
  `${causeCount} ${causeCount === 1 ? "alert" : "alerts"} firing`;

/** "(3) Stash · Stashlight"; replaces a previous count. */
export function titleWithCount(title: string, causeCount: number): string {
  const own = title.replace(/^\(\d+\) /, "");
  return causeCount === 0 ? own : `(${causeCount}) ${own}`;
}
