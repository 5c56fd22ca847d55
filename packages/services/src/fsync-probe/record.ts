import { StashlightError } from "@stashlight/contracts/errors";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { FsyncReport } from "@stashlight/contracts/probe/fsync";
import { fsyncProbeColumns } from "@stashlight/db/columns/fsync-probe";
import type { Core } from "../core.ts";

/** The same report may come again; one about what was given up, or is another probe's, is refused as a conflict. */
export async function recordFsyncReport(
  { db, now }: Core,
  { nodeId }: AuthenticatedNode,
  { probeId, result, sentence }: FsyncReport,
): Promise<void> {
  const outcome =
    result === null
      ? { state: "failed", sentence: sentence ?? "The probe gave no reason." }
      : { state: "succeeded", result: fsyncProbeColumns.result.write(result) };
  const { count } = await db.fsyncProbe.updateMany({
    where: { id: probeId, probeNodeId: nodeId, state: "running" },
    data: { ...outcome, endedAt: now() },
  });
  if (count === 1) return;
  const recorded = await db.fsyncProbe.count({
    where: { id: probeId, probeNodeId: nodeId, state: outcome.state },
  });
  if (recorded === 0)
    throw new StashlightError("conflict", "The drive is not being measured by the probe any more.");
}
