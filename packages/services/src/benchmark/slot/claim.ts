/**
 * A slot is claimed by whoever runs it, with a lease that it renews; a process that is gone renews nothing, so its slot
 * is found (interrupt.ts). A vantage point runs one slot at a time.
 *
 *     queued -- claimed --> running -- all endpoints measured --> succeeded or failed
 *       |  ^                   |-- cancelled by a person -------> failed
 *       |  '---- run-late -----+-- the process stopped or lost -> interrupted runs; failed without run-late
 *       '-- over budget, no room, vantage not usable, cancelled -> skipped
 */

import type { BenchmarkMethodChoice } from "@stashlight/contracts/benchmark/plan";
import type { Transaction } from "@stashlight/db";
import { benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import { shuffled } from "@stashlight/stats";
import { newId } from "../../ids.ts";
import { leaseMoment, lockDue, takeLease } from "../../lease/lease.ts";
import { leasesIn } from "../../lease/orm.ts";
import type { WithMerger } from "../../metrics/query/merger.ts";
import { whyOverBudget } from "../budget.ts";
import { findPlan, methodOfPlan, type StoredPlan, workerVantageName } from "../find.ts";
import { whyVaultHasNoRoom } from "../room.ts";
import type { StoredRun } from "../rows.ts";
import { whyVantageIsUnusable } from "../vantage.ts";
import { leasedSlots, type SlotName, slotDueAt, slotKey, slotName } from "./leased.ts";

export const leaseMs = 30_000;

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

/** The next slot that is due at a vantage point; null when there is none, or one is running there. */
export async function claimSlot(platform: WithMerger, options: ClaimOptions): Promise<ClaimedSlot | null> {
  for (;;) {
    const turn = await platform.db.$transaction((tx) => takeTurn(tx, platform, options));
    if (turn !== "skipped one") return turn;
  }
}

async function takeTurn(
  tx: Transaction,
  platform: WithMerger,
  options: ClaimOptions,
): Promise<ClaimedSlot | null | "skipped one"> {
  const { vantageNodeId } = options;
  const now = platform.now();
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`benchmark ${vantageNodeId}`}, 0))`;
  const busy = await tx.scheduleRun.count({
    where: { state: "running", schedule: { plan: { vantageNodeId } } },
  });
  if (busy > 0) return null;
  const due = slotDueAt(vantageNodeId, now);
  const [key] = await lockDue(leasesIn(tx), leasedSlots, due, leaseMoment(platform));
  if (key === undefined) return null;
  const name = slotName(key);
  const { id } = await tx.benchmarkPlan.findUniqueOrThrow({
    where: { scheduleId: name.scheduleId },
    select: { id: true },
  });
  return begin(tx, { platform, name, plan: await findPlan(tx, id), now, options });
}

interface Beginning {
  platform: WithMerger;
  name: SlotName;
  plan: StoredPlan;
  now: Date;
  options: ClaimOptions;
}

async function begin(
  tx: Transaction,
  { platform, name, plan, now, options }: Beginning,
): Promise<ClaimedSlot | "skipped one"> {
  const left = await endpointsLeft(tx, plan, name.plannedAt);
  const reason =
    (await whyVantageIsUnusable(tx, plan.vantageNodeId)) ??
    (await whyVaultHasNoRoom(platform, plan)) ??
    (await whyOverBudget(tx, plan, now, left));
  if (reason !== null) {
    await tx.scheduleRun.update({
      where: { scheduleId_plannedAt: name },
      data: { state: "skipped", outcome: `Skipped: ${reason}`, finishedAt: now },
    });
    return "skipped one";
  }
  const { claimant, leaseMs: ownLeaseMs = leaseMs, random } = options;
  const attempt = await takeLease(
    leasesIn(tx),
    leasedSlots,
    slotKey(name),
    { claimant, leaseMs: ownLeaseMs },
    leaseMoment(platform),
  );
  await tx.scheduleRun.update({
    where: { scheduleId_plannedAt: name },
    data: { startedAt: now, outcome: null },
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
    method: methodOfPlan(plan),
    runs,
  };
}

/** Finds the endpoints that an earlier attempt has not measured yet. */
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
        method: benchmarkRunColumns.method.write(methodOfPlan(plan)),
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
