/** File systems of a machine that keep data on its own drives, from /proc/self/mountinfo (proc_pid_mountinfo(5)). */

export interface Mount {
  readonly folder: string;
  /** MAJOR:MINOR. */
  readonly device: string;
  readonly type: string;
  /** "/dev/sda1", or a ZFS dataset. */
  readonly source: string;
}

/** File systems on the machine's own drives. A network file system may hang, and its own machine reports it. */
const LOCAL: ReadonlySet<string> = new Set([
  "ext2",
  "ext3",
  "ext4",
  "xfs",
  "btrfs",
  "zfs",
  "f2fs",
  "jfs",
  "bcachefs",
  "reiserfs",
]);

/** Within the limit on values of a label, with a reserve for mounts that come and go. */
const FILESYSTEMS_MAX = 100;

/** Each file system once, at its shortest folder, sorted by folder. */
export function parseMounts(text: string): Mount[] {
  const byDevice = new Map<string, Mount>();
  for (const mount of parseAllMounts(text)) {
    if (!LOCAL.has(mount.type)) continue;
    const known = byDevice.get(mount.device);
    if (known === undefined || mount.folder.length < known.folder.length) byDevice.set(mount.device, mount);
  }
  return [...byDevice.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1)).slice(0, FILESYSTEMS_MAX);
}

/** Returns all mounts; of several on one folder, the latest comes last. */
export function parseAllMounts(text: string): Mount[] {
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , device, , folder] = before.split(" ");
    const [type, source] = after.split(" ");
    if (device === undefined || folder === undefined || type === undefined || source === undefined) return [];
    return [{ folder: unescaped(folder), device, type, source: unescaped(source) }];
  });
}

/** Decodes spaces, tabs, line ends and backslashes, which are in octal. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
