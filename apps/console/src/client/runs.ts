import type { ScheduleRunState } from "@stashlight/contracts/process/schedule";
import type { Status } from "@stashlight/ui";

/** How a run's state looks, everywhere the same. */
export const runStatus: Record<ScheduleRunState, Status> = {
  queued: "info",
  running: "info",
  succeeded: "good",
  failed: "bad",
  skipped: "warning",
};
