/** Measures a drive in a separate process, so that the file is always removed and nothing else is disturbed. */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { BlockDevice, DiskCell, DiskCellResult } from "@stashlight/contracts/disk";
import packageJson from "../package.json" with { type: "json" };
import { DiskError } from "./disk-error.ts";
import { type Fio, findFio } from "./fio/fio.ts";
import { findBlockDevice } from "./place/block-device.ts";
import { openPlace, type PlaceOptions, placePath } from "./place/drive-place.ts";
import type { MeasuredPlace } from "./place/measured-place.ts";
import type { BucketModel } from "./process/bucket.ts";
import type { MeasuringJob } from "./process/messages.ts";
import { ProcessorWatch } from "./process/processor-watch.ts";
import {
  HUNG_AFTER_MS,
  type MeasuringEvent,
  runProcess,
  STARTS_WITHIN_MS,
  STOPPED,
  type Supervision,
} from "./process/supervise.ts";

export interface DiskRunOptions extends PlaceOptions {
  readonly cells: readonly DiskCell[];
  /**
   * "auto" uses fio if it is installed. Without fio, with a modelled limit and for synced writes, it uses the built-in
   * reader and writer.
   */
  readonly tool: "auto" | DiskRun["tool"];
  readonly coolDownSeconds: number;
  /** Includes the test file. With fio, a cell that has begun is completed. */
  readonly writtenBytesMax: number;
  /** Burst bucket that limits the drive's requests, for trials; the results are then labelled as modelled. */
  readonly bucket: BucketModel | null;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Time without an answer after which the drive is abandoned; 60 s by default. */
  readonly hungAfterMs?: number;
  /** Time limit for the measuring process to start, after which the machine counts as too busy; 60 s by default. */
  readonly startsWithinMs?: number;
  readonly onProgress: (progress: { readonly doneSeconds: number; readonly writtenBytes: number }) => void;
  readonly onCell: (result: DiskCellResult) => void;
}

export interface DiskRun {
  readonly tool: "fio" | "stashlight";
  readonly toolVersion: string;
  readonly label: "measured" | "modelled";
  readonly isDirect: boolean;
  readonly fileBytes: number;
  readonly device: BlockDevice;
  readonly startedAt: string;
  readonly cells: readonly DiskCellResult[];
  /** Reason why not all cells were measured. */
  readonly sentence: string | null;
  readonly writtenBytes: number;
}

/**
 * Throws a DiskError before anything is written; after that it returns the measurements so far, with the reason why
 * they ended.
 */
export async function measureDisk(options: DiskRunOptions): Promise<DiskRun> {
  const { fileBytes, isDirect, bucket, hungAfterMs = HUNG_AFTER_MS } = options;
  const { startsWithinMs = STARTS_WITHIN_MS } = options;
  if (options.writtenBytesMax < fileBytes) {
    throw new DiskError(
      "The limit of written bytes is below the size of the test file; raise it, or choose a smaller file.",
    );
  }
  const fio = await chooseTool(options);
  const device = await findBlockDevice(placePath(options.place));
  const startedAt = new Date().toISOString();
  const place = openPlace(options);
  const results: DiskCellResult[] = [];
  let writtenBytes = 0;
  let watch: ProcessorWatch | null = null;
  const onStarted = (pid: number): void => {
    watch?.stop();
    watch = new ProcessorWatch(pid);
  };
  const onTold = (message: MeasuringEvent): void => {
    if (message.type === "progress") {
      writtenBytes = message.writtenBytes;
      options.onProgress(message);
      return;
    }
    // One fio thread submits and collects all direct requests, so each request waits when that thread does.
    const threads = fio !== null && isDirect ? 1 : message.result.cell.queueDepth;
    const result = withWaits(message.result, watch, threads);
    results.push(result);
    writtenBytes = results.reduce((sum, each) => sum + each.writtenBytes, fileBytes);
    options.onCell(result);
  };
  try {
    // With fio, the separate process only writes the file.
    const filled = await runProcess(describeJob(options, place, fio === null ? options.cells : []), {
      signal: options.signal,
      hungAfterMs,
      startsWithinMs,
      onStarted,
      onTold,
    });
    const sentence =
      filled ?? (fio === null ? null : await runFio(fio, place, options, { onStarted, onTold }));
    const label = bucket === null ? "measured" : "modelled";
    const tool = fio === null ? "stashlight" : "fio";
    const toolVersion = fio?.version ?? packageJson.version;
    return {
      tool,
      toolVersion,
      label,
      isDirect,
      fileBytes,
      device,
      startedAt,
      cells: results,
      sentence,
      writtenBytes,
    };
  } finally {
    (watch as ProcessorWatch | null)?.stop();
    await removeInTime(place);
  }
}

