/**
 * Reads stored figures of a plan's runs as columns, by endpoint. An archive of years has tens of thousands of runs, so
 * they are packed as rows of big-endian doubles, which need no parsing.
 */
import type { BenchmarkEndpointRef, BenchmarkSubject } from "@stashlight/contracts/benchmark";
import type { BenchmarkOperation } from "@stashlight/contracts/sample";
import { benchmarkGroupColumns } from "@stashlight/db/columns/benchmark";
import { hasEarlierLatency, isOfEarlierEdition } from "../benchmark/figures-edition.ts";
import type { Core } from "../core.ts";
import { present } from "../present.ts";
import { readDrifts, withDrifts } from "./drifts.ts";
import { placeOfEndpoint } from "./endpoint-place.ts";

/** One element per run, oldest first; NaN for a missing figure. */
export interface RunColumns {
  readonly slotMs: Float64Array;
  /** Start of the run, possibly long after its slot was due. */
  readonly startedMs: Float64Array;
  readonly n: Float64Array;
  readonly failureCount: Float64Array;
  readonly taggedCount: Float64Array;
  /** Share among all samples of the run, not only those of this operation and size. */
  readonly taggedShare: Float64Array;
  readonly meanMs: Float64Array;
  readonly sdMs: Float64Array;
  readonly medianMs: Float64Array;
  readonly medianLowMs: Float64Array;
  readonly medianHighMs: Float64Array;
  /** 1 if latency rose or fell during the run, else 0. */
  readonly isDrifting: Float64Array;
  /** 1 for a run that failed entirely; included only where success rates are compared. */
  readonly hasFailed: Float64Array;
}

export interface EndpointFigures {
  readonly endpoint: BenchmarkEndpointRef;
  readonly runs: RunColumns;
}

/** In the packed order, with the time to sort by first. */
const packedNames = [
  "slotMs",
  "startedMs",
  "n",
  "failureCount",
  "taggedCount",
  "taggedShare",
  "meanMs",
  "sdMs",
  "medianMs",
  "medianLowMs",
  "medianHighMs",
] as const satisfies (keyof RunColumns)[];
export const columnNames = [
  ...packedNames,
  "isDrifting",
  "hasFailed",
] as const satisfies (keyof RunColumns)[];

/**
 * Uses the last successful attempt of a slot, because unsuccessful runs have gaps of unknown kind. Leaves out runs
 * whose latencies are being recomputed after an upgrade, so that a comparison never mixes old and new rules, and
 * intervals by earlier rules.
 */
const query = `
  WITH tried AS MATERIALIZED (
    SELECT plan_id, slot_at, endpoint_id, max(attempt) AS attempt FROM benchmark_run
     WHERE plan_id = $1 AND slot_at >= $5 AND slot_at < $6 AND attempt > 1 AND state = 'succeeded'
     GROUP BY plan_id, slot_at, endpoint_id
  )
  SELECT run.endpoint_id AS id, max(run.endpoint_name) AS name, ${placeOfEndpoint("run.endpoint_id")} AS place, g.operation, g.size_bytes, g.connection_count,
         CASE WHEN bool_or(run.label <> 'measured') THEN max(run.label) FILTER (WHERE run.label <> 'measured')
              ELSE 'measured' END AS label,
         string_agg(float8send(extract(epoch FROM g.slot_at)::float8 * 1000)
           || float8send(extract(epoch FROM coalesce(run.started_at, g.slot_at))::float8 * 1000) || float8send(g.n)
           || float8send(g.failure_count) || float8send(g.tagged_count) || float8send(coalesce(run.tagged_share, 0))
           || float8send(coalesce(g.mean_ms, 'NaN')) || float8send(coalesce(g.sd_ms, 'NaN'))
           || float8send(coalesce(g.median_ms, 'NaN'))
           || float8send(CASE WHEN ${isOfEarlierEdition("g")} THEN 'NaN' ELSE coalesce(g.median_low_ms, 'NaN') END)
           || float8send(CASE WHEN ${isOfEarlierEdition("g")} THEN 'NaN' ELSE coalesce(g.median_high_ms, 'NaN') END),
           ''::bytea) AS packed
    FROM benchmark_group g JOIN benchmark_run run ON run.id = g.run_id
   WHERE g.plan_id = $1 AND ($2::text IS NULL OR g.operation = $2) AND ($3::int8 IS NULL OR g.size_bytes = $3)
     AND ($4::int4 IS NULL OR g.connection_count = $4)
     AND g.slot_at >= $5 AND g.slot_at < $6 AND run.state = 'succeeded' AND run.endpoint_id IS NOT NULL
     AND ($7::uuid[] IS NULL OR g.endpoint_id = ANY($7)) AND NOT ${hasEarlierLatency("g", "run")}
     AND NOT EXISTS (SELECT FROM tried WHERE tried.slot_at = run.slot_at
                        AND tried.endpoint_id = run.endpoint_id AND tried.attempt > run.attempt)
   GROUP BY run.endpoint_id, g.operation, g.size_bytes, g.connection_count ORDER BY name`;

