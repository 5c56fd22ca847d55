/**
 * Removes the fleet simulator's nodes and all their measurements. Their keys end first, and their rows in the metric
 * store are removed afterwards, so an interrupted removal leaves nodes that can be found again, and none that can send.
 */
import { longStatementMs } from "@stashlight/db";
import { forgetNodes, withStatementTimeout } from "@stashlight/db/metrics";
import { writeAudit } from "../audit/write.ts";
import { type Core, openCore } from "../core.ts";
import type { InstallationAccess } from "./ensure-local.ts";
import { authenticationKeptMs } from "./reporting/authenticate.ts";

/** Nodes per statement, so that no statement holds a lock for longer than some seconds. */
const NODES_AT_ONCE = 20;
const starter = { id: null, name: "npm start", role: null };

/** Returns the number of removed nodes. `pause` waits for this many milliseconds. */
export async function forgetSimulatedNodes(
  access: InstallationAccess,
  pause: (ms: number) => Promise<void>,
  say: (line: string) => void = () => {},
): Promise<number> {
  const platform = openCore({ kind: "tool", dataDirectory: null, ...access });
  try {
    const nodes = await platform.db.node.findMany({
      where: { isSimulated: true },
      select: { id: true },
      orderBy: { name: "asc" },
    });
    if (nodes.length === 0) return 0;
    const { count } = await platform.db.nodeKey.deleteMany({ where: { node: { isSimulated: true } } });
    // An ingest that has cached a key accepts its batches for a while.
    if (count > 0) await pause(authenticationKeptMs);
    const ids = nodes.map(({ id }) => id);
    await forgetMeasured(platform, ids, say);
    await removeRows(platform, ids);
    return ids.length;
  } finally {
    await platform.close();
  }
}

async function forgetMeasured(
  { metrics }: Core,
  ids: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const connection = await metrics.connect();
  try {
    for (let i = 0; i < ids.length; i += NODES_AT_ONCE) {
      const portion = ids.slice(i, i + NODES_AT_ONCE);
      await withStatementTimeout(connection, longStatementMs, () => forgetNodes(connection, portion));
      say(`Forgot ${Math.min(ids.length, i + NODES_AT_ONCE)} of ${ids.length} simulated nodes.`);
    }
  } finally {
    connection.release();
  }
}

async function removeRows(platform: Core, ids: readonly string[]): Promise<void> {
  await platform.db.$transaction(async (tx) => {
    const { count } = await tx.node.deleteMany({ where: { id: { in: [...ids] } } });
    await writeAudit(
      tx,
      { platform, principal: null, origin: { ipAddress: "local", userAgent: "npm start" } },
      {
        action: "node.simulated_forgotten",
        actor: starter,
        target: { kind: "nodes", id: "simulated", name: "simulated nodes" },
        before: { nodeCount: count },
      },
    );
  });
}
