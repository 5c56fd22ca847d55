/** Test file in a folder: checks that it may be there, and removes it. */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import { DiskError } from "../disk-error.ts";
import type { MeasuredPlace } from "./measured-place.ts";

const FILE_NAME = ".stashlight-disk-test";
const OWNER_NAME = ".stashlight-disk-test.owner";
/** Files of a vault's drive (packages/shard-log): a volume and its segments. */
const VAULT_FILES = ["volume", "segment-00000"];
const FREE_SHARE_MIN = 0.1;

export interface TestFileOptions {
  readonly folder: string;
  readonly fileBytes: number;
  readonly isDirect: boolean;
  /** Permits measuring although a vault stores data on the same file system. */
  readonly isBesideVault: boolean;
}

/** Throws a DiskError if the folder may not be measured. Files left there by a killed process are removed first. */
export function createTestFile(options: TestFileOptions): MeasuredPlace {
  const { folder, fileBytes } = options;
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) throw new DiskError(`There is no folder ${folder}.`);
  if (!found.isDirectory()) throw new DiskError(`${folder} is a file; name a folder on the drive.`);
  if (!options.isBesideVault) refuseVault(folder, found.dev);
  const path = join(folder, FILE_NAME);
  const owner = join(folder, OWNER_NAME);
  refuseOther(owner, folder);
  rmSync(path, { force: true });
  refuseSize(options);
  try {
    writeFileSync(owner, `${process.pid} ${readProcessStart(process.pid)}\n`, { flag: "wx", mode: 0o600 });
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    rmSync(owner, { force: true });
    if (code === "EROFS") throw new DiskError(`The file system of ${folder} is read-only.`);
    if (code === "EACCES") throw new DiskError(`This user may not write to ${folder}.`);
    throw new DiskError(`No file of ${fileBytes} bytes can be made in ${folder}: ${message}.`);
  }
  return { path, offsetBytes: 0, logPrefix: `${path}.fio`, remove: () => removeFiles(folder) };
}

/** Removes the test file, the note of its owner and fio's logs beside them. */
async function removeFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(FILE_NAME));
  // Removes the note last, because it names the owner of the remaining files.
  for (const name of names.sort((a, b) => Number(a === OWNER_NAME) - Number(b === OWNER_NAME))) {
    await rm(join(folder, name), { force: true });
  }
}

/**
 * Removes the files of processes that were killed while they measured in the folder; a process that still measures
 * keeps its file.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  if (measuringProcess(join(folder, OWNER_NAME)) !== null) return;
  await removeFiles(folder);
}

/** Refuses a folder that another process measures; the note of a dead process is removed. */
function refuseOther(owner: string, folder: string): void {
  const pid = measuringProcess(owner);
  if (pid !== null)
    throw new DiskError(`Process ${pid} is already measuring ${folder}; wait until it has ended.`);
  rmSync(owner, { force: true });
}

/** Returns the process id in the note; null if the process is gone, or there is no note. */
function measuringProcess(owner: string): string | null {
  if (!existsSync(owner)) return null;
  const [pid = "", start = ""] = readFileSync(owner, "utf8").trim().split(" ");
  return start !== "" && readProcessStart(Number(pid)) === start ? pid : null;
}

/** Returns the start time of a process, in the kernel's ticks, to recognise a reused id; "" if it is gone. */
function readProcessStart(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function refuseSize({ folder, fileBytes, isDirect }: TestFileOptions): void {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const spareBytes = bavail * bsize - FREE_SHARE_MIN * blocks * bsize;
  if (fileBytes > spareBytes) {
    throw new DiskError(
      `The test file has ${megabytes(fileBytes)} and ${folder} can spare ${megabytes(Math.max(0, spareBytes))}, because a tenth of a drive stays free; choose a smaller file or another drive.`,
    );
  }
  if (!isDirect && fileBytes < 2 * totalmem()) {
    throw new DiskError(
      `With buffered I/O the test file must have at least ${megabytes(2 * totalmem())}, twice the memory; otherwise the page cache is measured.`,
    );
  }
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;

/** Detects a vault's drive by a volume on its file system at, above or one folder below the place. */
function refuseVault(folder: string, device: number): void {
  const isVault = (path: string): boolean => VAULT_FILES.every((name) => existsSync(join(path, name)));
  const near = [
    folder,
    ...readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? join(folder, entry.name) : [],
    ),
  ];
  for (
    let path = folder;
    dirname(path) !== path && statSync(dirname(path)).dev === device;
    path = dirname(path)
  ) {
    near.push(dirname(path));
  }
  const vault = near.find(isVault);
  if (vault === undefined) return;
  throw new DiskError(
    `A stash or pod stores its shards in ${vault}, and measuring would slow it down; measure another drive, or allow it explicitly.`,
  );
}
