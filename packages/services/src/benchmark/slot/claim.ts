/**
 * Life cycle of a slot. The process that runs a slot claims it with a lease and renews the lease; a process that is
 * gone renews nothing, so its slot is found (interrupt.ts). A vantage point runs one slot at a time.
 *
 *     queued -- claimed --> running -- all endpoints measured --> succeeded or failed
 *       |  ^                   |-- cancelled by a person -------> failed
 *       |  '---- run-late -----+-- the process stopped or lost -> interrupted runs; failed without run-late
 *       '-- over budget or limit, no space, vantage not usable, cancelled -> skipped
 */

import type { BenchmarkMethodChoice } from "@stashlight/contracts/benchmark";
import { benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import { shuffled } from "@stashlight/stats";
import { newId } from "../../ids.ts";
import { isAnyDue, leaseMoment, lockDue, takeLease } from "../../lease/lease.ts";
import type { BaseWithMerger } from "../../metrics/query/merger.ts";
import { present } from "../../present.ts";
import { type Statements, toStatements, transact } from "../../statements.ts";
import { whyOverBudget } from "../budget.ts";
import { planMethod, workerVantageName } from "../stored-plan.ts";
import { whyVantageIsUnusable } from "../vantage.ts";
import { whyVaultHasNoRoom } from "../vault-space.ts";
import { leasedSlots, type SlotName, slotDueAt, slotKey, slotName } from "./leased.ts";
import { finishSlot, noteSlotBeginning } from "./slot-row.ts";

export const leaseMs = 30_000;

export interface ClaimedRun {
  id: string;
  endpointId: string | null;
  endpointName: string;
}

export interface ClaimedSlot extends SlotName {
  planId: string;
  planName: string;
  attempt: number;
  claimant: string;
  leaseMs: number;
  method: BenchmarkMethodChoice;
  /** In order of creation. */
  runs: ClaimedRun[];
}

export interface ClaimOptions {
  /** Null for the worker beside the console. */
  vantageNodeId: string | null;
  /** Unique among claimants. */
  claimant: string;
  /** Silence after which the claimant is considered lost. */
  leaseMs?: number;
  random: () => number;
}

/** Claims the next due slot of a vantage point; returns null if none is due, or one is running there. */
export async function claimSlot(
  platform: BaseWithMerger,
  options: ClaimOptions,
): Promise<ClaimedSlot | null> {
  // Nearly always no slot is due, which one statement without a lock finds out.
  const due = slotDueAt(options.vantageNodeId, platform.now());
  if (!(await isAnyDue(toStatements(platform.metrics), leasedSlots, due, leaseMoment(platform)))) return null;
  for (;;) {
    const turn = await transact(platform.metrics, (tx) => takeTurn(tx, platform, options));
    if (turn !== "skipped one") return turn;
  }
}

async function takeTurn(
  tx: Statements,
  platform: BaseWithMerger,
  options: ClaimOptions,
): Promise<ClaimedSlot | null | "skipped one"> {
  const { vantageNodeId } = options;
  const now = platform.now();
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`benchmark ${vantageNodeId}`]);
  const busy = await tx.query(
    `SELECT r.schedule_id FROM schedule_run AS r JOIN benchmark_plan AS p ON p.schedule_id = r.schedule_id
      WHERE r.state = 'running' AND p.vantage_node_id IS NOT DISTINCT FROM $1::uuid LIMIT 1`,
    [vantageNodeId],
  );
  if (busy.length > 0) return null;
  const due = slotDueAt(vantageNodeId, now);
  const [key] = await lockDue(tx, leasedSlots, due, leaseMoment(platform));
  if (key === undefined) return null;
  const name = slotName(key);
  return begin(tx, { platform, name, plan: await planOfSlot(tx, name), now, options });
}

interface PlanOfSlot {
  id: string;
  name: string;
  builtInKey: string | null;
  method: unknown;
  vantageNodeId: string | null;
  vantageName: string | null;
  budgetPerMonth: number | null;
  costPerSlotMax: number | null;
  writtenBytesPerMonth: number | null;
}

async function planOfSlot(tx: Statements, { scheduleId }: SlotName): Promise<PlanOfSlot> {
  const [plan] = await tx.query<PlanOfSlot>(
    `SELECT p.id, p.name, p.built_in_key AS "builtInKey", p.method, p.vantage_node_id AS "vantageNodeId",
            n.name AS "vantageName", p.budget_per_month AS "budgetPerMonth",
            p.cost_per_slot_max AS "costPerSlotMax", p.written_bytes_per_month AS "writtenBytesPerMonth"
       FROM benchmark_plan AS p LEFT JOIN node AS n ON n.id = p.vantage_node_id WHERE p.schedule_id = $1`,
    [scheduleId],
  );
  return present(plan);
}

interface Beginning {
  platform: BaseWithMerger;
  name: SlotName;
  plan: PlanOfSlot;
  now: Date;
  options: ClaimOptions;
}

