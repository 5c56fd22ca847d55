/** Headroom of the installed pool over the measured load, and the date when growth will have used it up. */

import type { LiveInputs, LiveLoad } from "@stashlight/contracts/planner";
import { headroomMarks } from "@stashlight/contracts/thresholds";
import { HOUR_MS, MINUTE_MS, YEAR_MS } from "@stashlight/contracts/time";
import {
  checkStashPlanInput,
  defaultPlanInput,
  explainPlan,
  formatFigure,
  type PoolVerdict,
  type StashPlanInput,
} from "@stashlight/planner";
import type { DateRange } from "@stashlight/planner/date-range";
import { toCandidate, toDraft } from "../planner/draft.ts";
import { fillFromFleet } from "../planner/live.ts";
import { describeShortLoad } from "../planner/load-source.ts";

/** A saved plan, which the planner opens by its id. */
export interface NamedPlan {
  readonly id: string;
  readonly name: string;
}

export interface PlanLimits {
  readonly limits: StashPlanInput;
  /** Plan that the limits belong to; null for the example plan. */
  readonly plan: NamedPlan | null;
}

/** Returns the limits of a saved plan, or those of the example plan if the saved one is no longer valid. */
export function chooseLimits(saved: NamedPlan | null, input: unknown): PlanLimits {
  const limits = saved === null ? null : checkStashPlanInput(input).input;
  return limits === null ? { limits: defaultPlanInput, plan: null } : { limits, plan: saved };
}

/**
 * End of the day of load that is judged. It moves in steps, because the database takes long to read
 * a day of figures; a young installation has short steps.
 */
export function endOfLoad(nowMs: number, measuredSinceMs: number): number {
  const stepMs = nowMs - measuredSinceMs < HOUR_MS ? MINUTE_MS : 5 * MINUTE_MS;
  return Math.floor(nowMs / stepMs) * stepMs;
}

/** Fewer uploads do not represent a load. */
const UPLOADS_MIN = 1000;

export type StashHeadroom =
  | { readonly kind: "unknown"; readonly why: string }
  | {
      readonly kind: "known";
      readonly stash: PoolVerdict;
      readonly load: LiveLoad;
      /** Reason that the load was measured for too short a time to judge the pool; null if it was long enough. */
      readonly unjudged: string | null;
      readonly growthPerYear: number;
      /** Source of the growth. */
      readonly growthFrom: "trend" | "plan";
      /** Time when growth will have used up the headroom; null if not within ten years. */
      readonly passedAtMs: number | null;
      /**
       * The date at both ends of the trend's 95 % interval; null for a plan's growth, or if the headroom is used up
       * today.
       */
      readonly passedBand: DateRange | null;
    };

/**
 * Takes what the fleet cannot report from the plan: endurance, ceilings, the outage to outlast. The
 * capacity is that of the installed drives, not of those that the plan would buy.
 */
export function readHeadroom(
  live: LiveInputs,
  plan: StashPlanInput,
  nowMs: number,
  measuredSinceMs = 0,
): StashHeadroom {
  if (nowMs <= measuredSinceMs) return { kind: "unknown", why: "No whole minute has been measured yet." };
  const needed = [
    live.installed,
    live.uploadsPerSecond,
    live.peakFactor,
    live.objects,
    live.residenceSecondsMean,
  ];
  const missing = needed.find(({ figure }) => figure === null)?.missing;
  if (missing !== undefined && missing !== null) return { kind: "unknown", why: missing };
  const load = live.uploadsPerSecond.figure;
  const pool = live.installed.figure;
  if (load === null || pool === null) return { kind: "unknown", why: "No measurements yet." };
  if (load.n < UPLOADS_MIN) {
    return {
      kind: "unknown",
      why: `Only ${load.n} uploads were counted in whole minutes; a load needs ${UPLOADS_MIN}.`,
    };
  }
  const { input, problems } = checkStashPlanInput(toCandidate(fillFromFleet(toDraft(plan), live).draft));
  const stash = input === null ? null : explainPlan(input).installed;
  if (input === null || stash === null) {
    return {
      kind: "unknown",
      why: problems[0]?.message ?? "The installed pool could not be used for a plan.",
    };
  }
  const outgrownAfterYears = stash.sufficesToday ? yearsUntil(stash.times, input.growthPerYear) : 0;
  return {
    kind: "known",
    stash,
    load,
    unjudged: describeShortLoad(load.measuredSeconds),
    growthPerYear: input.growthPerYear,
    growthFrom: live.growthPerYear.figure === null ? "plan" : "trend",
    passedAtMs: outgrownAfterYears === null ? null : nowMs + outgrownAfterYears * YEAR_MS,
    passedBand: stash.sufficesToday
      ? monthBand(stash.times, live.growthPerYear.figure?.range ?? null, nowMs)
      : null,
  };
}

/** Never bad: a pool that does not suffice needs a new plan, not an action now. */
export function judgeHeadroom({
  unjudged,
  stash,
}: Pick<Extract<StashHeadroom, { kind: "known" }>, "unjudged" | "stash">): "good" | "warning" | undefined {
  if (unjudged !== null) return undefined;
  return stash.sufficesToday && stash.times >= headroomMarks.warningBelowTimes ? "good" : "warning";
}

/** A date further away would not be a forecast. */
const YEARS_MAX = 10;

/** times = (1 + growth)^years, solved for years. */
function yearsUntil(times: number, growthPerYear: number): number | null {
  if (growthPerYear <= 0) return null;
  const years = Math.log(times) / Math.log1p(growthPerYear);
  return years > YEARS_MAX ? null : years;
}

function monthBand(
  times: number,
  growth: { readonly low: number; readonly high: number } | null,
  nowMs: number,
): DateRange | null {
  if (growth === null) return null;
  const [earliest, latest] = [yearsUntil(times, growth.high), yearsUntil(times, growth.low)];
  if (earliest === null) return null;
  return {
    fromMs: nowMs,
    earliestMs: nowMs + earliest * YEAR_MS,
    latestMs: latest === null ? null : nowMs + latest * YEAR_MS,
  };
}

export interface VaultHeadroom {
  readonly vault: string | null;
  readonly headroom: StashHeadroom;
}

/**
 * Returns the vault with the least headroom, and the range of the others in words; if no vault has figures, the first
 * one.
 */
export function worstHeadroom(
  all: readonly VaultHeadroom[],
): (VaultHeadroom & { words: string | null }) | null {
  const known = all
    .flatMap(({ vault, headroom }) => (headroom.kind === "known" ? [{ vault, headroom }] : []))
    .sort((a, b) => a.headroom.stash.times - b.headroom.stash.times);
  const [worst, ...others] = known;
  if (worst === undefined) return all[0] === undefined ? null : { ...all[0], words: null };
  const unknownCount = all.length - known.length;
  const told = [
    worst.vault,
    ...(others.length > 0 ? [othersInWords(others)] : []),
    ...(unknownCount > 0 ? [`${unknownCount} without figures`] : []),
  ];
  return { ...worst, words: all.length === 1 ? null : told.join("; ") };
}

type Known = { readonly vault: string | null; readonly headroom: Extract<StashHeadroom, { kind: "known" }> };

/** "others 2.1 to 5×"; takes vaults in ascending order of headroom. */
function othersInWords(others: readonly Known[]): string {
  const [least, most] = [others[0], others.at(-1)].map((each) =>
    formatFigure(each?.headroom.stash.times ?? 0),
  );
  const name = others.length === 1 ? others[0]?.vault : "others";
  return least === most ? `${name} ${most}×` : `${name} ${least} to ${most}×`;
}
