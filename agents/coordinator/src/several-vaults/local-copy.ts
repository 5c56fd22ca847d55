/** This coordinator's copy of the ledger, in its state folder. */
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { EpochFollowerOptions } from "./epoch-follower.ts";
import { type EpochLedger, packLedger, parseLedger } from "./epoch-ledger.ts";

export function localCopy(stateFolder: string): EpochFollowerOptions["copy"] {
  const path = join(stateFolder, "epochs.json");
  return { read: () => readCopy(path), write: (book) => writeCopy(path, book) };
}

async function readCopy(path: string): Promise<EpochLedger | null> {
  try {
    return parseLedger(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Writes atomically; the file is durable when this resolves. */
async function writeCopy(path: string, book: EpochLedger): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(packLedger(book).toString().trimEnd());
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
