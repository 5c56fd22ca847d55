/**
 * Threads that keep `queueDepth` requests in flight, one each. The kernel sees the same as with asynchronous requests,
 * and a request costs the machine half of a round trip to a pool.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { DiskCell, DiskCellResult, SteadyState } from "@stashlight/contracts/disk";
import { resolveEntry } from "@stashlight/contracts/process";
import { ExponentialHistogram } from "@stashlight/telemetry/histogram";
import { findSteadyState } from "../steady-state.ts";
import { type CellSurroundings, toCellResult } from "./cell-result.ts";
import {
  ASKED,
  BLOCKS_LEFT,
  CONTROL_LENGTH,
  CURSOR,
  type FromThread,
  STOP,
  TALLY,
  type ToThread,
} from "./thread-messages.ts";

/** Deeper queues use the platform's pool: every thread takes memory, and this number already takes 0.8 GB. */
const CREW_MAX = 32;
const BYTES_PER_THREAD = 32 * 1_048_576;
const INT32_MAX = 2 ** 31 - 1;

/**
 * Returns true if threads should measure the cell: a single request needs none, and a machine with little memory avoids
 * them.
 */
export const isForCrew = ({ queueDepth, blockBytes }: DiskCell): boolean =>
  queueDepth > 1 &&
  queueDepth <= CREW_MAX &&
  queueDepth * (BYTES_PER_THREAD + blockBytes) < process.availableMemory() * MEMORY_SHARE_MAX;

const MEMORY_SHARE_MAX = 0.5;

export class Crew {
  readonly #control = new Int32Array(new SharedArrayBuffer(CONTROL_LENGTH * 4));
  readonly #tallies = new Float64Array(new SharedArrayBuffer(CREW_MAX * TALLY.length * 8));
  readonly #threads: Worker[] = [];