function describeJob(
  { fileBytes, isDirect, coolDownSeconds, writtenBytesMax, bucket, seed }: DiskRunOptions,
  { path, offsetBytes }: MeasuredPlace,
  cells: readonly DiskCell[],
): MeasuringJob {
  return {
    path,
    offsetBytes,
    fileBytes,
    isDirect,
    cells,
    coolDownSeconds,
    writtenBytesMax,
    bucket,
    seed,
  };
}

async function chooseTool({ tool, bucket, cells }: DiskRunOptions): Promise<Fio | null> {
  const hasSyncs = cells.some(({ syncsWrites }) => syncsWrites);
  if (tool === "stashlight" || (tool === "auto" && (bucket !== null || hasSyncs))) return null;
  if (hasSyncs) throw new DiskError("Synced appends can be measured only by the built-in writer; choose it.");
  if (bucket !== null)
    throw new DiskError("A modelled limit works only with the built-in reader and writer; fio has none.");
  const fio = await findFio();
  if (fio === null && tool === "fio")
    throw new DiskError("fio is not installed; install it, or use the built-in reader and writer.");
  return fio;
}

/** Measures the cells one after the other; resolves with the reason if it ended early, otherwise null. */
async function runFio(
  fio: Fio,
  { path, offsetBytes, logPrefix }: MeasuredPlace,
  { cells, fileBytes, isDirect, coolDownSeconds, writtenBytesMax, seed, signal }: DiskRunOptions,
  { onStarted, onTold }: Pick<Supervision, "onStarted" | "onTold">,
): Promise<string | null> {
  let writtenBytes = fileBytes;
  let doneSeconds = 0;
  try {
    for (const [at, cell] of cells.entries()) {
      if (writtenBytes >= writtenBytesMax && cell.readShare < 1) continue;
      if (at > 0) await delay(coolDownSeconds * 1_000, undefined, { signal });
      const result = await fio.measure(cell, {
        path,
        offsetBytes,
        logPrefix,
        fileBytes,
        isDirect,
        seed: (seed + at) >>> 0,
        signal,
        onStarted,
      });
      writtenBytes += result.writtenBytes;
      doneSeconds += cell.secondsMax + coolDownSeconds;
      onTold({ type: "cell", result });
      onTold({ type: "progress", doneSeconds, writtenBytes });
    }
    return null;
  } catch (error) {
    if (signal.aborted) return STOPPED;
    if (error instanceof DiskError) return error.message;
    return `fio failed: ${(error as Error).message.split("\n")[0]}.`;
  }
}

/** Adds the CPU waits of the measuring threads to a cell that has just ended. */
function withWaits(result: DiskCellResult, watch: ProcessorWatch | null, threads: number): DiskCellResult {
  if (watch === null) return result;
  watch.read();
  const { seconds, perSecond } = result;
  const shares = watch.sharesOf(performance.now() - seconds * 1_000, perSecond.iops.length, threads);
  return shares.length === 0 ? result : { ...result, perSecond: { ...perSecond, waitedShare: shares } };
}

/**
 * Removes the files, but waits for the drive only for a limited time. Files left behind because the drive hangs are
 * removed when the next measurement of the place, or its probe, starts.
 */
async function removeInTime(place: MeasuredPlace): Promise<void> {
  await Promise.race([place.remove(), delay(REMOVED_WITHIN_MS, undefined, { ref: false })]);
}

const REMOVED_WITHIN_MS = 10_000;
