import type { SimulationState } from "@stashlight/contracts/planner";
import type { Status } from "@stashlight/ui";

export const stateWord: Record<SimulationState, string> = {
  queued: "Waiting",
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  cancelled: "Cancelled",
};

export const stateStatus: Record<SimulationState, Status> = {
  queued: "unknown",
  running: "info",
  succeeded: "good",
  failed: "bad",
  cancelled: "unknown",
};

export const isUnderWay = (state: SimulationState): boolean => state === "queued" || state === "running";
