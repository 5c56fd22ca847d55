import type { BenchmarkSubjectChoice } from "@stashlight/contracts/benchmark";
import { benchmarkOperations } from "@stashlight/contracts/sample";
import { benchmarkGroupColumns } from "@stashlight/db/columns/benchmark";
import { requireRole, type Verb } from "../context.ts";
import { findPlanOfResults } from "./results-plan.ts";

interface Row {
  operation: string;
  size_bytes: string;
  connection_count: number;
  run_count: string;
  first_at: Date;
  last_at: Date;
  last_run_at: Date | null;
}

/** Uploads come first, as in all lists. */
const order = benchmarkOperations.filter((operation) => operation !== "TCP_CONNECT");

/** Lists the operations and sizes for which a plan has figures: the choices on its result pages. */
export async function listBenchmarkSubjects({
  ctx,
  input,
}: Verb<{ planId: string }>): Promise<BenchmarkSubjectChoice[]> {
  requireRole(ctx, "viewer");
  await findPlanOfResults(ctx.platform.db, input.planId);
  const { rows } = await ctx.platform.metrics.query<Row>(
    `SELECT subject.*, (SELECT max(coalesce(finished_at, started_at)) FROM benchmark_run
                         WHERE plan_id = $1 AND slot_at = subject.last_at AND state = 'succeeded') AS last_run_at
       FROM (SELECT operation, size_bytes, connection_count, count(*) AS run_count, min(slot_at) AS first_at,
                    max(slot_at) AS last_at
               FROM benchmark_group WHERE plan_id = $1
              GROUP BY operation, size_bytes, connection_count) AS subject
      ORDER BY coalesce(array_position($2::text[], operation), 1000), size_bytes, connection_count`,
    [input.planId, order],
  );
  return rows.map((row) => ({
    operation: benchmarkGroupColumns.operation.read(row.operation, input.planId),
    sizeBytes: Number(row.size_bytes),
    connectionCount: row.connection_count,
    runCount: Number(row.run_count),
    firstAt: row.first_at,
    lastAt: row.last_at,
    lastRunAt: row.last_run_at ?? row.last_at,
  }));
}
