import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { VaultFile } from "./vault-file-schema.ts";

/** Writes a vault's file atomically. It contains clients' secrets, so only its owner may read it. */
export function writeVaultFile(path: string, file: VaultFile): void {
  writeSecretFile(path, `${JSON.stringify(file, null, 2)}\n`);
}

/**
 * Atomically and durably writes a file that only its owner may read, and creates its folder if necessary. Several
 * agents of a machine may write the same file at the same time.
 */
export function writeSecretFile(path: string, text: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, text, { mode: 0o600, flush: true });
  renameSync(partial, path);
  const directory = openSync(folder, "r");
  fsyncSync(directory);
  closeSync(directory);
}
