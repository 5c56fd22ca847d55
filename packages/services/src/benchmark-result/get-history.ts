import type { BenchmarkHistory, benchmarkHistoryInput } from "@stashlight/contracts/benchmark";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { findPlanOfResults, type PlanOfResults } from "./results-plan.ts";
import { readFigures } from "./run-columns.ts";
import { toHistory } from "./to-history.ts";

const eventCountMax = 100;

/** Returns the medians of a plan's runs by endpoint, with the events of the period. */
export async function getBenchmarkHistory({
  ctx,
  input,
}: Verb<typeof benchmarkHistoryInput>): Promise<BenchmarkHistory> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const plan = await findPlanOfResults(platform.db, input.planId);
  const [figures, events] = await Promise.all([
    readFigures(platform, input),
    readEvents(platform.db, plan, input),
  ]);
  return toHistory({ ...input, figures, events });
}

/**
 * Reads slots without a comparison, and changes of the plan itself, because a level may begin with either. Keeps the
 * newest of each.
 */
async function readEvents(
  db: Core["db"],
  plan: PlanOfResults,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<BenchmarkHistory["events"]> {
  const period = { gte: new Date(fromMs), lt: new Date(toMs) };
  const [slots, changes] = await Promise.all([
    db.scheduleRun.findMany({
      where: { scheduleId: plan.scheduleId, plannedAt: period, state: { in: ["skipped", "failed"] } },
      orderBy: { plannedAt: "desc" },
      take: eventCountMax,
      select: { plannedAt: true, state: true, outcome: true },
    }),
    db.auditEvent.findMany({
      where: { action: "benchmark.plan_changed", targetId: plan.id, occurredAt: period },
      orderBy: { sequence: "desc" },
      take: eventCountMax,
      select: { occurredAt: true, actorName: true },
    }),
  ]);
  const events: BenchmarkHistory["events"] = [
    ...slots.map(({ plannedAt, state, outcome }) => ({
      atMs: plannedAt.getTime(),
      label: `Slot ${state}${outcome === null ? "" : `: ${outcome}`}`,
      status: state === "failed" ? ("bad" as const) : ("warning" as const),
    })),
    ...changes.map(({ occurredAt, actorName }) => ({
      atMs: occurredAt.getTime(),
      label: `${actorName} changed the schedule`,
      status: "info" as const,
    })),
  ];
  return events.sort((a, b) => a.atMs - b.atMs);
}
