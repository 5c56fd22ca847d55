import type { BenchmarkSlotCount } from "@stashlight/contracts/benchmark/plan";
import type { BenchmarkComparisonQuestion } from "@stashlight/contracts/benchmark/result";
import { RUNS_MIN } from "@stashlight/stats";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { nextOccurrences } from "../schedule/occurrences.ts";
import { commonSlots, splitContaminated } from "./contamination.ts";
import { findPlanOfResults } from "./find.ts";
import { readFigures } from "./run-columns.ts";

/** How many slots a comparison has, and how many are under way or missing. */
export async function countBenchmarkSlots({
  ctx,
  input,
}: Verb<BenchmarkComparisonQuestion>): Promise<BenchmarkSlotCount> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const { scheduleId } = await findPlanOfResults(platform.db, input.planId);
  const schedule = await platform.db.schedule.findUniqueOrThrow({ where: { id: scheduleId } });
  const underWayCount = await platform.db.scheduleRun.count({
    where: { scheduleId, state: { in: ["queued", "running"] } },
  });
  const missing = await missingSlots(platform, input, underWayCount);
  const [nextAt = null] = schedule.pausedAt === null ? nextOccurrences(schedule, platform.now(), 1) : [];
  return { ...missing, countMin: RUNS_MIN, underWayCount, nextAt };
}

/**
 * The slots under way are counted by the caller before the figures are read: a slot that ends between both counts twice,
 * so that rather too few than too many are queued.
 */
export async function missingSlots(
  platform: Pick<Core, "metrics">,
  question: BenchmarkComparisonQuestion,
  underWayCount: number,
): Promise<{ count: number; contaminatedCount: number; missingCount: number }> {
  const sides = await readFigures(platform, question, [question.endpointAId, question.endpointBId]);
  const a = sides.find(({ endpoint }) => endpoint.id === question.endpointAId);
  const b = sides.find(({ endpoint }) => endpoint.id === question.endpointBId);
  if (a === undefined || b === undefined)
    return { count: 0, contaminatedCount: 0, missingCount: Math.max(0, RUNS_MIN - underWayCount) };
  const count = commonSlots(splitContaminated({ a, b }).clean).length;
  const contaminatedCount = commonSlots({ a, b }).length - count;
  return { count, contaminatedCount, missingCount: Math.max(0, RUNS_MIN - count - underWayCount) };
}
