import { StashlightError } from "@stashlight/contracts/errors";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { FsyncReport } from "@stashlight/contracts/probe";
import { fsyncProbeColumns } from "@stashlight/db/columns/fsync-probe";
import type { Base } from "../base.ts";

/**
 * Records a probe's report, which may arrive twice. Refuses a report on an expired request, or on one held by another
 * probe, as a conflict.
 */
export async function recordFsyncReport(
  { metrics, now }: Base,
  { nodeId }: AuthenticatedNode,
  { probeId, result, sentence }: FsyncReport,
): Promise<void> {
  const written = result === null ? null : JSON.stringify(fsyncProbeColumns.result.write(result));
  const state = result === null ? "failed" : "succeeded";
  const reason = result === null ? (sentence ?? "The probe gave no reason.") : null;
  const { rowCount } = await metrics.query(
    `UPDATE fsync_probe SET state = $3::text, result = $4::jsonb, sentence = $5::text, ended_at = $6::timestamptz
      WHERE id = $1::uuid AND probe_node_id = $2::uuid AND state = 'running'`,
    [probeId, nodeId, state, written, reason, now()],
  );
  if (rowCount === 1) return;
  const { rows: recorded } = await metrics.query(
    "SELECT id FROM fsync_probe WHERE id = $1::uuid AND probe_node_id = $2::uuid AND state = $3::text",
    [probeId, nodeId, state],
  );
  if (recorded.length === 0) {
    throw new StashlightError("conflict", "The probe is no longer measuring the drive.");
  }
}
