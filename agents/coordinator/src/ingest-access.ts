import { readFile } from "node:fs/promises";
import { nodeKeyReader } from "@stashlight/node-runtime";
import type { CoordinatorNode, VaultFile } from "@stashlight/node-runtime/config";
import type { PostOptions } from "@stashlight/telemetry";

/** Reason for a failed request while the node has not enrolled. */
export const NO_KEY = "This node has no key for the ingest yet.";

/**
 * Returns the options for a node's next request to its vault's ingest, with its current key; null while it has none.
 */
export async function openIngestAccess(
  telemetry: NonNullable<VaultFile["telemetry"]>,
  node: Pick<CoordinatorNode, "stateFolder">,
  timeoutMs: number,
): Promise<() => PostOptions | null> {
  const ca = telemetry.ca === undefined ? {} : { ca: await readFile(telemetry.ca, "utf8") };
  const keyOf = nodeKeyReader(node);
  return () => {
    const key = keyOf();
    return key === null
      ? null
      : { origin: telemetry.ingest, ...ca, timeoutMs, nowMs: Date.now, key: () => key };
  };
}
