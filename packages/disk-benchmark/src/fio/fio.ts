/** fio, where it is installed: the same cells, measured by what others measure with. */
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { DiskCell, DiskCellResult } from "@stashlight/contracts/disk/cell";
import { DiskError } from "../disk-error.ts";
import { hungSentence, KILLED_WITHIN_MS } from "../process/supervise.ts";
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
  /** A file or device whose measured bytes were all written. */
  readonly path: string;
  readonly offsetBytes: number;
  readonly logPrefix: string;
  readonly fileBytes: number;
  readonly isDirect: boolean;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onStarted: (pid: number) => void;
}

/** Null where it is not installed. Throws a DiskError if it is and cannot be used. */
export async function findFio(command = "fio"): Promise<Fio | null> {
  let text: string;
  try {
    ({ stdout: text } = await run(command, ["--version"], { timeout: GRACE_MS }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new DiskError(`fio is installed and does not start: ${(error as Error).message}.`);
  }
  const version = text.trim().slice(0, 60);
  const [, major, minor] = /^fio-(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const isKnown =
    major !== undefined &&
    minor !== undefined &&
    (major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1]));
  if (!isKnown) {
    throw new DiskError(
      `fio says that it is "${version}", and ${VERSION_MIN.join(".")} or later is needed; use the own reader and writer instead.`,
    );
  }
  return { version, measure: (cell, place) => measure(command, cell, place) };
}

async function measure(command: string, cell: DiskCell, place: FioPlace): Promise<DiskCellResult> {
  const { logPrefix: prefix, signal } = place;
  const logs = [
    `${prefix}_iops.1.log`,
    `${prefix}_lat.1.log`,
    `${prefix}_clat.1.log`,
    `${prefix}_slat.1.log`,
  ];
  try {
    const timeout = cell.secondsMax * 1_000 + GRACE_MS;
    const options = { timeout, maxBuffer: ANSWER_BYTES_MAX, signal, killSignal: "SIGKILL" } as const;
    const answer = run(command, argumentsOf(cell, place), options);
    if (answer.child.pid !== undefined) place.onStarted(answer.child.pid);
    const { stdout } = await unlessHung(answer, timeout, signal);
    const [iops, latencies] = await Promise.all(logs.slice(0, 2).map((log) => readFile(log, "utf8")));
    return readFioCell(cell, { json: stdout, iops: iops ?? "", latencies: latencies ?? "" });
  } finally {
    await Promise.all(logs.map((log) => rm(log, { force: true })));
  }
}

/** A killed fio does not end while the kernel waits for its drive; it is left behind, and the run ends with a sentence. */
async function unlessHung<Answer>(
  answer: Promise<Answer>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Answer> {
  const over = new AbortController();
  const stuck = async (): Promise<never> => {
    const given = AbortSignal.any([signal, over.signal]);
    await delay(timeoutMs + KILLED_WITHIN_MS, undefined, { signal: given, ref: false }).catch(() => {});
    await delay(KILLED_WITHIN_MS, undefined, { signal: over.signal, ref: false });
    throw new DiskError(hungSentence(GRACE_MS));
  };
  try {
    return await Promise.race([answer, stuck()]);
  } finally {
    over.abort();
  }
}

function argumentsOf(
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
    // Without direct I/O libaio submits one request after the other.
    ...(isDirect
      ? ["--ioengine=libaio", "--direct=1"]
      : ["--ioengine=psync", "--thread", `--numjobs=${queueDepth}`, "--group_reporting"]),
    "--thread",
    "--allow_file_create=0",
    // Random bytes that are changed a little for each write, as our own writer does: neither compresses nor repeats.
    "--scramble_buffers=1",
    "--randrepeat=0",
    `--randseed=${seed}`,
    "--time_based",
    `--runtime=${secondsMax}`,
    // Times requests from handing over to the answer, as our own writer does; completion alone leaves the submission out.
    "--lat_percentiles=1",
    "--percentile_list=50:99:99.9",
    `--write_iops_log=${logPrefix}`,
    `--write_lat_log=${logPrefix}`,
    "--log_avg_msec=1000",
    "--output-format=json",
  ];
}
