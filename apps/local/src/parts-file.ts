/** Writes the state of the parts to a file that the console and the agents read without Postgres. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PartState, type PartsState, partsFileName } from "@stashlight/contracts/health";
import { explainFileError } from "./failure.ts";

export interface PartsFile {
  write(parts: readonly PartState[]): void;
  remove(): void;
}

export const partsFilePath = (dataDirectory: string): string => join(dataDirectory, partsFileName);

/**
 * `onTrouble` receives the reason once when the file can no longer be written; a full disk must not stop the
 * installation.
 */
export function createPartsFile(dataDirectory: string, onTrouble: (reason: string) => void): PartsFile {
  const path = partsFilePath(dataDirectory);
  const partial = `${path}.partial`;
  let isWritable = true;
  return {
    write(parts) {
      const state: PartsState = { supervisorPid: process.pid, parts: [...parts] };
      try {
        writeFileSync(partial, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
        renameSync(partial, path);
        isWritable = true;
      } catch (error) {
        if (isWritable) onTrouble(explainFileError(error, path).message);
        isWritable = false;
      }
    },
    remove() {
      for (const each of [partial, path]) rmSync(each, { force: true });
    },
  };
}
