/**
 * A slot is claimed by whoever runs it, with a lease that it renews; a process that is gone renews nothing, so its slot
 * is found (recover.ts). A vantage point runs one slot at a time.
 *
 *     queued -- claimed --> running -- all endpoints measured --> succeeded or failed
 *       |  ^                   |-- cancelled by a person -------> failed
 *       |  '---- run-late -----+-- the process stopped or lost -> interrupted runs; failed without run-late
 *       '-- over budget, vantage point not usable, cancelled ---> skipped
 */
import { shuffled } from "@stashlight/benchmark";
import type { BenchmarkMethodChoice } from "@stashlight/contracts";
import type { Transaction } from "@stashlight/db";
import { newId } from "../../ids.ts";
import type { Platform } from "../../platform.ts";
import { whyOverBudget } from "../budget.ts";
import { findPlan, methodOf, type StoredPlan, workerVantageName } from "../find.ts";
import type { StoredRun } from "../rows.ts";
import { whyVantageIsUnusable } from "../vantage.ts";

export const leaseMs = 30_000;

export interface SlotName {
  scheduleId: string;
  plannedAt: Date;
}

export interface ClaimedSlot extends SlotName {
  planId: string;
  planName: string;
  attempt: number;
  claimant: string;
  leaseMs: number;
  method: BenchmarkMethodChoice;
  /** In the order in which they are to be made. */
  runs: StoredRun[];
}

export interface ClaimOptions {
  /** Null: the worker beside the console. */
  vantageNodeId: string | null;
  /** Unique among those that claim. */
  claimant: string;
  /** How long it may be silent before it is taken for lost. */
  leaseMs?: number;
  random: () => number;
}

interface DueSlot {
  schedule_id: string;
  planned_at: Date;
  plan_id: string;
}

/** The next slot that is due at a vantage point; null when there is none, or one is running there. */
export async function claimSlot(platform: Platform, options: ClaimOptions): Promise<ClaimedSlot | null> {
  for (;;) {
    const turn = await platform.db.$transaction((tx) => takeTurn(tx, platform.now(), options));
    if (turn !== "skipped one") return turn;
  }
}

async function takeTurn(
  tx: Transaction,
  now: Date,
  options: ClaimOptions,
): Promise<ClaimedSlot | null | "skipped one"> {
  const { vantageNodeId } = options;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`benchmark ${vantageNodeId}`}, 0))`;
  const busy = await tx.scheduleRun.count({
    where: { state: "running", schedule: { plan: { vantageNodeId } } },
  });
  if (busy > 0) return null;
  const [due] = await tx.$queryRaw<DueSlot[]>`
    SELECT r.schedule_id, r.planned_at, p.id AS plan_id
      FROM schedule_run r JOIN benchmark_plan p ON p.schedule_id = r.schedule_id
     WHERE r.state = 'queued' AND coalesce(r.start_after, r.planned_at) <= ${now}
       AND p.vantage_node_id IS NOT DISTINCT FROM ${vantageNodeId}::uuid
     ORDER BY coalesce(r.start_after, r.planned_at), r.schedule_id LIMIT 1 FOR UPDATE OF r SKIP LOCKED`;
  if (due === undefined) return null;
  const name = { scheduleId: due.schedule_id, plannedAt: due.planned_at };
  const plan = await findPlan(tx, due.plan_id);
  return begin(tx, { name, plan, now, options });
}

interface Beginning {
  name: SlotName;
  plan: StoredPlan;
  now: Date;
  options: ClaimOptions;
}

async function begin(
  tx: Transaction,
  { name, plan, now, options }: Beginning,
): Promise<ClaimedSlot | "skipped one"> {
  const left = await endpointsLeft(tx, plan, name.plannedAt);
  const reason =
    (await whyVantageIsUnusable(tx, plan.vantageNodeId)) ?? (await whyOverBudget(tx, plan, now, left));
  if (reason !== null) {
    await tx.scheduleRun.update({
      where: { scheduleId_plannedAt: name },
      data: { state: "skipped", outcome: `Skipped: ${reason}`, finishedAt: now },
    });
    return "skipped one";
  }
  const { claimant, leaseMs: ownLeaseMs = leaseMs, random } = options;
  const { attempts: attempt } = await tx.scheduleRun.update({
    where: { scheduleId_plannedAt: name },
    data: {
      state: "running",
      attempts: { increment: 1 },
      startedAt: now,
      outcome: null,
      claimedBy: claimant,
      leaseUntil: new Date(now.getTime() + ownLeaseMs),
    },
  });
  const runs = await createRuns(tx, {
    plan,
    name,
    attempt,
    now,
    endpointIds: shuffled(left, random),
  });
  return {
    ...name,
    planId: plan.id,
    planName: plan.name,
    attempt,
    claimant,
    leaseMs: ownLeaseMs,
    method: methodOf(plan),
    runs,
  };
}

/** Those that an earlier attempt has not measured yet. */
async function endpointsLeft(tx: Transaction, plan: StoredPlan, slotAt: Date): Promise<string[]> {
  const measured = await tx.benchmarkRun.findMany({
    where: { planId: plan.id, slotAt, state: { in: ["succeeded", "failed"] } },
    select: { endpointId: true },
  });
  const done = new Set(measured.map(({ endpointId }) => endpointId));
  return plan.endpoints.map(({ endpointId }) => endpointId).filter((id) => !done.has(id));
}

async function createRuns(
  tx: Transaction,
  {
    plan,
    name,
    attempt,
    now,
    endpointIds,
  }: { plan: StoredPlan; name: SlotName; attempt: number; now: Date; endpointIds: readonly string[] },
): Promise<StoredRun[]> {
  const endpoints = await tx.endpoint.findMany({
    where: { id: { in: [...endpointIds] } },
    select: { id: true, name: true, label: true },
  });
  return tx.benchmarkRun.createManyAndReturn({
    data: endpointIds.flatMap((endpointId, position) => {
      const endpoint = endpoints.find(({ id }) => id === endpointId);
      if (endpoint === undefined) return [];
      return {
        id: newId(),
        planId: plan.id,
        planName: plan.name,
        endpointId,
        endpointName: endpoint.name,
        vantageNodeId: plan.vantageNodeId,
        vantageName: plan.vantageNode?.name ?? workerVantageName,
        method: plan.method ?? {},
        slotAt: name.plannedAt,
        attempt,
        state: "queued",
        position,
        label: endpoint.label,
        createdAt: now,
      };
    }),
  });
}