  /** Measures the cell with its own threads. Rejects with the drive's error if a request fails or is cut short. */
  async run(cell: DiskCell, around: CellSurroundings): Promise<DiskCellResult> {
    const threads = await this.#prepare(cell, around);
    this.#tallies.fill(0);
    this.#control[STOP] = 0;
    this.#control[CURSOR] = 0;
    this.#control[ASKED] = 0;
    this.#control[BLOCKS_LEFT] = Math.min(INT32_MAX, Math.ceil(around.writableBytes / cell.blockBytes));
    const startMs = performance.now();
    const { descriptor, offsetBytes, fileBytes, seed } = around;
    const ends = threads.map((thread, i) =>
      ask(thread, {
        type: "run",
        work: { cell, descriptor, offsetBytes, fileBytes, seed: (seed + i * 7_919) >>> 0 },
      }),
    );
    const seconds = await this.#watch(cell, around, startMs);
    const answers = await Promise.all(ends);
    const lasted = (performance.now() - startMs) / 1_000;
    const latencies = { read: new ExponentialHistogram(), write: new ExponentialHistogram() };
    for (const answer of answers) {
      if (answer.type === "failed") throw Object.assign(new Error(answer.message), { code: answer.code });
      if (answer.type !== "done") continue;
      latencies.read.merge(ExponentialHistogram.from(answer.read));
      latencies.write.merge(ExponentialHistogram.from(answer.write));
    }
    return toCellResult({ cell, seconds: lasted, latencies, ...seconds });
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  async #prepare({ queueDepth, blockBytes }: DiskCell, { onStarting }: CellSurroundings): Promise<Worker[]> {
    onStarting(Math.min(queueDepth, this.#threads.length), queueDepth);
    while (this.#threads.length < queueDepth) {
      const workerData = { control: this.#control, tallies: this.#tallies, index: this.#threads.length };
      const { file, args } = resolveEntry("disk-benchmark-thread", new URL("./thread.ts", import.meta.url));
      this.#threads.push(new Worker(file, { argv: [...args], workerData }));
    }
    const threads = this.#threads.slice(0, queueDepth);
    let started = 0;
    const prepare = async (thread: Worker): Promise<void> => {
      await ask(thread, { type: "prepare", blockBytes });
      started += 1;
      onStarting(started, queueDepth);
    };
    await Promise.all(threads.map(prepare));
    return threads;
  }

  /** Checks the tallies once per second until the cell ends, and then stops the threads. */
  async #watch(cell: DiskCell, around: CellSurroundings, startMs: number) {
    const { secondsMax, roundSeconds, blockBytes } = cell;
    const [reads, writes, meanUs]: [number[], number[], number[]] = [[], [], []];
    let before = { ...this.#sums(), ms: startMs };
    let steadyState: SteadyState | null = null;
    await this.#firstRequest(around);
    for (let second = 1; second <= Math.ceil(secondsMax); second += 1) {
      const untilMs = startMs + Math.min(second, secondsMax) * 1_000;
      while (performance.now() < untilMs && this.#control[STOP] === 0) {
        await delay(Math.min(LOOK_MS, Math.max(0, untilMs - performance.now())));
      }
      const now = { ...this.#sums(), ms: performance.now() };
      const lasted = (now.ms - before.ms) / 1_000;
      const ended = now.reads - before.reads + (now.writes - before.writes);
      // Omits the current second, which is incomplete.
      if (performance.now() >= startMs + second * 1_000) {
        reads.push((now.reads - before.reads) / lasted);
        writes.push((now.writes - before.writes) / lasted);
        meanUs.push(ended === 0 ? 0 : (now.us - before.us) / ended);
        if (ended > 0) around.onSecond(second, now.writes * blockBytes);
      }
      before = now;
      if (this.#control[STOP] !== 0) break;
      if (roundSeconds === null || second % roundSeconds !== 0) continue;
      steadyState = findSteadyState(
        groupRounds(reads, writes, roundSeconds).map((round) => round.reads + round.writes),
      );
      if (steadyState?.isSteady === true) break;
    }
    Atomics.store(this.#control, STOP, 1);
    const iops = reads.map((rate, second) => rate + (writes[second] as number));
    const rounds = roundSeconds === null ? null : groupRounds(reads, writes, roundSeconds);
    return { rounds, steadyState, perSecond: { iops, meanUs } };
  }

  /** Waits for the first thread, which a busy machine may start late; the wait for the drive begins only afterwards. */
  async #firstRequest({ onAsked }: CellSurroundings): Promise<void> {
    while (Atomics.load(this.#control, ASKED) === 0 && this.#control[STOP] === 0) await delay(1);
    await onAsked();
  }

  #sums(): { reads: number; writes: number; us: number } {
    const sums = { reads: 0, writes: 0, us: 0 };
    for (let at = 0; at < this.#tallies.length; at += TALLY.length) {
      sums.reads += this.#tallies[at + TALLY.reads] as number;
      sums.writes += this.#tallies[at + TALLY.writes] as number;
      sums.us += this.#tallies[at + TALLY.us] as number;
    }
    return sums;
  }
}

/** Interval of checks for a thread that stopped early. */
const LOOK_MS = 50;

/** Computes the mean rates of each whole round. */
function groupRounds(
  reads: readonly number[],
  writes: readonly number[],
  roundSeconds: number,
): { reads: number; writes: number }[] {
  const mean = (rates: readonly number[], round: number): number =>
    rates.slice(round * roundSeconds, (round + 1) * roundSeconds).reduce((sum, rate) => sum + rate, 0) /
    roundSeconds;
  return Array.from({ length: Math.floor(reads.length / roundSeconds) }, (_, round) => ({
    reads: mean(reads, round),
    writes: mean(writes, round),
  }));
}

/** Sends a message to a thread, which answers each once. */
function ask(thread: Worker, message: ToThread): Promise<FromThread> {
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: FromThread): void => {
      thread.off("error", onError);
      resolve(answer);
    };
    const onError = (error: Error): void => {
      thread.off("message", onAnswer);
      reject(error);
    };
    thread.once("message", onAnswer);
    thread.once("error", onError);
    thread.postMessage(message);
  });
}
