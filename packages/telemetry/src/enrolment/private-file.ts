/** Reads and replaces a small file with secrets, which only its owner may read. */
import { chmod, open, readFile, rename } from "node:fs/promises";

const MODE = 0o600;

/** Returns null if there is no such file. */
export async function readPrivateFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Writes the file completely or not at all; it is durable when this resolves, and survives a power cut. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, "w", MODE);
  try {
    // The mode above applies to a new file; one left behind by a crash keeps its mode.
    await chmod(temporary, MODE);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
