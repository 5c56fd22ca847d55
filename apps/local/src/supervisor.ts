/**
 * Keeps the parts of an installation running. They are started one after the other and stopped in the opposite order;
 * one that ends on its own is started again, a little later each time, and when that happens too often all are given up.
 */
import { setTimeout as delay } from "node:timers/promises";
import { describeExit, type Exit, type Running } from "./node-process.ts";

export interface Part {
  label: string;
  /**
   * Resolves when the part does its work; `onSpawn` is told of its process as soon as there is one, and of each that
   * replaces it during the start. After `stopping` nothing more is started, and the promise soon rejects.
   */
  start(onSpawn: (running: Running) => void, stopping: AbortSignal): Promise<Running>;
  /** How long it may take to end by itself before it is killed. */
  stopPatienceMs: number;
}

export type SupervisorEvent =
  | { type: "ended"; part: Part; exit: string; restartInMs: number }
  | { type: "restarted"; part: Part }
  | { type: "gaveUp"; part: Part; reason: unknown };

export interface RestartPolicy {
  restartsMax: number;
  windowMs: number;
  firstDelayMs: number;
}

const defaultPolicy: RestartPolicy = { restartsMax: 5, windowMs: 60_000, firstDelayMs: 500 };

interface Entry {
  part: Part;
  running: Running | undefined;
  /** The start under way, if any; never rejects. */
  starting: Promise<unknown>;
  restartTimesMs: number[];
}

export class Supervisor {
  readonly #entries: Entry[] = [];
  readonly #onEvent: (event: SupervisorEvent) => void;
  readonly #policy: RestartPolicy;
  readonly #stopping = new AbortController();

  constructor(onEvent: (event: SupervisorEvent) => void, policy: RestartPolicy = defaultPolicy) {
    this.#onEvent = onEvent;
    this.#policy = policy;
  }

  /** Starts a part for the first time; a failure here is the caller's, from then on it is restarted. */
  async start(part: Part): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    const entry: Entry = { part, running: undefined, starting: Promise.resolve(), restartTimesMs: [] };
    this.#entries.push(entry);
    await this.#launch(entry);
  }

  /** Ends all parts in order, the last started first, whatever state they are in. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const entry of this.#entries.toReversed()) {
      await entry.running?.stop(entry.part.stopPatienceMs);
      await entry.starting;
      // What the start had gone on to before it heard of the stop.
      await entry.running?.stop(entry.part.stopPatienceMs);
    }
  }

  /** Ends all parts at once, without their clean-up. */
  kill(): void {
    this.#stopping.abort();
    for (const entry of this.#entries.toReversed()) entry.running?.kill();
  }

  async #launch(entry: Entry): Promise<void> {
    const attempt = entry.part.start((running) => {
      entry.running = running;
    }, this.#stopping.signal);
    entry.starting = attempt.catch(() => {});
    try {
      entry.running = await attempt;
    } catch (error) {
      entry.running = undefined;
      throw error;
    }
    entry.running.exited.then((exit) => this.#whenEnded(entry, exit));
  }

  async #whenEnded(entry: Entry, exit: Exit): Promise<void> {
    entry.running = undefined;
    let outcome = describeExit(exit);
    for (;;) {
      if (this.#isStopping()) return;
      const restartInMs = this.#nextDelayMs(entry);
      if (restartInMs === undefined) {
        return this.#onEvent({ type: "gaveUp", part: entry.part, reason: outcome });
      }
      this.#onEvent({ type: "ended", part: entry.part, exit: outcome, restartInMs });
      await delay(restartInMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      if (this.#isStopping()) return;
      try {
        await this.#launch(entry);
        return this.#onEvent({ type: "restarted", part: entry.part });
      } catch (error) {
        outcome = error instanceof Error ? error.message : String(error);
      }
    }
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Undefined when the part has been started again too often in the last while. */
  #nextDelayMs(entry: Entry): number | undefined {
    const { restartsMax, windowMs, firstDelayMs } = this.#policy;
    const nowMs = performance.now();
    entry.restartTimesMs = entry.restartTimesMs.filter((timeMs) => nowMs - timeMs < windowMs);
    if (entry.restartTimesMs.length >= restartsMax) return undefined;
    entry.restartTimesMs.push(nowMs);
    return firstDelayMs * 2 ** (entry.restartTimesMs.length - 1);
  }
}
