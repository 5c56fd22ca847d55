import { deleteTracesBefore, ensurePartitions, keepPartitions, RETENTION_MS } from "@stashlight/db/metrics";
import type { Platform } from "../platform.ts";

/** After days without a worker there may be no partition for what agents send; this makes it. */
export async function prepareMetricStore({ metrics, now }: Platform): Promise<void> {
  await ensurePartitions(metrics, now());
}

/** Makes the metric store's partitions of the days ahead and takes away what is past its retention. */
export async function runMetricKeeper({ metrics, now }: Platform): Promise<string> {
  const kept = await keepPartitions(metrics, now());
  if (kept === null) return "Another worker is keeping the metric store.";
  const { rowCount } = await metrics.query("DELETE FROM metric.gap WHERE end_ts < $1", [
    new Date(now().getTime() - RETENTION_MS["1h"]),
  ]);
  const traceCount = await deleteTracesBefore(metrics, new Date(now().getTime() - RETENTION_MS.raw));
  return `Made ${kept.madeCount} partitions, dropped ${kept.droppedNames.length}, forgot ${rowCount ?? 0} gaps and ${traceCount} traces.`;
}
