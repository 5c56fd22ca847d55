/** This coordinator's copy of the ledger, in its state folder. */
import { join } from "node:path";
import { readPrivateFile, writePrivateFile } from "@stashlight/telemetry";
import type { EpochFollowerOptions } from "./epoch-follower.ts";
import { type EpochLedger, packLedger, parseLedger } from "./epoch-ledger.ts";

export function localCopy(stateFolder: string): EpochFollowerOptions["copy"] {
  const path = join(stateFolder, "epochs.json");
  return {
    read: () => readCopy(path),
    write: (book) => writePrivateFile(path, packLedger(book).toString().trimEnd()),
  };
}

async function readCopy(path: string): Promise<EpochLedger | null> {
  const text = await readPrivateFile(path);
  return text === null ? null : parseLedger(Buffer.from(text));
}
