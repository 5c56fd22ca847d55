import type {
  BenchmarkGroupRow,
  BenchmarkOperation,
  BenchmarkPlanRow,
  BenchmarkRunRow,
  BenchmarkRunState,
  BenchmarkSlotRow,
} from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";
import { nextOccurrences } from "../schedule/occurrences.ts";
import { methodOf, type StoredPlan, workerVantageName } from "./find.ts";
import { titleOf } from "./method.ts";

export type StoredRun = Prisma.BenchmarkRunGetPayload<object>;
export type StoredSlot = Prisma.ScheduleRunGetPayload<object>;
type StoredGroup = Prisma.BenchmarkGroupGetPayload<object>;

const nextRunsCount = 5;

export function toRunRow(run: StoredRun): BenchmarkRunRow {
  return {
    id: run.id,
    planId: run.planId,
    planName: run.planName,
    endpointId: run.endpointId,
    endpointName: run.endpointName,
    method: titleOf(methodOf(run)),
    vantage: run.vantageName,
    attempt: run.attempt,
    slotAt: run.slotAt,
    state: run.state as BenchmarkRunState,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    progress: run.progress,
    progressText: run.progressText,
    estimatedEndAt: run.estimatedEndAt,
    outcome: run.outcome,
    sampleCount: run.sampleCount,
    failureCount: run.failureCount,
    taggedShare: run.taggedShare,
    costEstimate: run.cost,
    label: run.label as BenchmarkRunRow["label"],
  };
}

export function toSlotRow(planId: string, slot: StoredSlot, runs: readonly StoredRun[]): BenchmarkSlotRow {
  const isOver = slot.finishedAt !== null;
  return {
    planId,
    plannedAt: slot.plannedAt,
    trigger: slot.trigger,
    beginsAt: slot.state === "queued" ? (slot.startAfter ?? slot.plannedAt) : null,
    startedAt: slot.startedAt,
    finishedAt: slot.finishedAt,
    state: isOver && slot.cancelRequestedAt !== null ? "cancelled" : slot.state,
    outcome: slot.outcome,
    runs: runs.map(toRunRow),
  };
}

export function toPlanRow(
  plan: StoredPlan,
  { lastSlot, spent, now }: { lastSlot: BenchmarkSlotRow | null; spent: number; now: Date },
): BenchmarkPlanRow {
  const { schedule } = plan;
  const isPaused = schedule.pausedAt !== null;
  return {
    id: plan.id,
    name: plan.name,
    description: plan.description,
    endpoints: plan.endpoints.map(({ endpoint }) => endpoint),
    method: methodOf(plan),
    cron: schedule.cron,
    timeZone: schedule.timeZone,
    jitterSeconds: schedule.jitterSeconds,
    missedPolicy: schedule.missedPolicy as BenchmarkPlanRow["missedPolicy"],
    vantage: { nodeId: plan.vantageNodeId, name: plan.vantageNode?.name ?? workerVantageName },
    budgetPerMonth: plan.budgetPerMonth,
    spentThisMonth: spent,
    isPaused,
    isBuiltIn: plan.builtInKey !== null,
    nextRunsAt: isPaused ? [] : nextOccurrences(schedule, now, nextRunsCount),
    lastSlot,
  };
}

export function toGroupRow(group: StoredGroup): BenchmarkGroupRow {
  const { runId, planId, endpointId, slotAt, operation, sizeBytes, ...figures } = group;
  return { operation: operation as BenchmarkOperation, sizeBytes: Number(sizeBytes), ...figures };
}
