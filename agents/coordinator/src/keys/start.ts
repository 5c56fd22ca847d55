import { join } from "node:path";
import { accessKeysAnswerWithinMs, accessKeysAskedEveryMs } from "@stashlight/contracts/access-key";
import type { CoordinatorNode, VaultFile } from "@stashlight/node-runtime/config";
import { askAccessKeys } from "@stashlight/telemetry";
import type { Logger } from "pino";
import { NO_KEY, openIngestAccess } from "../ingest-access.ts";
import { AccessKeys } from "./access-keys.ts";
import { KeyFollower } from "./follow-keys.ts";
import { readKeyCache, writeKeyCache } from "./key-cache.ts";

export interface RunningKeys {
  readonly keys: AccessKeys;
  stop(): void;
}

/** A vault without an ingest has only the keys in its file, because keys served earlier could not be revoked. */
export async function startAccessKeys(
  file: VaultFile,
  node: CoordinatorNode,
  logger: Logger,
): Promise<RunningKeys> {
  const keys = new AccessKeys(file);
  const { telemetry } = file;
  if (telemetry === undefined) return { keys, stop: () => {} };
  const path = join(node.stateFolder, "access-keys.json");
  const access = await openIngestAccess(telemetry, node, accessKeysAnswerWithinMs);
  const follower = await KeyFollower.start({
    keys,
    cache: { read: () => readKeyCache(path), write: (list) => writeKeyCache(path, list) },
    ask: async (revision) => {
      const asking = access();
      return asking === null ? { type: "refused", reason: NO_KEY } : await askAccessKeys(asking, revision);
    },
    everyMs: accessKeysAskedEveryMs,
    logger,
  });
  return { keys, stop: () => follower.stop() };
}
