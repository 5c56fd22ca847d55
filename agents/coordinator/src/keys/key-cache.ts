/** Keeps the last served access keys on disk, for use while the ingest is unreachable. */
import { chmod, open, readFile, rename } from "node:fs/promises";
import { type ServedAccessKeys, servedAccessKeysSchema } from "@stashlight/contracts/access-key";

/** The file holds secrets, like the vault's file. */
const MODE = 0o600;

/** Returns null if the file is missing. Rejects if it is malformed. */
export async function readKeyCache(path: string): Promise<ServedAccessKeys | null> {
  try {
    return servedAccessKeysSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Writes atomically; the file is durable when this resolves, so that a disabled key cannot come back. */
export async function writeKeyCache(path: string, list: ServedAccessKeys): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, "w", MODE);
  try {
    // A file left behind by a crash keeps its old mode.
    await chmod(temporary, MODE);
    await file.writeFile(JSON.stringify(list));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
