/** The measuring process as its parent sees it: it is stopped when asked, and given up when its drive hangs. */
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { compileCacheEnvironment } from "@stashlight/contracts/process/compile-cache";
import { entryOf } from "@stashlight/contracts/process/entry";
import type { FromMeasuring, MeasuringJob, ToMeasuring } from "./messages.ts";

/** Requests are threads of libuv's pool, which takes its size once. */
const THREADS_MIN = 4;
const THREADS_MAX = 1_024;

/** A drive that answers nothing for so long is taken as hung; a hard disk may spend half of it on a sector that fails. */
export const HUNG_AFTER_MS = 60_000;
/** A killed process whose request the kernel still waits for does not end; it is left behind. */
export const KILLED_WITHIN_MS = 1_000;

export const STOPPED = "The measurement was stopped.";
export const hungSentence = (hungAfterMs: number): string =>
  `The drive answered no request for ${Math.round(hungAfterMs / 1_000)} s, so it was given up; look at the kernel's log.`;

export type Told = Extract<FromMeasuring, { type: "progress" | "cell" }>;

export interface Supervision {
  readonly signal: AbortSignal;
  readonly hungAfterMs: number;
  readonly onTold: (message: Told) => void;
}

/** Resolves with why it ended before all cells were measured, or null. An abort kills the process at once. */
export function runProcess(job: MeasuringJob, { signal, hungAfterMs, onTold }: Supervision) {
  if (signal.aborted) return Promise.resolve<string | null>(STOPPED);
  return new Promise<string | null>((resolve, reject) => {
    const child = start(job);
    let sentence: string | null = "The process that measured ended without a word.";
    const end = (why: string | null): void => {
      clearTimeout(hung);
      signal.removeEventListener("abort", onAbort);
      resolve(why);
    };
    const giveUp = (why: string): void => {
      child.kill("SIGKILL");
      void delay(KILLED_WITHIN_MS, undefined, { ref: false }).then(() => end(why));
    };
    const onAbort = (): void => giveUp(STOPPED);
    const hung = setTimeout(() => {
      sentence = hungSentence(hungAfterMs);
      giveUp(sentence);
    }, hungAfterMs);
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("message", (message: FromMeasuring) => {
      hung.refresh();
      if (message.type === "ready") child.send({ type: "run", job } satisfies ToMeasuring);
      else if (message.type === "end") sentence = message.sentence;
      else onTold(message);
    });
    child.once("error", reject);
    child.once("exit", () => end(signal.aborted ? STOPPED : sentence));
  });
}

function start({ cells }: MeasuringJob): ChildProcess {
  const deepest = Math.max(THREADS_MIN, ...cells.map(({ queueDepth }) => queueDepth));
  const { file, args } = entryOf("disk-benchmark", new URL("./child.ts", import.meta.url));
  return fork(file, args, {
    env: {
      ...compileCacheEnvironment(),
      UV_THREADPOOL_SIZE: String(Math.min(THREADS_MAX, deepest)),
    } as unknown as NodeJS.ProcessEnv,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
