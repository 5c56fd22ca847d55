import type {
  BenchmarkEndpointRef,
  BenchmarkOmissionView,
  BenchmarkSubject,
} from "@stashlight/contracts/benchmark/result";
import { requireRole, type Verb } from "../context.ts";
import type { WithCalculator } from "./calculator.ts";
import { placeOfEndpoint } from "./endpoint-place.ts";
import { findPlanOfResults } from "./find.ts";

const runCountMax = 50;

interface Row {
  id: string;
  name: string;
  label: BenchmarkEndpointRef["label"];
  place: number | null;
  run_count: string;
  latency_ms: string;
}

/** The samples that succeeded of each endpoint's newest runs, as text: an array of thousands is slow to parse. */
const query = `
  SELECT newest.endpoint_id AS id, max(newest.endpoint_name) AS name, max(newest.label) AS label,
         ${placeOfEndpoint("newest.endpoint_id")} AS place, count(*) AS run_count,
         string_agg(array_to_string(s.latency_ms, ','), ',' ORDER BY newest.slot_at) AS latency_ms
    FROM (SELECT run.endpoint_id, run.endpoint_name, run.label, g.run_id, g.slot_at,
                 row_number() OVER (PARTITION BY run.endpoint_id ORDER BY g.slot_at DESC) AS place
            FROM benchmark_group g JOIN benchmark_run run ON run.id = g.run_id
           WHERE g.plan_id = $1 AND g.operation = $2 AND g.size_bytes = $3 AND g.connection_count = $4
             AND g.slot_at >= $5 AND g.slot_at < $6 AND run.state = 'succeeded' AND run.endpoint_id IS NOT NULL
             AND g.failure_count = 0) newest
    JOIN benchmark_group_samples s ON s.run_id = newest.run_id AND s.operation = $2 AND s.size_bytes = $3
         AND s.connection_count = $4
   WHERE newest.place <= ${runCountMax}
   GROUP BY newest.endpoint_id ORDER BY name`;

/**
 * A client that waits for each answer asks less while a server stalls, so its percentiles are too good. Beside them stand
 * those of a client that had gone on asking. Of each endpoint's newest 50 runs without a failure.
 */
export async function getBenchmarkOmission({
  ctx,
  input,
}: Verb<BenchmarkSubject, WithCalculator>): Promise<BenchmarkOmissionView[]> {
  requireRole(ctx, "viewer");
  const plan = await findPlanOfResults(ctx.platform.db, input.planId);
  const { planId, operation, sizeBytes, connectionCount, fromMs, toMs } = input;
  const { rows } = await ctx.platform.metrics.query<Row>(query, [
    planId,
    operation,
    sizeBytes,
    connectionCount,
    new Date(fromMs),
    new Date(toMs),
  ]);
  return rows.length === 0 ? [] : viewsOf(ctx.platform, rows, plan.method.parameters.pauseMs);
}

async function viewsOf(
  platform: WithCalculator,
  rows: readonly Row[],
  pauseMs: unknown,
): Promise<BenchmarkOmissionView[]> {
  const series = rows.map(({ latency_ms }) => Float64Array.from(latency_ms.split(","), Number));
  const { figures } = await platform.calculator.compute<"omission">({
    kind: "omission",
    series,
    pauseMs: typeof pauseMs === "number" ? pauseMs : 0,
  });
  return rows.map(({ id, name, label, place, run_count }, i) => {
    const { intervalMs = 0, correctedCount = 0, rows: percentiles = [] } = figures[i] ?? {};
    return {
      endpoint: { id, name, label, place },
      runCount: Number(run_count),
      sampleCount: series[i]?.length ?? 0,
      correctedCount,
      intervalMs,
      rows: [...percentiles],
    };
  });
}
