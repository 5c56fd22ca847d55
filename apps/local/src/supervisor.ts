/**
 * Keeps the parts of an installation running. Starts them one after another, and stops them in reverse order. Restarts
 * a part that exits (see restart-policy.ts) without affecting other parts.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { PartState } from "@stashlight/contracts/health";
import { describeExit, type Exit, type Running } from "./node-process.ts";
import {
  afterFailure,
  isFailing,
  type RestartPolicy,
  type RestartState,
  restartPolicy,
  steady,
} from "./restart-policy.ts";

export interface Part {
  label: string;
  /**
   * Resolves once the part is serving. Calls `onSpawn` with the process once it exists, and with each replacement
   * during startup. After `stopping`, starts nothing more and soon rejects.
   */
  start(onSpawn: (running: Running) => void, stopping: AbortSignal): Promise<Running>;
  /** Time to exit before the part is killed. */
  stopPatienceMs: number;
  /** Maximum delay before a restart, if shorter than for other parts. */
  restartDelayMsMax?: number;
  /** Sentence about what does not work without the part. */
  consequence?: string;
  logFile?: string;
  /** True if the part ended because it has no work left, so that it is not restarted. */
  isDone?(exit: Exit): boolean;
}

export type SupervisorEvent =
  | { type: "ended"; part: Part; reason: string; restartInMs: number }
  | { type: "restarted"; part: Part }
  /** Reported once after repeated failures; further ones are not reported until the part is steady. */
  | { type: "failing"; part: Part; reason: string; failureCount: number; restartInMsMax: number }
  | { type: "steady"; part: Part; failureCount: number; ranMs: number }
  | { type: "done"; part: Part };

interface Entry {
  readonly part: Part;
  readonly policy: RestartPolicy;
  running: Running | undefined;
  /** The current start, if any; never rejects. */
  starting: Promise<unknown>;
  state: RestartState;
  /** Time on the monotonic clock at which the part became ready; undefined until then. */
  readyAtMs: number | undefined;
  steadyTimer: NodeJS.Timeout | undefined;
  failureCount: number;
  lastFailure: PartState["lastFailure"];
}

export class Supervisor {
  readonly #entries: Entry[] = [];
  readonly #onEvent: (event: SupervisorEvent) => void;
  readonly #onChange: () => void;
  readonly #policy: RestartPolicy;
  readonly #stopping = new AbortController();

  /** `onChange` is called whenever `parts` changes. */
  constructor(
    onEvent: (event: SupervisorEvent) => void,
    policy: RestartPolicy = restartPolicy,
    onChange: () => void = () => {},
  ) {
    this.#onEvent = onEvent;
    this.#policy = policy;
    this.#onChange = onChange;
  }

  /** Starts a part that the caller depends on; rejects if the part fails to start. */
  async start(part: Part): Promise<void> {
    const entry = this.#add(part);
    try {
      await this.#launch(entry);
    } catch (error) {
      this.#remove(entry);
      throw error;
    }
  }

  /**
   * Starts a part that no other part depends on. Resolves when it runs or, with the reason, when its first start has
   * failed; it is then retried.
   */
  async keep(part: Part): Promise<string | undefined> {
    const entry = this.#add(part);
    try {
      await this.#launch(entry);
      return undefined;
    } catch (error) {
      this.#stopping.signal.throwIfAborted();
      const reason = errorMessage(error);
      void this.#recover(entry, this.#noteFailure(entry, reason));
      return reason;
    }
  }

