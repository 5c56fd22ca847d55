/**
 * Says how much the present stash has to spare, and when the load outgrows it. Overview and Planner both read it here, so
 * that they say the same of the same stash.
 */
import {
  bytesInWords,
  type ConstraintName,
  constraintNames,
  counted,
  figureInWords,
  type Headroom,
  type StashPlanInput,
} from "@stashlight/planner";

/** Datasheets round; a drive within this of the plan's is the plan's. */
const CAPACITY_DIFFERS = 0.1;
/** Beyond it a date is no forecast. */
const YEARS_MAX = 10;
const MONTHS_PER_YEAR = 12;

export interface PresentStash {
  readonly drives: number;
  /** The capacity of a drive of the pool, where the plan reckons with another. */
  readonly otherCapacityBytes: number | null;
  /** How many times today's load fits; below 1 it does not. */
  readonly times: number;
  readonly constraint: ConstraintName;
  readonly placementHolds: boolean;
  readonly sufficesToday: boolean;
  /** The load at the plan's horizon fits too. */
  readonly suffices: boolean;
  /** 0 when it does not suffice today; null when not within ten years. */
  readonly outgrownAfterYears: number | null;
}

/** `driveCapacityBytes` is what the installed drives told of themselves; null where none did. */
export function presentStash(
  input: StashPlanInput,
  headroom: Headroom,
  driveCapacityBytes: number | null,
): PresentStash {
  const ratio = driveCapacityBytes === null ? 1 : driveCapacityBytes / input.drive.capacityBytes;
  const { timesByConstraint, placementHolds, pool } = headroom;
  const byConstraint = { ...timesByConstraint, capacity: timesByConstraint.capacity * ratio };
  const constraint = constraintNames.reduce((least, name) =>
    byConstraint[name] < byConstraint[least] ? name : least,
  );
  const times = byConstraint[constraint];
  const sufficesToday = times >= 1 && placementHolds;
  const atHorizon = times / Math.max(1, (1 + input.growthPerYear) ** input.horizonYears);
  return {
    drives: pool.drives,
    otherCapacityBytes: Math.abs(ratio - 1) > CAPACITY_DIFFERS ? driveCapacityBytes : null,
    times,
    constraint,
    placementHolds,
    sufficesToday,
    suffices: sufficesToday && atHorizon >= 1,
    outgrownAfterYears: sufficesToday ? yearsUntil(times, input.growthPerYear) : 0,
  };
}

/** times = (1 + growth)^years, solved for years. */
export function yearsUntil(times: number, growthPerYear: number): number | null {
  if (growthPerYear <= 0) return null;
  const years = Math.log(times) / Math.log1p(growthPerYear);
  return years > YEARS_MAX ? null : years;
}

/** "today", "month 7"; null when not within ten years. */
export function outgrownInWords({ outgrownAfterYears: years }: PresentStash): string | null {
  if (years === null) return null;
  return years === 0 ? "today" : `month ${Math.ceil(years * MONTHS_PER_YEAR)}`;
}

export const presentTitle = ({ suffices, sufficesToday }: PresentStash): string => {
  if (suffices) return "The installed pool suffices";
  return sufficesToday
    ? "The installed pool does not suffice at the horizon"
    : "The installed pool does not suffice";
};

/** The planner's own sentence where the drives are the plan's; what differs where they are others. */
export function presentSentence(stash: PresentStash, input: StashPlanInput, headroom: Headroom): string {
  const { otherCapacityBytes, times, constraint, placementHolds } = stash;
  if (otherCapacityBytes === null) return headroom.sentence;
  const drives = counted(stash.drives, "installed drive");
  return `${drives} of ${bytesInWords(otherCapacityBytes)} carry ${figureInWords(times)} times today's load; ${constraint} is met first.${placementHolds ? "" : " Placement does not hold."} The plan uses drives of ${bytesInWords(input.drive.capacityBytes)}; as many of those would carry ${figureInWords(headroom.times)} times, and the rest of the answer is about them.`;
}
