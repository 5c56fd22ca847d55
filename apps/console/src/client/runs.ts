import type { ScheduleRunState } from "@stashlight/contracts/process/schedule";
import type { Status } from "@stashlight/ui";

/** Appearance of a run's state, the same everywhere. */
export const runStatus: Record<ScheduleRunState, Status> = {
  queued: "info",
  running: "info",
  succeeded: "good",
  failed: "bad",
  skipped: "warning",
};
