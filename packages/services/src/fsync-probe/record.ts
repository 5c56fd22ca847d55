import { type AuthenticatedNode, type FsyncReport, StashlightError } from "@stashlight/contracts";
import type { Platform } from "../platform.ts";

/** The same report may come again; one about what was given up, or is another probe's, is refused as a conflict. */
export async function recordFsyncReport(
  { db, now }: Platform,
  { nodeId }: AuthenticatedNode,
  { probeId, result, sentence }: FsyncReport,
): Promise<void> {
  const outcome =
    result === null
      ? { state: "failed", sentence: sentence ?? "The probe gave no reason." }
      : { state: "succeeded", result };
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
