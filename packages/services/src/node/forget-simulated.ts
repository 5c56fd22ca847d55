/**
 * Removes the nodes of the fleet simulator and all that they measured. Their keys end first and their rows in the
 * metric store go after that, so what is interrupted leaves nodes that are found again, and nothing that sends.
 */
import { longStatementMs } from "@stashlight/db";
import { forgetNodes, withStatementTimeout } from "@stashlight/db/metrics";
import { writeAudit } from "../audit/write.ts";
import { type Core, openCore } from "../core.ts";
import type { InstallationAccess } from "./ensure-local.ts";
import { authenticationKeptMs } from "./reporting/authenticate.ts";

/** The number of nodes of one statement, which holds no lock for longer than some seconds. */
const NODES_AT_ONCE = 20;
const starter = { id: null, name: "npm start", role: null };

/** Says how many there were. `pause` waits for so many milliseconds. */
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
    // An ingest that knows a key takes batches by it for a while.
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
