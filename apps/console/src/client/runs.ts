import type { ScheduleRunState } from "@stashlight/contracts/schedule";
import type { Status } from "@stashlight/ui";

/** Appearance of the states of runs, shared by all pages. */
export const runStatus: Record<ScheduleRunState, Status> = {
  queued: "info",
  running: "info",
  succeeded: "good",
  failed: "bad",
  skipped: "warning",
};
