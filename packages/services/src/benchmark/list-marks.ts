import type { BenchmarkMark, listBenchmarkMarksInput } from "@stashlight/contracts/benchmark/plan";
import { localVaultName } from "@stashlight/contracts/vault";
import type { z } from "zod";
import { requireRole, type Verb } from "../context.ts";
import { statementsIn } from "../statements-in.ts";

/**
 * A slot that began more than a day after its planned time is not found. The bound is on the planned time, because
 * that is indexed, and a plan has slots of years.
 */
const marksSql = `
  SELECT p.id AS "planId", p.name AS "planName", s.planned_at AS "plannedAt", s.started_at AS "startedAt",
         s.finished_at AS "finishedAt", bool_or(e.built_in_key IS NOT NULL) AS "isLocal"
    FROM schedule_run AS s
    JOIN benchmark_plan AS p ON p.schedule_id = s.schedule_id
    JOIN benchmark_run AS r ON r.plan_id = p.id AND r.slot_at = s.planned_at AND r.state = 'succeeded'
    JOIN endpoint AS e ON e.id = r.endpoint_id AND e.kind = 'vault'
   WHERE s.state = 'succeeded' AND s.planned_at >= $1::timestamptz - interval '1 day'
     AND s.started_at < $2::timestamptz AND s.finished_at >= $1::timestamptz
   GROUP BY p.id, s.schedule_id, s.planned_at
   ORDER BY s.started_at DESC, p.id LIMIT $3::integer`;

/** Slots of a time range that loaded a vault and succeeded, newest first: they may explain the vault's figures. */
export async function listBenchmarkMarks({
  ctx,
  input,
}: Verb<z.output<typeof listBenchmarkMarksInput>>): Promise<BenchmarkMark[]> {
  requireRole(ctx, "viewer");
  const { fromMs, toMs, pageSize } = input;
  const rows = await statementsIn(ctx.platform.db).query<
    Omit<BenchmarkMark, "vaults"> & { isLocal: boolean }
  >(marksSql, [new Date(fromMs), new Date(toMs), pageSize]);
  return rows.map(({ isLocal, ...slot }) => ({ ...slot, vaults: isLocal ? [localVaultName] : [] }));
}
