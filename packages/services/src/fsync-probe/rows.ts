import type { FsyncProbeRow, FsyncResult } from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";

export function rowOf(stored: Prisma.FsyncProbeGetPayload<object>): FsyncProbeRow {
  const { id, vault, nodeName, device, probeName, requestedByName, requestedAt, endedAt, sentence } = stored;
  return {
    id,
    vault,
    node: nodeName,
    device,
    state: stored.state as FsyncProbeRow["state"],
    probe: probeName,
    requestedBy: requestedByName,
    requestedAt,
    endedAt,
    // Checked when it came.
    result: stored.result as FsyncResult | null,
    sentence,
  };
}
