import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of a vault's data; vaults are numbered from 1. */
export function vaultFolderPath(dataDirectory: string, number = 1): string {
  return join(dataDirectory, number === 1 ? "vault" : `vault-${number}`);
}

export function vaultFilePath(dataDirectory: string, number = 1): string {
  return join(vaultFolderPath(dataDirectory, number), "vault.json");
}

/**
 * True if all drives have been created once. An empty drive folder is then a lost drive, which must not be created
 * again under the same name.
 */
export function isFormatted(vaultFolder: string): boolean {
  return existsSync(formattedMarkPath(vaultFolder));
}

export function markFormatted(vaultFolder: string): void {
  writeFileSync(formattedMarkPath(vaultFolder), "", { mode: 0o600, flush: true });
}

function formattedMarkPath(vaultFolder: string): string {
  return join(vaultFolder, "formatted");
}

/** Disk usage of the files below a folder; ignores files that vanish during the scan. */
export function measureDiskBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const stats = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    bytes += (stats?.blocks ?? 0) * 512;
  }
  return bytes;
}
