import { mkdirSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";

const FILE = "boot";
const MODE = 0o600;

/**
 * Returns a number greater than all earlier boot ids in this folder: the wall clock, or the last id plus one if the
 * clock was set back. It is durable before it is used. Throws if the folder cannot be written.
 */
export async function nextBootId(folder: string, wallClockMs: number): Promise<number> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const bootId = Math.max(Math.floor(wallClockMs), lastBootId(folder) + 1);
  const partial = join(folder, `${FILE}.partial`);
  await writeDurably(partial, `${bootId}\n`);
  await rename(partial, join(folder, FILE));
  const directory = await open(folder, "r");
  await directory.sync();
  await directory.close();
  return bootId;
}

/** Zero for a node that never ran here. An empty or invalid file counts the same, since its number was never used. */
function lastBootId(folder: string): number {
  try {
    const number = Number(readFileSync(join(folder, FILE), "utf8"));
    return Number.isSafeInteger(number) ? number : 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", MODE);
  try {
    // Otherwise, a file left by an earlier process would keep its old mode.
    await file.chmod(MODE);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
