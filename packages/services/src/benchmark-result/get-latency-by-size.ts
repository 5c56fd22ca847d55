import type {
  BenchmarkEndpointRef,
  BenchmarkLatencyBySize,
  benchmarkLatencyBySizeInput,
} from "@stashlight/contracts/benchmark/result";
import { benchmarkGroupColumns } from "@stashlight/db/columns/benchmark";
import { median, medianInterval } from "@stashlight/stats";
import type { z } from "zod";
import { requireRole, type Verb } from "../context.ts";
import { findPlanOfResults } from "./find.ts";

interface Row {
  id: string;
  name: string;
  label: BenchmarkEndpointRef["label"];
  operation: string;
  size_bytes: string;
  connection_count: number;
  medians: string;
}

const query = `
  SELECT run.endpoint_id AS id, max(run.endpoint_name) AS name, max(run.label) AS label, g.operation, g.size_bytes,
         g.connection_count, string_agg(g.median_ms::text, ',' ORDER BY g.slot_at) AS medians
    FROM benchmark_group g JOIN benchmark_run run ON run.id = g.run_id
   WHERE g.plan_id = $1 AND g.slot_at >= $2 AND g.slot_at < $3 AND run.state = 'succeeded'
     AND run.endpoint_id IS NOT NULL AND g.median_ms IS NOT NULL AND g.size_bytes > 0
   GROUP BY run.endpoint_id, g.operation, g.size_bytes, g.connection_count
   ORDER BY name, g.operation, g.connection_count, g.size_bytes`;

/** How latency grows with size: the median of the runs' medians, with its interval by order statistics. */
export async function getLatencyBySize({
  ctx,
  input,
}: Verb<z.output<typeof benchmarkLatencyBySizeInput>>): Promise<BenchmarkLatencyBySize[]> {
  requireRole(ctx, "viewer");
  await findPlanOfResults(ctx.platform.db, input.planId);
  const period = [new Date(input.fromMs), new Date(input.toMs)];
  const { rows } = await ctx.platform.metrics.query<Row>(query, [input.planId, ...period]);
  const byEndpoint = Map.groupBy(rows, ({ id }) => id);
  return [...byEndpoint].map(([id, ofEndpoint]) => ({
    endpoint: { id, name: ofEndpoint[0]?.name ?? id, label: ofEndpoint[0]?.label ?? "measured" },
    points: ofEndpoint.map(toPoint),
  }));
}

function toPoint(row: Row): BenchmarkLatencyBySize["points"][number] {
  const medians = row.medians.split(",").map(Number);
  const interval = medianInterval(medians);
  return {
    operation: benchmarkGroupColumns.operation.read(row.operation, `of endpoint ${row.id}`),
    sizeBytes: Number(row.size_bytes),
    connectionCount: row.connection_count,
    runCount: medians.length,
    medianMs: { value: median(medians), low: interval?.low ?? null, high: interval?.high ?? null },
  };
}
