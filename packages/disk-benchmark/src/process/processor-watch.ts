/**
 * Measures how long the measuring threads waited for a CPU instead of the drive. Linux counts for each thread the time
 * that it was runnable but did not run (Documentation/scheduler/sched-stats.rst), and for the machine the time stolen
 * by its host (steal, proc.rst). Both make a request look slower than the drive was.
 */
import { readdirSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** Totals up to a point in time. */
interface Reading {
  readonly atMs: number;
  readonly waitedMs: number;
  readonly stolenShareMs: number;
}

const READ_EVERY_MS = 250;
/** At most two hours of four readings per second. */
const READINGS_MAX = 28_800;
const NS_PER_MS = 1e6;
const STEAL_FIELD = 7;
const TIME_FIELDS = 8;

export interface ProcessorWatchOptions {
  readonly procFolder?: string;
  readonly nowMs?: () => number;
}

export class ProcessorWatch {
  readonly #folder: string;
  readonly #pid: number;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #byThread = new Map<string, number>();
  #readings: Reading[] = [];
  #ended = 0;
  #ticks: { readonly total: number; readonly stolen: number } | null = null;
  #stolenShareMs = 0;

  /** Watches the threads of a process until it is stopped. */
  constructor(
    pid: number,
    { procFolder = "/proc", nowMs = () => performance.now() }: ProcessorWatchOptions = {},
  ) {
    this.#pid = pid;
    this.#folder = procFolder;
    this.#nowMs = nowMs;
    this.#timer = setInterval(() => this.read(), READ_EVERY_MS);
    this.read();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  read(): void {
    const atMs = this.#nowMs();
    const before = this.#readings.at(-1);
    this.#stolenShareMs += this.#stolenSince() * (before === undefined ? 0 : atMs - before.atMs);
    this.#readings.push({ atMs, waitedMs: this.#waited(), stolenShareMs: this.#stolenShareMs });
    if (this.#readings.length > READINGS_MAX) this.#readings = this.#readings.slice(READINGS_MAX / 2);
  }

  /**
   * Returns for each whole second the share of the requests' time that was not spent waiting for the drive, given this
   * number of threads that each wait for their requests. Empty if the kernel does not keep the counts.
   */
  sharesOf(fromMs: number, seconds: number, threads: number): number[] {
    if (this.#readings.length < 2 || this.#byThread.size === 0) return [];
    return Array.from({ length: Math.floor(seconds) }, (_, second) => {
      const [from, to] = [this.#at(fromMs + second * 1_000), this.#at(fromMs + (second + 1) * 1_000)];
      const waited = (to.waitedMs - from.waitedMs) / (1_000 * threads);
      return Math.min(1, Math.max(0, waited) + (to.stolenShareMs - from.stolenShareMs) / 1_000);
    });
  }

  /** Interpolates linearly between two readings. */
  #at(ms: number): Reading {
    const after = this.#readings.findIndex(({ atMs }) => atMs >= ms);
    if (after === 0) return this.#readings[0] as Reading;
    if (after < 0) return this.#readings.at(-1) as Reading;
    const [a, b] = [this.#readings[after - 1] as Reading, this.#readings[after] as Reading];
    const share = b.atMs === a.atMs ? 0 : (ms - a.atMs) / (b.atMs - a.atMs);
    const between = (from: number, to: number): number => from + (to - from) * share;
    return {
      atMs: ms,
      waitedMs: between(a.waitedMs, b.waitedMs),
      stolenShareMs: between(a.stolenShareMs, b.stolenShareMs),
    };
  }

  /** Total waits, including those of threads that have ended. */
  #waited(): number {
    const folder = `${this.#folder}/${this.#pid}/task`;
    for (const thread of readThreads(folder)) {
      const waitedNs = readWaitedNs(`${folder}/${thread}/schedstat`);
      if (waitedNs !== null) this.#byThread.set(thread, waitedNs / NS_PER_MS);
    }
    this.#ended = Math.max(
      this.#ended,
      [...this.#byThread.values()].reduce((sum, ms) => sum + ms, 0),
    );
    return this.#ended;
  }

  /** Share of CPU time since the last reading that the host stole. */
  #stolenSince(): number {
    const ticks = readTicks(`${this.#folder}/stat`);
    const before = this.#ticks;
    this.#ticks = ticks;
    if (ticks === null || before === null || ticks.total <= before.total) return 0;
    return Math.max(0, ticks.stolen - before.stolen) / (ticks.total - before.total);
  }
}

/** Lists the process's threads; empty once it has ended. */
function readThreads(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Null for a thread that has just ended, and if all counts are zero, as in a kernel that does not keep them. */
function readWaitedNs(file: string): number | null {
  try {
    const fields = readFileSync(file, "utf8").trim().split(/\s+/).map(Number);
    const [, waitedNs = Number.NaN] = fields;
    return Number.isFinite(waitedNs) && fields.some((field) => field !== 0) ? waitedNs : null;
  } catch {
    return null;
  }
}

function readTicks(file: string): { total: number; stolen: number } | null {
  try {
    const line = readFileSync(file, "utf8").split("\n", 1)[0] ?? "";
    const fields = line
      .trim()
      .split(/\s+/)
      .slice(1, TIME_FIELDS + 1)
      .map(Number);
    if (fields.length < TIME_FIELDS || !fields.every(Number.isFinite)) return null;
    return { total: fields.reduce((sum, each) => sum + each, 0), stolen: fields[STEAL_FIELD] ?? 0 };
  } catch {
    return null;
  }
}
