import type { FsyncProbeRow } from "@stashlight/contracts/probe";
import type { Prisma } from "@stashlight/db";
import { fsyncProbeColumns } from "@stashlight/db/columns/fsync-probe";

export function toFsyncProbeRow(stored: Prisma.FsyncProbeGetPayload<object>): FsyncProbeRow {
  const { id, vault, nodeName, device, probeName, requestedByName, requestedAt, endedAt, sentence } = stored;
  return {
    id,
    vault,
    node: nodeName,
    device,
    state: fsyncProbeColumns.state.read(stored.state, id),
    probe: probeName,
    requestedBy: requestedByName,
    requestedAt,
    endedAt,
    result: fsyncProbeColumns.result.readOrNull(stored.result, id),
    sentence,
  };
}
