/**
 * A drive added by an epoch may be formatted without an operator's consent until this node has first opened it. So a
 * crash before formatting does no harm, and a drive that was in use and whose folder is empty counts as lost.
 */
import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { type DriveConfig, VaultFileError } from "../config/index.ts";
import { writeSecretFile } from "../config/write-vault-file.ts";

/** File with the id of the drive that was opened last. */
const FILE = "opened";
/** Entries that file systems create in an empty root folder. */
const IGNORED: ReadonlySet<string> = new Set(["lost+found"]);

/**
 * Returns true if the drive may be formatted. `folder` holds the node's state of this drive's machine. The drive's own
 * folder must exist, because a mount may be missing.
 */
export function isFormatPermitted(folder: string, { driveId, path, isNew }: DriveConfig): boolean {
  return isNew === true && openedIn(folder) !== driveId && existsSync(path);
}

/** Ends the permission to format the drive. */
export function noteOpened(folder: string, { driveId, isNew }: DriveConfig): void {
  if (isNew === true && openedIn(folder) !== driveId) writeSecretFile(join(folder, FILE), `${driveId}\n`);
}

function openedIn(folder: string): string | null {
  const file = join(folder, FILE);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

/** Throws a VaultFileError if the drive's folder is missing, not empty, or too small for the volume. */
export function checkFreshDrive({ path }: DriveConfig, volumeBytes: number): void {
  let names: string[];
  try {
    names = readdirSync(path).filter((name) => !IGNORED.has(name));
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new VaultFileError(
      `The folder ${path} for the new drive cannot be read and written (${(error as NodeJS.ErrnoException).code}); mount the drive there first, for the user of the agents.`,
    );
  }
  if (names.length > 0) {
    throw new VaultFileError(
      `The folder ${path} for the new drive is not empty (${names[0]}); mount an empty drive, or name another folder.`,
    );
  }
  const { bavail, bsize } = statfsSync(path);
  const freeBytes = bavail * bsize;
  if (freeBytes >= volumeBytes) return;
  throw new VaultFileError(
    `The drive at ${path} has ${freeBytes} bytes free, and a volume of this vault takes ${volumeBytes}.`,
  );
}
