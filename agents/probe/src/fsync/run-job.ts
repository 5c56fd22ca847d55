/** Measures a drive with fio if installed, otherwise with the built-in writer; the result names the tool. */
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { FsyncJob, FsyncReport, FsyncResult } from "@stashlight/contracts/probe";
import { findBlockDevice } from "@stashlight/disk-benchmark/block-device";
import type { OfferedDrive } from "../drives/drives.ts";
import { type FsyncTool, findFio } from "./fio.ts";
import { ownWriter } from "./own-writer.ts";

const FILE_NAME = ".stashlight-fsync-probe";
/** Free space beyond the file, so that measuring never fills the drive. */
const FREE_RATIO_MIN = 4;

export interface MeasureOptions {
  /** Resolves with null if fio is not installed. */
  readonly findFio: () => Promise<FsyncTool | null>;
}

/** Never rejects: an error is part of the report. */
export async function runFsyncJob(
  job: FsyncJob,
  drives: readonly Pick<OfferedDrive, "node" | "device" | "place">[],
  signal: AbortSignal,
  options: MeasureOptions = { findFio },
): Promise<FsyncReport> {
  const named = { type: "fsync", probeId: job.probeId } as const;
  const { node, device } = job.drive;
  const drive = drives.find((each) => each.node === node && each.device === device);
  if (drive === undefined) {
    return {
      ...named,
      result: null,
      sentence: `This probe no longer writes to ${device} of ${node}.`,
    };
  }
  if (drive.place.kind === "device") {
    const sentence = `${device} of ${node} is a raw device without files; measure its syncs by a plan with the method “Stash load”.`;
    return { ...named, result: null, sentence };
  }
  try {
    return { ...named, result: await measure(job, drive.place.folder, signal, options), sentence: null };
  } catch (error) {
    const sentence = signal.aborted ? "The probe was stopped while it measured." : (error as Error).message;
    return { ...named, result: null, sentence: sentence.slice(0, 2_000) };
  }
}

async function measure(
  { recordBytes, secondsEach, fileBytes }: FsyncJob,
  folder: string,
  signal: AbortSignal,
  options: MeasureOptions,
): Promise<FsyncResult> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes < fileBytes * FREE_RATIO_MIN) {
    throw new Error(
      `The drive has ${Math.floor(freeBytes / 1e6)} MB free; measuring needs ${Math.ceil((fileBytes * FREE_RATIO_MIN) / 1e6)} MB.`,
    );
  }
  const tool = (await options.findFio()) ?? ownWriter;
  const path = join(folder, FILE_NAME);
  // Rewrites the file of a killed probe.
  await rm(path, { force: true });
  try {
    await fill(path, fileBytes);
    const figures = [];
    for (const bytes of recordBytes) {
      figures.push(await tool.measure({ path, fileBytes, recordBytes: bytes, seconds: secondsEach, signal }));
    }
    const { name: blockDevice } = await findBlockDevice(folder);
    return { tool: tool.name, toolVersion: tool.version, blockDevice, figures };
  } finally {
    await rm(path, { force: true });
  }
}

const CHUNK_BYTES = 1_048_576;

/**
 * Fills the file first: the first sync of unwritten space includes its allocation, while a log overwrites its segments.
 */
async function fill(path: string, bytes: number): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    // Avoids zeros, which some drives and file systems do not write.
    const chunk = Buffer.alloc(CHUNK_BYTES, "stashlight");
    for (let at = 0; at < bytes; at += CHUNK_BYTES) {
      await file.write(chunk, 0, Math.min(CHUNK_BYTES, bytes - at), at);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