  parts(): PartState[] {
    return this.#entries.map(({ part, policy, running, readyAtMs, state, failureCount, lastFailure }) => ({
      name: part.label,
      pid: running?.pid || null,
      isReady: readyAtMs !== undefined,
      failureCount,
      failingSinceMs: isFailing(state, policy) ? state.sinceMs : null,
      lastFailure,
      consequence: part.consequence ?? null,
      logFile: part.logFile ?? null,
    }));
  }

  /** Ends all parts in any state, the last started first. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const entry of this.#entries.toReversed()) {
      clearTimeout(entry.steadyTimer);
      await entry.running?.stop(entry.part.stopPatienceMs);
      await entry.starting;
      // Includes parts that were started before the stop request was noticed.
      await entry.running?.stop(entry.part.stopPatienceMs);
    }
  }

  /** Kills all parts at once, without their clean-up. */
  kill(): void {
    this.#stopping.abort();
    for (const entry of this.#entries.toReversed()) entry.running?.kill();
  }

  #add(part: Part): Entry {
    this.#stopping.signal.throwIfAborted();
    const delayMsMax = part.restartDelayMsMax ?? this.#policy.delayMsMax;
    const entry: Entry = {
      part,
      policy: { ...this.#policy, delayMsMax },
      running: undefined,
      starting: Promise.resolve(),
      state: steady,
      readyAtMs: undefined,
      steadyTimer: undefined,
      failureCount: 0,
      lastFailure: null,
    };
    this.#entries.push(entry);
    return entry;
  }

  #remove(entry: Entry): void {
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.#onChange();
  }

  async #launch(entry: Entry): Promise<void> {
    const attempt = entry.part.start((running) => {
      entry.running = running;
      this.#onChange();
    }, this.#stopping.signal);
    entry.starting = attempt.catch(() => {});
    try {
      entry.running = await attempt;
    } catch (error) {
      entry.running = undefined;
      throw error;
    }
    entry.readyAtMs = performance.now();
    entry.steadyTimer = setTimeout(() => this.#whenSteady(entry), entry.policy.steadyAfterMs).unref();
    entry.running.exited.then((exit) => this.#whenEnded(entry, exit));
    this.#onChange();
  }

  async #whenEnded(entry: Entry, exit: Exit): Promise<void> {
    clearTimeout(entry.steadyTimer);
    entry.running = undefined;
    if (this.#isStopping()) return;
    if (entry.part.isDone?.(exit)) {
      this.#remove(entry);
      return this.#onEvent({ type: "done", part: entry.part });
    }
    const reason = describeExit(exit);
    const restartInMs = this.#noteFailure(entry, reason);
    this.#announceFailure(entry, reason, restartInMs);
    await this.#recover(entry, restartInMs);
  }

  /** Starts the part after the delay, and repeats until it runs. */
  async #recover(entry: Entry, firstRestartInMs: number): Promise<void> {
    for (let restartInMs = firstRestartInMs; ; ) {
      await delay(restartInMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      if (this.#isStopping()) return;
      try {
        await this.#launch(entry);
        if (!isFailing(entry.state, entry.policy)) this.#onEvent({ type: "restarted", part: entry.part });
        return;
      } catch (error) {
        if (this.#isStopping()) return;
        const reason = errorMessage(error);
        restartInMs = this.#noteFailure(entry, reason);
        this.#announceFailure(entry, reason, restartInMs);
      }
    }
  }

  /** Returns the delay before the next start. */
  #noteFailure(entry: Entry, reason: string): number {
    const ranMs = entry.readyAtMs === undefined ? 0 : performance.now() - entry.readyAtMs;
    const atMs = Date.now();
    const { state, restartInMs } = afterFailure(entry.state, { atMs, ranMs }, entry.policy);
    entry.readyAtMs = undefined;
    entry.state = state;
    entry.failureCount += 1;
    entry.lastFailure = { atMs, reason };
    this.#onChange();
    return restartInMs;
  }

  #announceFailure({ part, policy, state }: Entry, reason: string, restartInMs: number): void {
    const { failuresInARow: failureCount } = state;
    if (failureCount < policy.failingFrom) {
      this.#onEvent({ type: "ended", part, reason, restartInMs });
    } else if (failureCount === policy.failingFrom) {
      const { delayMsMax: restartInMsMax } = policy;
      this.#onEvent({ type: "failing", part, reason, failureCount, restartInMsMax });
    }
  }

  #whenSteady(entry: Entry): void {
    const { part, policy, state } = entry;
    entry.state = steady;
    if (!isFailing(state, policy)) return;
    this.#onChange();
    const { failuresInARow: failureCount } = state;
    this.#onEvent({ type: "steady", part, failureCount, ranMs: policy.steadyAfterMs });
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }
}

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
