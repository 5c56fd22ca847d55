/** What the installed pool does with the drives that are there, where these are others than the plan's. */
import type { LiveInputs } from "@stashlight/contracts/planner";
import {
  bytesInWords,
  type ConstraintName,
  constraintNames,
  counted,
  figureInWords,
  type Headroom,
  type StashAnswer,
  type StashPlanInput,
} from "@stashlight/planner";

const CAPACITY_DIFFERS = 0.1;

export interface InstalledHeadroom {
  readonly suffices: boolean;
  readonly title: string;
  readonly sentence: string;
}

/** The time of the constraint that is met first, with drives of another capacity in the place of the plan's. */
export function timesWithCapacity(
  { timesByConstraint }: Pick<Headroom, "timesByConstraint">,
  capacityRatio: number,
): { readonly times: number; readonly constraint: ConstraintName } {
  const times = { ...timesByConstraint, capacity: timesByConstraint.capacity * capacityRatio };
  const constraint = constraintNames.reduce((least, name) => (times[name] < times[least] ? name : least));
  return { times: times[constraint], constraint };
}

/** Null where nothing is installed, or its drives are those that the plan reckons with. */
export function headroomAsInstalled(
  live: LiveInputs | undefined,
  { drive, installed, horizonYears, growthPerYear }: StashPlanInput,
  { headroom }: StashAnswer,
): InstalledHeadroom | null {
  const told = live?.installed.figure?.driveCapacityBytes;
  if (told === undefined || installed === null || headroom === null) return null;
  const ratio = told / drive.capacityBytes;
  if (Math.abs(ratio - 1) <= CAPACITY_DIFFERS) return null;
  const { times, constraint } = timesWithCapacity(headroom, ratio);
  const atHorizon = times / Math.max(1, (1 + growthPerYear) ** horizonYears);
  const suffices = atHorizon >= 1 && headroom.placementHolds;
  const drives = counted(installed.servers * installed.drivesPerServer, "installed drive");
  return {
    suffices,
    title: suffices ? "The installed pool suffices" : "The installed pool does not suffice",
    sentence: `${drives} of ${bytesInWords(told)} carry ${figureInWords(times)} times today's load; ${constraint} is met first.${headroom.placementHolds ? "" : " Placement does not hold."} The plan uses drives of ${bytesInWords(drive.capacityBytes)}; as many of those would carry ${figureInWords(headroom.times)} times, and the rest of the answer is about them.`,
  };
}
