import { firstMomentUs, type UploadTraceData } from "@stashlight/contracts/upload";
import { countRefused, insertTraces, type MetricClient } from "@stashlight/db/metrics";
import { asUnavailable } from "../database-unavailable.ts";
import { refusalOfTime } from "../metrics/ingest/accept-batches.ts";

/** Placeholder for a metric's name in counts of traces that were left out. */
export const TRACE_METRIC = "upload_trace";

export interface AcceptTracesOptions {
  readonly client: MetricClient;
  /** Id of the node's row. */
  readonly nodeId: string;
  readonly traces: readonly UploadTraceData[];
  readonly nowMs: number;
}

/** Stores a node's traces, each once even if it arrives again; those outside the retained time are only counted. */
export async function acceptTraces({ client, nodeId, traces, nowMs }: AcceptTracesOptions): Promise<void> {
  const refusalReason = ({ startedAtMs }: UploadTraceData) => refusalOfTime(startedAtMs, nowMs);
  const refused = traces.flatMap((trace) => {
    const reason = refusalReason(trace);
    return reason === null ? [] : [{ nodeId, metric: TRACE_METRIC, reason, count: 1 }];
  });
  try {
    await insertTraces(
      client,
      traces
        .filter((trace) => refusalReason(trace) === null)
        .map((trace) => ({
          nodeId,
          startedAtMs: trace.startedAtMs,
          uploadId: trace.uploadId,
          path: trace.path,
          result: trace.result,
          sizeBytes: trace.sizeBytes,
          totalSeconds: (trace.totalUs - firstMomentUs(trace)) / 1e6,
          payload: JSON.stringify(trace),
        })),
    );
    await countRefused(client, refused, nowMs);
  } catch (error) {
    throw asUnavailable(error);
  }
}
