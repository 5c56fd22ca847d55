import type {
  BenchmarkComparisonQuestion,
  BenchmarkSlotCount,
  BenchmarkSlots,
} from "@stashlight/contracts/benchmark";
import { median, RUNS_MIN } from "@stashlight/stats";
import { estimatedSeconds } from "../benchmark/method.ts";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { nextOccurrences } from "../schedule/occurrences.ts";
import { findPlanOfResults, type PlanOfResults } from "./results-plan.ts";
import { readFigures } from "./run-columns.ts";
import { assessSlots } from "./undisturbed-slots.ts";

/** Counts the slots of a comparison, and those in progress or missing. */
export async function countBenchmarkSlots({
  ctx,
  input,
}: Verb<BenchmarkComparisonQuestion>): Promise<BenchmarkSlotCount> {
  requireRole(ctx, "viewer");
  const plan = await findPlanOfResults(ctx.platform.db, input.planId);
  return countSlots(ctx.platform, plan, input);
}

/** `question` is null while the plan has no measurements. */
export async function countSlots(
  platform: Core,
  plan: PlanOfResults,
  question: BenchmarkComparisonQuestion | null,
): Promise<BenchmarkSlotCount> {
  const { scheduleId } = plan;
  const schedule = await platform.db.schedule.findUniqueOrThrow({ where: { id: scheduleId } });
  const underWay = await platform.db.scheduleRun.findMany({
    where: { scheduleId, state: { in: ["queued", "running"] } },
    select: { state: true, plannedAt: true, startAfter: true, startedAt: true },
  });
  const underWayCount = underWay.length;
  const missing = await missingSlots(platform, question, underWayCount);
  const [nextAt = null] = schedule.pausedAt === null ? nextOccurrences(schedule, platform.now(), 1) : [];
  return {
    ...missing,
    underWayCount,
    beginsAt: firstStart(underWay),
    runsSince: underWay.find(({ state }) => state === "running")?.startedAt ?? null,
    nextAt,
    slotSeconds: await secondsOfSlot(platform, plan),
  };
}

interface UnderWay {
  readonly state: string;
  readonly plannedAt: Date;
  readonly startAfter: Date | null;
}

function firstStart(slots: readonly UnderWay[]): Date | null {
  if (slots.length === 0 || slots.some(({ state }) => state === "running")) return null;
  return new Date(Math.min(...slots.map(({ plannedAt, startAfter }) => (startAfter ?? plannedAt).getTime())));
}

/** The newest slots predict the duration of the next ones. */
const TIMED_SLOTS = 5;

async function secondsOfSlot({ db }: Core, { id, scheduleId, method }: PlanOfResults): Promise<number> {
  const slots = await db.scheduleRun.findMany({
    where: { scheduleId, state: "succeeded", startedAt: { not: null }, finishedAt: { not: null } },
    orderBy: { plannedAt: "desc" },
    take: TIMED_SLOTS,
    select: { startedAt: true, finishedAt: true },
  });
  const seconds = slots.flatMap(({ startedAt, finishedAt }) =>
    startedAt === null || finishedAt === null ? [] : [(finishedAt.getTime() - startedAt.getTime()) / 1000],
  );
  if (seconds.length > 0) return median(seconds);
  const endpointCount = await db.benchmarkPlanEndpoint.count({ where: { planId: id } });
  return estimatedSeconds(method) * endpointCount;
}

/**
 * The caller counts slots in progress before the figures are read. A slot that ends in between counts twice, so any
 * error queues too few slots, not too many.
 */
export async function missingSlots(
  platform: Pick<Core, "metrics">,
  question: BenchmarkComparisonQuestion | null,
  underWayCount: number,
): Promise<BenchmarkSlots & { missingCount: number }> {
  const missing = (slots: BenchmarkSlots) => ({
    ...slots,
    missingCount: Math.max(0, slots.neededCount - slots.undisturbedCount - underWayCount),
  });
  const none = missing({ measuredCount: 0, undisturbedCount: 0, neededCount: RUNS_MIN });
  if (question === null) return none;
  const sides = await readFigures(platform, question, [question.endpointAId, question.endpointBId]);
  const a = sides.find(({ endpoint }) => endpoint.id === question.endpointAId);
  const b = sides.find(({ endpoint }) => endpoint.id === question.endpointBId);
  if (a === undefined || b === undefined) return none;
  return missing(assessSlots({ a, b }).slots);
}
