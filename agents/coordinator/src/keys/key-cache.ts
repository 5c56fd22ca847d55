/** The last served access keys on this node's disk, for use while the ingest cannot be reached. */
import { chmod, open, readFile, rename } from "node:fs/promises";
import { type ServedAccessKeys, servedAccessKeysSchema } from "@stashlight/contracts/access-key";

/** The file holds secrets, like the vault's file. */
const MODE = 0o600;

/** Null if there is no such file. Rejects if it is malformed. */
export async function readKeyCache(path: string): Promise<ServedAccessKeys | null> {
  try {
    return servedAccessKeysSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Atomic; the file is durable when this resolves, so that a disabled key cannot come back. */
export async function writeKeyCache(path: string, list: ServedAccessKeys): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, "w", MODE);
  try {
    // A file that a crash left behind has its old mode.
    await chmod(temporary, MODE);
    await file.writeFile(JSON.stringify(list));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
