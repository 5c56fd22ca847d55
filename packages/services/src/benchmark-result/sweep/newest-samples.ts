import type { Core } from "../../core.ts";

interface Row {
  id: string;
  operation: string;
  size_bytes: string;
  connection_count: number;
  wire_ms: number[];
  failed_at: number[];
}

export interface SlotSamples {
  readonly endpointId: string;
  readonly operation: string;
  readonly sizeBytes: number;
  readonly connectionCount: number;
  /** Durations in milliseconds; of an operation that failed `Infinity`. */
  readonly durationsMs: Float64Array;
}

/** More samples than these tell no more of one slot, and a rank test would take seconds. */
const SAMPLES_MAX = 2000;

/** The samples of every run of one slot; of a slot that was tried again those of the last try that succeeded. */
export async function readSlotSamples(
  { metrics }: Pick<Core, "metrics">,
  planId: string,
  slotMs: number,
): Promise<SlotSamples[]> {
  const { rows } = await metrics.query<Row>(
    `WITH newest AS (
       SELECT DISTINCT ON (endpoint_id) id, endpoint_id FROM benchmark_run
        WHERE plan_id = $1 AND slot_at = $2 AND state = 'succeeded' AND endpoint_id IS NOT NULL
        ORDER BY endpoint_id, attempt DESC)
     SELECT newest.endpoint_id AS id, s.operation, s.size_bytes, s.connection_count, s.wire_ms[:${SAMPLES_MAX}] AS wire_ms,
            s.failed_at
       FROM newest JOIN benchmark_group_samples s ON s.run_id = newest.id
      WHERE s.operation <> 'TCP_CONNECT'`,
    [planId, new Date(slotMs)],
  );
  return rows.map(({ id, operation, size_bytes, connection_count, wire_ms, failed_at }) => {
    const durationsMs = Float64Array.from(wire_ms);
    for (const place of failed_at) if (place < durationsMs.length) durationsMs[place] = Infinity;
    return {
      endpointId: id,
      operation,
      sizeBytes: Number(size_bytes),
      connectionCount: connection_count,
      durationsMs,
    };
  });
}
