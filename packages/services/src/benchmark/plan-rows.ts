import type {
  BenchmarkGroupRow,
  BenchmarkPlanRow,
  BenchmarkRunRow,
  BenchmarkSlotRow,
} from "@stashlight/contracts/benchmark";
import type { Prisma } from "@stashlight/db";
import {
  benchmarkGroupColumns,
  benchmarkPlanColumns,
  benchmarkRunColumns,
} from "@stashlight/db/columns/benchmark";
import { nextOccurrences } from "../schedule/occurrences.ts";
import { FIGURES_EDITION } from "./figures-edition.ts";
import { methodTitle } from "./method.ts";
import { planMethod, runMethod, type StoredPlan, workerVantageName } from "./stored-plan.ts";

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
    method: methodTitle(runMethod(run)),
    vantage: run.vantageName,
    attempt: run.attempt,
    slotAt: run.slotAt,
    state: benchmarkRunColumns.state.read(run.state, run.id),
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
    label: benchmarkRunColumns.label.read(run.label, run.id),
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
  {
    lastSlot,
    costPerSlot,
    spent,
    written,
    now,
  }: {
    lastSlot: BenchmarkSlotRow | null;
    costPerSlot: number | null;
    spent: number | null;
    written: number | null;
    now: Date;
  },
): BenchmarkPlanRow {
  const { schedule } = plan;
  const isPaused = schedule.pausedAt !== null;
  return {
    id: plan.id,
    name: plan.name,
    description: plan.description,
    endpoints: plan.endpoints.map(({ endpoint }) => endpoint),
    method: planMethod(plan),
    cron: schedule.cron,
    timeZone: schedule.timeZone,
    jitterSeconds: schedule.jitterSeconds,
    missedPolicy: benchmarkPlanColumns.missedPolicy.read(schedule.missedPolicy, schedule.id),
    vantage: { nodeId: plan.vantageNodeId, name: plan.vantageNode?.name ?? workerVantageName },
    budgetPerMonth: plan.budgetPerMonth,
    costPerSlotMax: plan.costPerSlotMax,
    costPerSlot,
    spentThisMonth: spent,
    writtenBytesPerMonth: plan.writtenBytesPerMonth,
    writtenBytesThisMonth: written,
    isPaused,
    isBuiltIn: plan.builtInKey !== null,
    nextRunsAt: isPaused ? [] : nextOccurrences(schedule, now, nextRunsCount),
    lastSlot,
  };
}

export function toGroupRow(group: StoredGroup): BenchmarkGroupRow {
  const { runId, planId, endpointId, slotAt, operation, sizeBytes, starts, figuresEdition, ...figures } =
    group;
  const isEarlier = figuresEdition < FIGURES_EDITION;
  return {
    operation: benchmarkGroupColumns.operation.read(operation, runId),
    sizeBytes: Number(sizeBytes),
    ...figures,
    // An interval by the earlier rule is too narrow; the worker recomputes it.
    ...(isEarlier && { medianLowMs: null, medianHighMs: null }),
    starts: benchmarkGroupColumns.starts.readOrNull(starts, runId),
  };
}
