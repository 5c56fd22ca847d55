/** Classifies the drives of a machine: empty, half-formatted, formatted for this vault, or in use. */
import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { openDrive } from "@stashlight/node-runtime";
import type { DriveConfig, VaultFile, VaultNode } from "@stashlight/node-runtime/config";
import { isVolumeFile } from "@stashlight/shard-log";
import { SetupError } from "../setup-error.ts";

export interface MachineDrive {
  readonly node: VaultNode;
  readonly drive: DriveConfig;
  readonly policy: "ring" | "extents";
  /** Space for the drive's segments. */
  readonly bytes: number;
}

export interface DriveCheck {
  readonly drive: MachineDrive;
  readonly state: "empty" | "unfinished" | "formatted" | "in use";
}

/** Empty folders that file systems create. */
const HARMLESS = new Set(["lost+found"]);
const NAMED_MAX = 3;

export function listMachineDrives(file: VaultFile, nodes: readonly VaultNode[]): MachineDrive[] {
  return nodes.flatMap((node) => {
    if (node.role === "coordinator") return [];
    const { segmentBytes, segmentCount } = node.role === "pod" ? file.podVolume : file.stashVolume;
    const policy = node.role === "pod" ? ("extents" as const) : ("ring" as const);
    return node.drives.map((drive) => ({ node, drive, policy, bytes: segmentBytes * segmentCount }));
  });
}

/** Opens formatted drives and formats nothing. Throws a SetupError with the faults of all drives. */
export async function checkDrives(file: VaultFile, drives: readonly MachineDrive[]): Promise<DriveCheck[]> {
  const checks = await Promise.allSettled(drives.map((drive) => checkDrive(file, drive)));
  const faults = checks.flatMap((check) => {
    if (check.status === "fulfilled") return [];
    if (check.reason instanceof SetupError) return check.reason.faults;
    throw check.reason;
  });
  const checked = checks.flatMap((check) => (check.status === "fulfilled" ? check.value : []));
  faults.push(...spaceFaults(checked));
  if (faults.length > 0) throw new SetupError(faults);
  return checked;
}

async function checkDrive(file: VaultFile, machineDrive: MachineDrive): Promise<DriveCheck> {
  const { drive, policy } = machineDrive;
  const { path } = drive;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SetupError(
      existsSync(path)
        ? `The drive ${path} is not a folder.`
        : `The drive ${path} does not exist; mount it, or create the folder, and join again.`,
    );
  }
  const names = readdirSync(path).filter((name) => !HARMLESS.has(name));
  const foreign = names.filter((name) => !isVolumeFile(name));
  if (foreign.length > 0) {
    const some = foreign.slice(0, NAMED_MAX).join(", ");
    const rest = foreign.length > NAMED_MAX ? ` and ${foreign.length - NAMED_MAX} more` : "";
    throw new SetupError(
      `The drive ${path} has other files (${some}${rest}); empty it, or name another folder in the layout.`,
    );
  }
  if (names.length === 0) return { drive: machineDrive, state: "empty" };
  try {
    await (await openDrive({ file, drive, policy, mayFormat: false })).close();
    return { drive: machineDrive, state: "formatted" };
  } catch (error) {
    return { drive: machineDrive, state: unreadyState(path, error as Error & { code?: string }) };
  }
}

function unreadyState(path: string, error: Error & { code?: string }): "unfinished" | "in use" {
  switch (error.code) {
    case "not_formatted":
    case "volume_corrupt":
      return "unfinished";
    case "locked":
      return "in use";
    case "foreign_cluster":
      throw new SetupError(`The drive ${path} holds shards of another vault; nothing was changed on it.`);
    case "foreign_device":
      throw new SetupError(
        `The drive ${path} holds shards of another drive of this vault; check whether drives were mounted the wrong way round.`,
      );
    default:
      throw new SetupError(`The drive ${path} cannot be opened: ${error.message.replace(/\.$/, "")}.`);
  }
}

/** Drives on the same file system share its space. */
function spaceFaults(checks: readonly DriveCheck[]): string[] {
  const missing = checks.filter(({ state }) => state === "empty");
  return [...Map.groupBy(missing, ({ drive }) => statSync(drive.drive.path).dev).values()].flatMap(
    (group) => {
      const paths = group.map(({ drive }) => drive.drive.path);
      const { bavail, bsize } = statfsSync(paths[0] as string);
      const freeBytes = bavail * bsize;
      const bytes = group.reduce((sum, { drive }) => sum + drive.bytes, 0);
      if (freeBytes >= bytes) return [];
      const subject =
        paths.length === 1 ? `The drive ${paths[0]} has` : `The drives ${paths.join(", ")} together have`;
      return [`${subject} ${gigabytes(freeBytes)} free, but the vault's file requires ${gigabytes(bytes)}.`];
    },
  );
}

/** Warnings as sentences, to show before data is stored. */
export function driveWarnings(drives: readonly MachineDrive[]): string[] {
  const unmounted = drives.filter(
    ({ drive }) => statSync(drive.path).dev === statSync(dirname(drive.path)).dev,
  );
  if (unmounted.length === 0) return [];
  const paths = unmounted.map(({ drive }) => drive.path);
  const some = paths.slice(0, NAMED_MAX).join(", ");
  const rest = paths.length > NAMED_MAX ? ` and ${paths.length - NAMED_MAX} more` : "";
  return [`${some}${rest} are folders, not mount points; an unmounted drive would look the same.`];
}

/** Formats drives that are empty or half-formatted; `formatted` is called for each finished drive. */
export async function formatDrives(
  file: VaultFile,
  checks: readonly DriveCheck[],
  formatted: (drive: MachineDrive) => void,
): Promise<void> {
  const waiting = checks.filter(({ state }) => state === "empty" || state === "unfinished");
  const next = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const { drive, policy } = check.drive;
      try {
        await (await openDrive({ file, drive, policy, mayFormat: true })).close();
      } catch (error) {
        throw new SetupError(
          `The drive ${drive.path} could not be formatted: ${(error as Error).message.replace(/\.$/, "")}.`,
        );
      }
      formatted(check.drive);
    }
  };
  await Promise.all(Array.from({ length: FORMATTED_AT_A_TIME }, next));
}

const FORMATTED_AT_A_TIME = 4;

function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
