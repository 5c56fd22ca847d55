/** Keeps the last served access keys on disk, for use while the ingest is unreachable. */
import { type ServedAccessKeys, servedAccessKeysSchema } from "@stashlight/contracts/access-key";
import { readPrivateFile, writePrivateFile } from "@stashlight/telemetry";

/** Returns null if the file is missing. Rejects if it is malformed. */
export async function readKeyCache(path: string): Promise<ServedAccessKeys | null> {
  const text = await readPrivateFile(path);
  return text === null ? null : servedAccessKeysSchema.parse(JSON.parse(text));
}

/** Resolves when the file is durable, so that a disabled key cannot come back. */
export const writeKeyCache = (path: string, list: ServedAccessKeys): Promise<void> =>
  writePrivateFile(path, JSON.stringify(list));
