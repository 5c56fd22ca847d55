import type { DriveRow } from "@stashlight/contracts/disk";
import { ownVantage } from "../benchmarks/own-vantage.ts";
import type { PlanStart } from "../benchmarks/plan-form.ts";

const names = { "disk-sweep": "Sweep of", "volume-check": "Check of" } as const;

/** Initial values of a plan for this drive, or for drives to be chosen. */
export function startPlan(drive: DriveRow | null, methodName: keyof typeof names): PlanStart {
  if (drive === null) return { name: "", endpointIds: [], vantageNodeId: ownVantage, methodName };
  return {
    name: `${names[methodName]} ${drive.name}`,
    endpointIds: [drive.id],
    vantageNodeId: drive.probe?.nodeId ?? ownVantage,
    methodName,
  };
}
