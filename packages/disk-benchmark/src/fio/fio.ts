/** Measures the same cells with fio, the common tool for this, if it is installed. */
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { DiskCell, DiskCellResult } from "@stashlight/contracts/disk";
import { DiskError } from "../disk-error.ts";
import { hungSentence, KILLED_WITHIN_MS } from "../process/supervise.ts";
import { isAlive, waitsForDrive, waitsForProcessor } from "../process/waiting.ts";
import { readFioCell } from "./read-cell.ts";

const run = promisify(execFile);

const VERSION_MIN = [3, 25] as const;
const ANSWER_BYTES_MAX = 67_108_864;
const GRACE_MS = 60_000;

export interface Fio {
  readonly version: string;
  measure(cell: DiskCell, place: FioPlace): Promise<DiskCellResult>;
}

export interface FioPlace {
  /** File or device whose measured bytes were all written. */
  readonly path: string;
  readonly offsetBytes: number;
  readonly logPrefix: string;
  readonly fileBytes: number;
  readonly isDirect: boolean;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onStarted: (pid: number) => void;
}

/** Returns null if fio is not installed. Throws a DiskError if it is installed but unusable. */
export async function findFio(command = "fio", graceMs = GRACE_MS): Promise<Fio | null> {
  let text: string;
  try {
    ({ stdout: text } = await run(command, ["--version"], { timeout: GRACE_MS }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new DiskError(`fio is installed but does not start: ${(error as Error).message}.`);
  }
  const version = text.trim().slice(0, 60);
  const [, major, minor] = /^fio-(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const isKnown =
    major !== undefined &&
    minor !== undefined &&
    (major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1]));
  if (!isKnown) {
    throw new DiskError(
      `fio reports version "${version}", and ${VERSION_MIN.join(".")} or later is needed; use the built-in reader and writer instead.`,
    );
  }
  return { version, measure: (cell, place) => measure(command, cell, place, graceMs) };
}

async function measure(
  command: string,
  cell: DiskCell,
  place: FioPlace,
  graceMs: number,
): Promise<DiskCellResult> {
  const { logPrefix: prefix, signal } = place;
  const logs = [
    `${prefix}_iops.1.log`,
    `${prefix}_lat.1.log`,
    `${prefix}_clat.1.log`,
    `${prefix}_slat.1.log`,
  ];
  try {
    const killing = new AbortController();
    const options = {
      maxBuffer: ANSWER_BYTES_MAX,
      signal: AbortSignal.any([signal, killing.signal]),
      killSignal: "SIGKILL",
    } as const;
    const answer = run(command, fioArguments(cell, place), options);
    const { pid = 0 } = answer.child;
    if (pid > 0) place.onStarted(pid);
    const { stdout } = await unlessLate(answer, {
      pid,
      secondsMax: cell.secondsMax,
      graceMs,
      signal,
      killing,
    });
    const [iops, latencies] = await Promise.all(logs.slice(0, 2).map((log) => readFile(log, "utf8")));
    return readFioCell(cell, { json: stdout, iops: iops ?? "", latencies: latencies ?? "" });
  } finally {
    await Promise.all(logs.map((log) => rm(log, { force: true })));
  }
}

interface Lateness {
  readonly pid: number;
  readonly secondsMax: number;
  readonly graceMs: number;
  readonly signal: AbortSignal;
  readonly killing: AbortController;
}

/**
 * Kills a fio that has not ended some time after its limit, and reports the reason. A killed process ends unless the
 * kernel still waits for its drive; only then the process is left behind and the drive is blamed.
 */
async function unlessLate<Answer>(
  answer: Promise<Answer>,
  { pid, secondsMax, graceMs, signal, killing }: Lateness,
): Promise<Answer> {
  const over = new AbortController();
  const judgeLate = async (): Promise<never> => {
    const given = AbortSignal.any([signal, over.signal]);
    await delay(secondsMax * 1_000 + graceMs, undefined, { signal: given, ref: false }).catch(() => {});
    // The caller stopped fio, and its own result reports that.
    if (signal.aborted) return new Promise<never>(() => {});
    const isBusy = waitsForProcessor(pid);
    if (!over.signal.aborted) killing.abort();
    for (let waitedMs = 0; waitedMs < KILLED_WITHIN_MS && isAlive(pid); waitedMs += LOOKS_EVERY_MS) {
      await delay(LOOKS_EVERY_MS, undefined, { signal: over.signal, ref: false });
    }
    const isStuck = isAlive(pid) && waitsForDrive(pid);
    throw new DiskError(isStuck ? hungSentence(graceMs) : lateSentence(graceMs, isBusy));
  };
  // A process killed for being late does not report the reason in its output.
  const timely = answer.catch((error: unknown) =>
    killing.signal.aborted ? new Promise<never>(() => {}) : Promise.reject(error),
  );
  try {
    return await Promise.race([timely, judgeLate()]);
  } finally {
    over.abort();
  }
}

const LOOKS_EVERY_MS = 50;

function lateSentence(graceMs: number, isBusy: boolean): string {
  const seconds = Math.round(graceMs / 1_000);
  return isBusy
    ? `The machine was too busy to measure: ${seconds} s after its time fio still wanted a processor and did not wait for the drive. Measure again when the processors have less to do.`
    : `fio had not ended ${seconds} s after its time and was stopped; it did not wait for the drive. Measure again, or use the built-in reader and writer instead.`;
}

function fioArguments(
  cell: DiskCell,
  { path, offsetBytes, fileBytes, logPrefix, isDirect, seed }: FioPlace,
): string[] {
  const { access, readShare, blockBytes, queueDepth, secondsMax } = cell;
  const verb = readShare === 1 ? "read" : readShare === 0 ? "write" : "rw";
  return [
    "--name=cell",
    `--filename=${path}`,
    `--offset=${offsetBytes}`,
    `--size=${fileBytes}`,
    `--rw=${access === "random" ? "rand" : ""}${verb}`,
    ...(verb === "rw" ? [`--rwmixread=${Math.round(readShare * 100)}`] : []),
    `--bs=${blockBytes}`,
    `--iodepth=${queueDepth}`,
    // Without direct I/O, libaio submits requests one after the other.
    ...(isDirect
      ? ["--ioengine=libaio", "--direct=1"]
      : ["--ioengine=psync", "--thread", `--numjobs=${queueDepth}`, "--group_reporting"]),
    "--thread",
    "--allow_file_create=0",
    // Random bytes that change a little for each write, as in the built-in writer, so that they neither compress nor
    // repeat.
    "--scramble_buffers=1",
    "--randrepeat=0",
    `--randseed=${seed}`,
    "--time_based",
    `--runtime=${secondsMax}`,
    // Times requests from submission to completion, as the built-in writer does; fio's completion latency excludes the
    // submission.
    "--lat_percentiles=1",
    "--percentile_list=50:99:99.9",
    `--write_iops_log=${logPrefix}`,
    `--write_lat_log=${logPrefix}`,
    "--log_avg_msec=1000",
    "--output-format=json",
  ];
}
