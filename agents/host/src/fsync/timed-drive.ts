/** Finds the drive below a folder whose syncs are timed: its name and kind. */
import { readFile, stat } from "node:fs/promises";
import { findBlockDevice } from "@stashlight/disk-benchmark/block-device";
import { ArgumentError, type FsyncFolder, type Medium } from "../arguments.ts";
import { parseAllMounts } from "../filesystems/mounts.ts";

export interface FsyncPlace {
  readonly folder: string;
  readonly medium: Medium;
  /** The drive, or the mounted source, such as a dataset of a ZFS pool. */
  readonly device: string;
}

export interface Kernel {
  readonly sysFolder: string;
  readonly procFolder: string;
}

/** Throws an ArgumentError for a path that is not a folder, or whose drive is unknown. */
export async function fsyncPlaces(
  folders: readonly FsyncFolder[],
  { sysFolder, procFolder }: Kernel,
): Promise<FsyncPlace[]> {
  const mountinfo = await readFile(`${procFolder}/self/mountinfo`, "utf8").catch(() => "");
  const places: FsyncPlace[] = [];
  for (const { folder, medium } of folders) {
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) throw new ArgumentError(`--fsync: ${folder} is not a folder.`);
    const { name, isRotational } = await findBlockDevice(folder, sysFolder);
    const told = medium ?? (isRotational === null ? null : isRotational ? "hdd" : "ssd");
    if (told === null) {
      throw new ArgumentError(
        `--fsync: the kernel does not know the drive of ${folder}; name its medium, as --fsync ${folder}=ssd or --fsync ${folder}=hdd.`,
      );
    }
    const device = name ?? mountSource(folder, mountinfo);
    const other = places.find((place) => place.device === device);
    if (other !== undefined) {
      throw new ArgumentError(
        `--fsync: ${other.folder} and ${folder} are both on ${device}; name one of them.`,
      );
    }
    places.push({ folder, device, medium: told });
  }
  return places;
}

/** The mount with the longest folder that contains the path; of two on the same folder, the later one. */
function mountSource(path: string, mountinfo: string): string {
  const holding = parseAllMounts(mountinfo).filter(
    ({ folder }) => folder === "/" || path === folder || path.startsWith(`${folder}/`),
  );
  const longest = holding.reduce<(typeof holding)[number] | undefined>(
    (best, mount) => (best === undefined || mount.folder.length >= best.folder.length ? mount : best),
    undefined,
  );
  return longest?.source ?? path;
}
