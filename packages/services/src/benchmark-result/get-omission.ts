import type {
  BenchmarkEndpointRef,
  BenchmarkOmissionView,
  BenchmarkSubject,
} from "@stashlight/contracts/benchmark";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import type { StartedOperations } from "@stashlight/stats";
import { unpackSamples } from "../benchmark/pack.ts";
import { requireRole, type Verb } from "../context.ts";
import type { WithCalculator } from "./calculator.ts";
import { placeOfEndpoint } from "./endpoint-place.ts";
import { findPlanOfResults } from "./results-plan.ts";

const runCountMax = 50;
/** Limits an endpoint's samples to a second of unpacking; the oldest runs are left out first. */
const sampleCountMax = 50_000;

interface Row {
  id: string;
  name: string;
  label: BenchmarkEndpointRef["label"];
  place: number | null;
  packed: Buffer;
}

/** Reads the samples of each endpoint's newest runs, including runs with failed requests: stalls matter most here. */
const query = `
  SELECT newest.endpoint_id AS id, newest.endpoint_name AS name, newest.label,
         ${placeOfEndpoint("newest.endpoint_id")} AS place, s.packed
    FROM (SELECT run.endpoint_id, run.endpoint_name, run.label, g.run_id, g.slot_at,
                 row_number() OVER (PARTITION BY run.endpoint_id ORDER BY g.slot_at DESC) AS place,
                 sum(g.n) OVER (PARTITION BY run.endpoint_id ORDER BY g.slot_at DESC) AS sample_count
            FROM benchmark_group g JOIN benchmark_run run ON run.id = g.run_id
           WHERE g.plan_id = $1 AND g.operation = $2 AND g.size_bytes = $3 AND g.connection_count = $4
             AND g.slot_at >= $5 AND g.slot_at < $6 AND run.state = 'succeeded' AND run.endpoint_id IS NOT NULL) newest
    JOIN benchmark_group_samples s ON s.run_id = newest.run_id AND s.operation = $2 AND s.size_bytes = $3
         AND s.connection_count = $4
   WHERE newest.place = 1 OR (newest.place <= ${runCountMax} AND newest.sample_count <= ${sampleCountMax})
   ORDER BY newest.endpoint_name, newest.endpoint_id, newest.slot_at DESC`;

/**
 * Corrects for coordinated omission. A client that waits for each answer sends fewer requests while a server stalls, so
 * its percentiles are too good. This adds the percentiles of a client that kept sending at the pace of the run. At a
 * constant rate no correction is needed, because latency counts from when operations were due.
 */
export async function getBenchmarkOmission({
  ctx,
  input,
}: Verb<BenchmarkSubject, WithCalculator>): Promise<BenchmarkOmissionView[]> {
  requireRole(ctx, "viewer");
  const plan = await findPlanOfResults(ctx.platform.db, input.planId);
  const { mode, timeoutMs } = plan.method.parameters;
  if (mode === "constant-rate") return [];
  const { planId, operation, sizeBytes, connectionCount, fromMs, toMs } = input;
  const { rows } = await ctx.platform.metrics.query<Row>(query, [
    planId,
    operation,
    sizeBytes,
    connectionCount,
    new Date(fromMs),
    new Date(toMs),
  ]);
  if (rows.length === 0) return [];
  const endpoints = [...Map.groupBy(rows, ({ id }) => id).values()];
  const failureMs = typeof timeoutMs === "number" ? timeoutMs : 0;
  const { figures } = await ctx.platform.calculator.compute<"omission">({
    kind: "omission",
    series: endpoints.map((runs) =>
      runs.map(({ packed }) => listOperations(unpackSamples(packed), failureMs)),
    ),
  });
  return endpoints.flatMap((runs, i) => {
    const [first] = runs;
    const found = figures[i];
    if (first === undefined || found === undefined) return [];
    const { id, name, label, place } = first;
    return [{ ...found, endpoint: { id, name, label, place }, runCount: runs.length, rows: [...found.rows] }];
  });
}

/** Counts a failure as at least the timeout, because the client has no answer before it stops retrying. */
function listOperations(samples: readonly BenchmarkSample[], failureMs: number): StartedOperations {
  return {
    startedAt: Float64Array.from(
      samples,
      ({ startedAtMs, wireMs, perceivedMs }) => startedAtMs - (perceivedMs - wireMs),
    ),
    latencies: Float64Array.from(samples, ({ perceivedMs }) => perceivedMs),
    values: Float64Array.from(samples, ({ wireMs, outcome }) =>
      outcome === "ok" ? wireMs : Math.max(wireMs, failureMs),
    ),
    connections: Float64Array.from(samples, ({ connection = 0 }) => connection),
  };
}
