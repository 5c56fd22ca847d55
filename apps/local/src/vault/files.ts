import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of everything that a vault keeps; vaults are numbered from 1. */
export function vaultFolderOf(dataDirectory: string, number = 1): string {
  return join(dataDirectory, number === 1 ? "vault" : `vault-${number}`);
}

export function vaultFileOf(dataDirectory: string, number = 1): string {
  return join(vaultFolderOf(dataDirectory, number), "vault.json");
}

/**
 * Whether all drives have been made once. From then on a drive's folder that is empty is one that was lost, and is not
 * to be made again under the same name.
 */
export function isFormatted(vaultFolder: string): boolean {
  return existsSync(markOf(vaultFolder));
}

export function markFormatted(vaultFolder: string): void {
  writeFileSync(markOf(vaultFolder), "", { mode: 0o600, flush: true });
}

function markOf(vaultFolder: string): string {
  return join(vaultFolder, "formatted");
}

/** What the files below a folder take on the disk; what vanishes while we look counts as nothing. */
export function diskBytesOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const stats = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    bytes += (stats?.blocks ?? 0) * 512;
  }
  return bytes;
}