async function begin(
  tx: Statements,
  { platform, name, plan, now, options }: Beginning,
): Promise<ClaimedSlot | "skipped one"> {
  const left = await endpointsLeft(tx, plan.id, name.plannedAt);
  const reason =
    (await whyVantageIsUnusable(tx, plan.vantageNodeId)) ??
    (await whyVaultHasNoRoom(platform, plan)) ??
    (await whyOverBudget(tx, plan, now, { plannedAt: name.plannedAt, endpointIds: left }));
  if (reason !== null) {
    await finishSlot(tx, name, { state: "skipped", outcome: `Skipped: ${reason}` }, now);
    return "skipped one";
  }
  const { claimant, leaseMs: ownLeaseMs = leaseMs, random } = options;
  const attempt = await takeLease(
    tx,
    leasedSlots,
    slotKey(name),
    { claimant, leaseMs: ownLeaseMs },
    leaseMoment(platform),
  );
  await noteSlotBeginning(tx, name, now);
  const endpointIds = await orderEndpoints(tx, { planId: plan.id, plannedAt: name.plannedAt, left, random });
  const runs = await createRuns(tx, { plan, name, attempt, now, endpointIds });
  return {
    ...name,
    planId: plan.id,
    planName: plan.name,
    attempt,
    claimant,
    leaseMs: ownLeaseMs,
    method: planMethod(plan),
    runs,
  };
}

/** Finds the endpoints that earlier attempts have not measured yet. */
async function endpointsLeft(tx: Statements, planId: string, slotAt: Date): Promise<string[]> {
  const left = await tx.query<{ id: string }>(
    `SELECT e.endpoint_id AS id FROM benchmark_plan_endpoint AS e
      WHERE e.plan_id = $1::uuid AND NOT EXISTS (
        SELECT FROM benchmark_run AS r
         WHERE r.plan_id = e.plan_id AND r.endpoint_id = e.endpoint_id AND r.slot_at = $2::timestamptz
           AND r.state IN ('succeeded', 'failed'))
      ORDER BY e.position`,
    [planId, slotAt],
  );
  return left.map(({ id }) => id);
}

interface Ordering {
  planId: string;
  plannedAt: Date;
  left: readonly string[];
  random: () => number;
}

/**
 * Draws an order for every other slot and reverses it for the slot after, so that two slots together favour no endpoint
 * by its position. An effect of the order then cancels out, and is not mistaken for a difference.
 */
async function orderEndpoints(
  tx: Statements,
  { planId, plannedAt, left, random }: Ordering,
): Promise<readonly string[]> {
  const [before] = await tx.query<{ endpointIds: string[]; slotCount: number }>(
    `SELECT array_agg(endpoint_id::text ORDER BY position) AS "endpointIds", (count(*) OVER ())::int AS "slotCount"
       FROM benchmark_run WHERE plan_id = $1::uuid AND slot_at < $2::timestamptz AND attempt = 1
      GROUP BY slot_at ORDER BY slot_at DESC LIMIT 1`,
    [planId, plannedAt],
  );
  if (before === undefined || before.slotCount % 2 === 0) return shuffled(left, random);
  const turned = before.endpointIds.toReversed().filter((id) => left.includes(id));
  return turned.length === left.length ? turned : shuffled(left, random);
}

interface NewRuns {
  plan: PlanOfSlot;
  name: SlotName;
  attempt: number;
  now: Date;
  /** In the order in which they will be measured. */
  endpointIds: readonly string[];
}

const createRunsSql = `
  INSERT INTO benchmark_run (id, plan_id, plan_name, endpoint_id, endpoint_name, vantage_node_id, vantage_name, method,
                             slot_at, attempt, state, position, label, created_at)
  SELECT made.id, $3::uuid, $4::text, e.id, e.name, $5::uuid, $6::text, $7::jsonb,
         $8::timestamptz, $9::integer, 'queued', made.place - 1, e.label, $10::timestamptz
    FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS made (id, endpoint_id, place)
    JOIN endpoint AS e ON e.id = made.endpoint_id
  RETURNING id, endpoint_id AS "endpointId", endpoint_name AS "endpointName", position`;

async function createRuns(
  tx: Statements,
  { plan, name, attempt, now, endpointIds }: NewRuns,
): Promise<ClaimedRun[]> {
  const created = await tx.query<ClaimedRun & { position: number }>(createRunsSql, [
    endpointIds.map(() => newId()),
    endpointIds,
    plan.id,
    plan.name,
    plan.vantageNodeId,
    plan.vantageName ?? workerVantageName,
    JSON.stringify(benchmarkRunColumns.method.write(planMethod(plan))),
    name.plannedAt,
    attempt,
    now,
  ]);
  return created
    .sort((a, b) => a.position - b.position)
    .map(({ id, endpointId, endpointName }) => ({ id, endpointId, endpointName }));
}
