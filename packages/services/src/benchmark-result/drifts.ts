/** Finds runs whose latency rose or fell while they measured, as they flagged for each load. */
import { type BenchmarkOperation, formatLoad, formatMeasured } from "@stashlight/contracts/sample";
import type { Core } from "../core.ts";

export interface Drift {
  readonly endpointId: string;
  readonly slotMs: number;
  /** Begins with the operation, size and connections concerned. */
  readonly sentence: string;
}

interface Row {
  id: string;
  slot_at: Date;
  sentence: string;
}

/** For a retried slot, the last successful attempt counts. */
const query = `
  WITH runs AS (
    SELECT DISTINCT ON (endpoint_id, slot_at) endpoint_id AS id, slot_at, report FROM benchmark_run
     WHERE plan_id = $1 AND slot_at >= $2 AND slot_at < $3 AND state = 'succeeded' AND endpoint_id IS NOT NULL
     ORDER BY endpoint_id, slot_at, attempt DESC
  )
  SELECT id, slot_at, flag ->> 'sentence' AS sentence
    FROM runs, jsonb_array_elements(coalesce(report -> 'flags', '[]')) AS flag WHERE flag ->> 'name' = 'drift'`;

export async function readDrifts(
  { metrics }: Pick<Core, "metrics">,
  { planId, fromMs, toMs }: { planId: string; fromMs: number; toMs: number },
): Promise<Drift[]> {
  const { rows } = await metrics.query<Row>(query, [planId, new Date(fromMs), new Date(toMs)]);
  return rows.map(({ id, slot_at, sentence }) => ({ endpointId: id, slotMs: slot_at.getTime(), sentence }));
}

interface Measured {
  readonly endpointId: string;
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly connectionCount: number;
}

export function withDrifts<Runs extends { readonly slotMs: Float64Array }>(
  runs: Runs,
  drifts: readonly Drift[],
  { endpointId, operation, sizeBytes, connectionCount }: Measured,
): Runs & { isDrifting: Float64Array } {
  const load = `${formatLoad(operation, sizeBytes, connectionCount)} became `;
  // Runs of earlier releases named no connections, so their flag covers every load of the operation and size.
  const unnamed = `${formatMeasured(operation, sizeBytes)} became `;
  const isAbout = (sentence: string): boolean => sentence.startsWith(load) || sentence.startsWith(unnamed);
  const slots = new Set(
    drifts
      .filter(({ endpointId: id, sentence }) => id === endpointId && isAbout(sentence))
      .map(({ slotMs }) => slotMs),
  );
  return { ...runs, isDrifting: runs.slotMs.map((slotMs) => (slots.has(slotMs) ? 1 : 0)) };
}
