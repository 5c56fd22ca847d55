/** Finds slots that were started by hand in succession, whose pairs do not sample the hours of a day. */
import type { BenchmarkSubject } from "@stashlight/contracts/benchmark";
import { HOUR_MS } from "@stashlight/contracts/time";
import type { Core } from "../core.ts";

/** Returns the planned times of the period's slots that a person started, oldest first. */
export async function slotsByHand(
  db: Core["db"],
  { planId, fromMs, toMs }: BenchmarkSubject,
): Promise<number[]> {
  const slots = await db.scheduleRun.findMany({
    where: {
      trigger: "manual",
      plannedAt: { gte: new Date(fromMs), lt: new Date(toMs) },
      schedule: { plan: { id: planId } },
    },
    orderBy: { plannedAt: "asc" },
    select: { plannedAt: true },
  });
  return slots.map(({ plannedAt }) => plannedAt.getTime());
}

/** Counts the compared slots that were started by hand within an hour of another such slot. */
export function countBackToBack(comparedMs: readonly number[], byHandMs: readonly number[]): number {
  const byHand = new Set(byHandMs);
  const slots = comparedMs.filter((slotMs) => byHand.has(slotMs)).sort((one, other) => one - other);
  const isNear = (one: number | undefined, other: number | undefined): boolean =>
    one !== undefined && other !== undefined && Math.abs(one - other) < HOUR_MS;
  return slots.filter((slotMs, i) => isNear(slots[i - 1], slotMs) || isNear(slotMs, slots[i + 1])).length;
}
