import {
  deleteTracesBefore,
  ensurePartitions,
  forgetUnused,
  inTransaction,
  maintainPartitions,
  RETENTION_MS,
} from "@stashlight/db/metrics";
import type { Core } from "../../core.ts";

/** Creates partitions for incoming data, which may be missing after days without a worker. */
export async function prepareMetricStore({ metrics, now }: Core): Promise<void> {
  await ensurePartitions(metrics, now());
}

/**
 * Creates the metric store's partitions for the days ahead, and removes everything past its retention, including unused
 * names.
 */
export async function applyMetricRetention({ metrics, now }: Core): Promise<string> {
  const kept = await maintainPartitions(metrics, now());
  if (kept === null) return "Another worker is applying the retention.";
  const { rowCount } = await metrics.query("DELETE FROM metric.gap WHERE end_ts < $1", [
    new Date(now().getTime() - RETENTION_MS["1h"]),
  ]);
  const traceCount = await deleteTracesBefore(metrics, new Date(now().getTime() - RETENTION_MS.raw));
  const { seriesCount, layoutCount } = await inTransaction(metrics, (connection) =>
    forgetUnused(connection, now()),
  );
  const forgotten = `${rowCount ?? 0} gaps, ${traceCount} traces, ${seriesCount} series and ${layoutCount} layouts`;
  const compressed = kept.compressedCount > 0 ? `compressed ${kept.compressedCount}, ` : "";
  return `Created ${kept.madeCount} partitions, dropped ${kept.droppedNames.length}, ${compressed}forgot ${forgotten}.`;
}