interface Row {
  id: string;
  name: string;
  label: BenchmarkEndpointRef["label"];
  place: number | null;
  operation: string;
  size_bytes: string;
  connection_count: number;
  packed: Buffer;
}

/** Figures of one endpoint for one operation, size and number of connections. */
export interface SubjectFigures extends EndpointFigures {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly connectionCount: number;
}

/** Endpoints without a run in the period are left out. */
export async function readFigures(
  { metrics }: Pick<Core, "metrics">,
  subject: BenchmarkSubject,
  endpointIds: readonly string[] | null = null,
): Promise<EndpointFigures[]> {
  const { planId, operation, sizeBytes, connectionCount, fromMs, toMs } = subject;
  const { rows } = await metrics.query<Row>(query, [
    planId,
    operation,
    sizeBytes,
    connectionCount,
    new Date(fromMs),
    new Date(toMs),
    endpointIds,
  ]);
  const drifts = await readDrifts({ metrics }, subject);
  return rows.map(({ id, name, label, place, packed }) => ({
    endpoint: { id, name, label, place },
    runs: withDrifts(unpack(packed), drifts, { ...subject, endpointId: id }),
  }));
}

/** Returns every operation at every size of a plan. */
export async function readAllFigures(
  { metrics }: Pick<Core, "metrics">,
  { planId, fromMs, toMs }: Pick<BenchmarkSubject, "planId" | "fromMs" | "toMs">,
): Promise<SubjectFigures[]> {
  const values = [planId, null, null, null, new Date(fromMs), new Date(toMs), null];
  const { rows } = await metrics.query<Row>(query, values);
  const drifts = await readDrifts({ metrics }, { planId, fromMs, toMs });
  return rows.map(({ id, name, label, place, packed, ...subject }) => {
    const operation = benchmarkGroupColumns.operation.read(subject.operation, planId);
    const sizeBytes = Number(subject.size_bytes);
    return {
      endpoint: { id, name, label, place },
      operation,
      sizeBytes,
      connectionCount: subject.connection_count,
      runs: withDrifts(unpack(packed), drifts, {
        operation,
        sizeBytes,
        endpointId: id,
        connectionCount: subject.connection_count,
      }),
    };
  });
}

/** Sorts here, because sorting tens of thousands of wide rows would take a fifth of the query time in Postgres. */
function unpack(packed: Buffer): RunColumns {
  const width = packedNames.length;
  const count = packed.length / 8 / width;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const slotMs = new Float64Array(count);
  const order = new Uint32Array(count);
  for (let row = 0; row < count; row += 1) {
    slotMs[row] = view.getFloat64(row * width * 8);
    order[row] = row;
  }
  order.sort((a, b) => present(slotMs[a]) - present(slotMs[b]));
  const runs = emptyColumns(count);
  const columns = packedNames.map((name) => runs[name]);
  for (let run = 0; run < count; run += 1) {
    const row = present(order[run]) * width;
    for (let column = 0; column < width; column += 1) {
      present(columns[column])[run] = view.getFloat64((row + column) * 8);
    }
  }
  return runs;
}

export const emptyColumns = (count: number): RunColumns => ({
  slotMs: new Float64Array(count),
  startedMs: new Float64Array(count),
  n: new Float64Array(count),
  failureCount: new Float64Array(count),
  taggedCount: new Float64Array(count),
  taggedShare: new Float64Array(count),
  meanMs: new Float64Array(count),
  sdMs: new Float64Array(count),
  medianMs: new Float64Array(count),
  medianLowMs: new Float64Array(count),
  medianHighMs: new Float64Array(count),
  isDrifting: new Float64Array(count),
  hasFailed: new Float64Array(count),
});
