import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { accessKeysAnswerWithinMs, accessKeysAskedEveryMs } from "@stashlight/contracts/access-key";
import { nodeKeyReader } from "@stashlight/node-runtime";
import type { CoordinatorNode, VaultFile } from "@stashlight/node-runtime/config";
import { askAccessKeys } from "@stashlight/telemetry";
import type { Logger } from "pino";
import { AccessKeys } from "./access-keys.ts";
import { KeyFollower } from "./follow-keys.ts";
import { readKeyCache, writeKeyCache } from "./key-cache.ts";

export interface RunningKeys {
  readonly keys: AccessKeys;
  stop(): void;
}

/** A vault without an ingest has only the keys of its file: keys served earlier could not be revoked. */
export async function startAccessKeys(
  file: VaultFile,
  node: CoordinatorNode,
  logger: Logger,
): Promise<RunningKeys> {
  const keys = new AccessKeys(file);
  const { telemetry } = file;
  if (telemetry === undefined) return { keys, stop: () => {} };
  const path = join(node.stateFolder, "access-keys.json");
  const ca = telemetry.ca === undefined ? {} : { ca: await readFile(telemetry.ca, "utf8") };
  const options = { origin: telemetry.ingest, ...ca, timeoutMs: accessKeysAnswerWithinMs, nowMs: Date.now };
  const keyOf = nodeKeyReader(node);
  const follower = await KeyFollower.start({
    keys,
    cache: { read: () => readKeyCache(path), write: (list) => writeKeyCache(path, list) },
    ask: async (revision) => {
      if (keyOf() === null) return { type: "refused", reason: "This node has no key for the ingest yet." };
      return await askAccessKeys({ ...options, key: () => keyOf() ?? "" }, revision);
    },
    everyMs: accessKeysAskedEveryMs,
    logger,
  });
  return { keys, stop: () => follower.stop() };
}
