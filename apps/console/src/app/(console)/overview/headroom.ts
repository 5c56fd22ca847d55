/** What the installed pool still has to spare for the load that was measured, and when growth will have used it up. */

import type { LiveInputs, LiveSource } from "@stashlight/contracts/planner";
import { YEAR_MS } from "@stashlight/contracts/time/duration";
import {
  type ConstraintName,
  checkStashPlanInput,
  explainPlan,
  type StashPlanInput,
} from "@stashlight/planner";
import { timesWithCapacity } from "../planner/as-installed.ts";
import { toCandidate, toDraft } from "../planner/draft.ts";
import { fillFromFleet } from "../planner/live.ts";

/** Fewer uploads than this say nothing about a load. */
const UPLOADS_MIN = 1000;
/** Beyond it a date is no forecast. */
const YEARS_MAX = 10;

export type StashHeadroom =
  | { readonly kind: "unknown"; readonly why: string }
  | {
      readonly kind: "known";
      /** How many times the measured load fits; below 1 it does not. */
      readonly times: number;
      readonly constraint: ConstraintName;
      readonly drives: number;
      readonly load: LiveSource;
      readonly growthPerYear: number;
      /** Where the growth comes from. */
      readonly growthFrom: "trend" | "plan";
      /** When growth has used the headroom up: a moment, or not within ten years. */
      readonly passedAtMs: number | null;
    };

/**
 * The plan says what the fleet cannot tell: drives' endurance, ceilings, the outage to outlast. The capacity is that which
 * the installed drives told, whatever drive the plan would buy.
 */
export function readHeadroom(live: LiveInputs, plan: StashPlanInput, nowMs: number): StashHeadroom {
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
    return { kind: "unknown", why: `Only ${load.n} uploads were counted; a load needs ${UPLOADS_MIN}.` };
  }
  const { input, problems } = checkStashPlanInput(toCandidate(fillFromFleet(toDraft(plan), live).draft));
  const headroom = input === null ? null : explainPlan(input).headroom;
  if (input === null || headroom === null) {
    return {
      kind: "unknown",
      why: problems[0]?.message ?? "The installed pool could not be used for a plan.",
    };
  }
  const { times, constraint } = timesWithCapacity(
    headroom,
    pool.driveCapacityBytes / input.drive.capacityBytes,
  );
  return {
    kind: "known",
    times,
    constraint,
    drives: pool.driveCount,
    load,
    growthPerYear: input.growthPerYear,
    growthFrom: live.growthPerYear.figure === null ? "plan" : "trend",
    passedAtMs: passedAt(times, input.growthPerYear, nowMs),
  };
}

/** times = (1 + growth)^years, solved for years. */
function passedAt(times: number, growthPerYear: number, nowMs: number): number | null {
  if (times <= 1) return nowMs;
  if (growthPerYear <= 0) return null;
  const years = Math.log(times) / Math.log1p(growthPerYear);
  return years > YEARS_MAX ? null : nowMs + years * YEAR_MS;
}
