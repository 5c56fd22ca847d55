/** Supervises the measuring process for its parent: stops it on request, and abandons it when its drive hangs. */
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { compileCacheEnvironment, resolveEntry } from "@stashlight/contracts/process";
import type { FromMeasuring, MeasuringJob, ToMeasuring } from "./messages.ts";
import { waitsForProcessor } from "./waiting.ts";

/** Each request takes a thread from libuv's pool, whose size is fixed at startup. */
const THREADS_MIN = 4;
const THREADS_MAX = 1_024;

/** Time without an answer after which a drive counts as hung; a hard disk may spend half of it on a failing sector. */
export const HUNG_AFTER_MS = 60_000;
/** Time for a killed process to end. If the kernel still waits for its request, it does not end and is left behind. */
export const KILLED_WITHIN_MS = 1_000;

export const STOPPED = "The measurement was stopped.";
export const hungSentence = (hungAfterMs: number): string =>
  `The drive answered no request for ${Math.round(hungAfterMs / 1_000)} s, so the measurement was abandoned; see the kernel's log.`;

/** Time limit for the measuring process to start; beyond it the machine counts as too busy. */
export const STARTS_WITHIN_MS = 60_000;
/** Number of further periods granted to a process that waits for a CPU. */
const BUSY_PERIODS_MAX = 5;

/** State of the process as its parent knows it: only after a request was issued can the drive be late. */
type Phase = { readonly name: "starting"; readonly what: string } | { readonly name: "asked" };

const startSentence = (what: string, ms: number): string =>
  `The machine was too busy to measure: ${what} within ${Math.round(ms / 1_000)} s. The drive received no request; measure again when the processors have less to do.`;
const busySentence = (ms: number): string =>
  `The machine was too busy to measure: for ${Math.round(ms / 1_000)} s no request ended, while the measuring process waited for a processor and not for the drive. Measure again when the processors have less to do.`;

export type MeasuringEvent = Extract<FromMeasuring, { type: "progress" | "cell" }>;

export interface Supervision {
  readonly signal: AbortSignal;
  readonly hungAfterMs: number;
  readonly startsWithinMs: number;
  readonly onStarted: (pid: number) => void;
  readonly onTold: (message: MeasuringEvent) => void;
}

/**
 * Runs the measuring process. Resolves with the reason if it ended before all cells were measured, otherwise null. An
 * abort kills the process at once.
 */
export function runProcess(job: MeasuringJob, options: Supervision) {
  if (options.signal.aborted) return Promise.resolve<string | null>(STOPPED);
  return new Promise<string | null>((resolve, reject) => {
    const child = start(job);
    const { signal, onTold, onStarted } = options;
    if (child.pid !== undefined) onStarted(child.pid);
    let sentence: string | null = "The measuring process ended without a message.";
    const end = (why: string | null): void => {
      silence.stop();
      signal.removeEventListener("abort", onAbort);
      resolve(why);
    };
    const giveUp = (why: string): void => {
      sentence = why;
      child.kill("SIGKILL");
      void delay(KILLED_WITHIN_MS, undefined, { ref: false }).then(() => end(why));
    };
    const silence = new Silence(options, () => waitsForProcessor(child.pid ?? 0), giveUp);
    const onAbort = (): void => giveUp(STOPPED);
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("message", (message: FromMeasuring) => {
      silence.hear(message);
      if (message.type === "ready") child.send({ type: "run", job } satisfies ToMeasuring);
      else if (message.type === "end") sentence = message.sentence;
      else if (message.type === "progress" || message.type === "cell") onTold(message);
    });
    child.once("error", reject);
    child.once("exit", () => end(signal.aborted ? STOPPED : sentence));
  });
}

/** Waits for the next message, and blames the machine or the drive when none comes. */
export class Silence {
  readonly #options: Pick<Supervision, "hungAfterMs" | "startsWithinMs">;
  readonly #isBusy: () => boolean;
  readonly #onSilent: (sentence: string) => void;
  #phase: Phase = { name: "starting", what: "its process did not start" };
  #timer: NodeJS.Timeout | undefined;
  #busyPeriods = 0;

  constructor(
    options: Pick<Supervision, "hungAfterMs" | "startsWithinMs">,
    isBusy: () => boolean,
    onSilent: (sentence: string) => void,
  ) {
    this.#options = options;
    this.#isBusy = isBusy;
    this.#onSilent = onSilent;
    this.#wait();
  }

  hear(message: FromMeasuring): void {
    this.#busyPeriods = 0;
    if (message.type === "ready") this.#phase = { name: "starting", what: "its file was not opened" };
    else if (message.type === "asked") this.#phase = { name: "asked" };
    else if (message.type === "starting") {
      const { started, wanted } = message;
      const what =
        started < wanted
          ? `${started} of ${wanted} threads had started, and no other did`
          : `its ${wanted} threads issued no request`;
      this.#phase = { name: "starting", what };
    }
    this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const { hungAfterMs, startsWithinMs } = this.#options;
    const ms = this.#phase.name === "asked" ? hungAfterMs : startsWithinMs;
    this.#timer = setTimeout(() => this.#judge(ms), ms);
  }

  #judge(ms: number): void {
    if (this.#phase.name === "starting") this.#onSilent(startSentence(this.#phase.what, ms));
    else if (!this.#isBusy()) this.#onSilent(hungSentence(ms * (this.#busyPeriods + 1)));
    else if (this.#busyPeriods + 1 >= BUSY_PERIODS_MAX) this.#onSilent(busySentence(ms * BUSY_PERIODS_MAX));
    else {
      this.#busyPeriods += 1;
      this.#wait();
    }
  }
}

function start({ cells }: MeasuringJob): ChildProcess {
  const deepest = Math.max(THREADS_MIN, ...cells.map(({ queueDepth }) => queueDepth));
  const { file, args } = resolveEntry("disk-benchmark", new URL("./child.ts", import.meta.url));
  return fork(file, args, {
    env: {
      ...compileCacheEnvironment(),
      UV_THREADPOOL_SIZE: String(Math.min(THREADS_MAX, deepest)),
    } as unknown as NodeJS.ProcessEnv,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
