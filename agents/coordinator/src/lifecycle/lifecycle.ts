/**
 * Applies the lifecycle rules of buckets. Once per hour one of the coordinators passes through all buckets, page by
 * page, and rests several times as long as it works.
 *
 *   idle --pass due, turn taken--> passing --page--> passing --last page--> idle
 *                                        '--failure, or turn lost--> resting --> idle
 *
 *   pass.ts what a pass does; it can continue from any place
 *   kept-rules.ts the rules of a bucket, if this version can read them
 *   pass-turn.ts one coordinator at a time, and where the next one continues
 *   cautious-clock.ts the time at which rules are evaluated, which never runs ahead
 *   deletions.ts metrics, and a line per rule in the audit log
 *   preview.ts what rules would delete
 */
import { Deletions, type DeletionsOptions } from "./deletions.ts";
import { type PassOptions, runPass } from "./pass.ts";
import { PassTurn, type Place, TurnLost } from "./pass-turn.ts";

export interface LifecycleTiming {
  /** Time from the end of a pass to the start of the next. */
  readonly everyMs: number;
  /** Delay after startup, when the machine's clock may still be corrected. */
  readonly firstAfterMs: number;
  /** Time without progress after which a coordinator is considered dead. */
  readonly staleMs: number;
  /** Pause between two attempts to become the coordinator that makes the pass, and after a failure. */
  readonly lookEveryMs: number;
}

const EVERY_MS = 3_600_000;
/** After a page of 1 s the pass pauses for 4 s, so it works for at most a fifth of the time. */
const REST_FACTOR = 4;

/** Derives all other times from one, so that a test can shorten them without changing their order. */
export function lifecycleTiming({ everyMs = EVERY_MS }: { readonly everyMs?: number } = {}): LifecycleTiming {
  return {
    everyMs,
    firstAfterMs: everyMs / 4,
    staleMs: everyMs / 12,
    lookEveryMs: everyMs / 120,
  };
}

export interface LifecycleOptions
  extends Omit<PassOptions, "deletions" | "onUnreadable">,
    Pick<DeletionsOptions, "audit" | "wallMs"> {
  readonly timing: LifecycleTiming;
  readonly steadyMs: () => number;
  readonly onFailure: (error: unknown) => void;
}

export class Lifecycle {
  readonly deletions: Deletions;
  readonly #options: LifecycleOptions;
  readonly #turn: PassTurn;
  #pass: AsyncGenerator<Place> | null = null;
  #restUntilMs: number;
  #passCount = 0;
  #failureCount = 0;

  constructor(options: LifecycleOptions) {
    const { timing, steadyMs, space } = options;
    this.#options = options;
    this.deletions = new Deletions(options);
    this.#turn = new PassTurn({ ...timing, steadyMs, vault: space.vault });
    this.#restUntilMs = steadyMs() + timing.firstAfterMs;
  }

  /** Number of passes that this coordinator has completed. */
  get passCount(): number {
    return this.#passCount;
  }

  get failureCount(): number {
    return this.#failureCount;
  }

  /** Processes one page of a pass if it is due. Never rejects. */
  async step(): Promise<void> {
    const { steadyMs, timing, onFailure } = this.#options;
    const startMs = steadyMs();
    if (startMs < this.#restUntilMs) return;
    try {
      const isPassing = await this.#step();
      const restMs = isPassing ? REST_FACTOR * (steadyMs() - startMs) : timing.lookEveryMs;
      this.#restUntilMs = steadyMs() + restMs;
    } catch (error) {
      this.#pass = null;
      this.#restUntilMs = steadyMs() + timing.lookEveryMs;
      if (error instanceof TurnLost) return;
      this.#failureCount += 1;
      onFailure(error);
    } finally {
      // If the log cannot be written now, it is written after a later page.
      await this.deletions.writeAudit().catch(onFailure);
    }
  }

  /** Resolves with false if nothing is due. */
  async #step(): Promise<boolean> {
    const { readTimeMs, onFailure } = this.#options;
    const timeMs = await readTimeMs();
    if (this.#pass === null) {
      const from = await this.#turn.take(timeMs);
      if (from === null) return false;
      const { deletions } = this;
      const onUnreadable: PassOptions["onUnreadable"] = (bucket, cause) => {
        this.#failureCount += 1;
        onFailure(new Error(`The lifecycle rules of ${bucket} cannot be read; it is skipped.`, { cause }));
      };
      this.#pass = runPass({ ...this.#options, deletions, onUnreadable }, from);
    }
    const { done, value } = await this.#pass.next();
    if (!done) {
      await this.#turn.keep(value, timeMs);
      return true;
    }
    await this.#turn.end(timeMs);
    this.#pass = null;
    this.#passCount += 1;
    return false;
  }
}

export interface RunningLifecycle {
  /** Resolves when the current page is done. */
  stop(): Promise<void>;
}

const STEP_EVERY_MS = 1000;

export function runLifecycle(lifecycle: Lifecycle, { lookEveryMs }: LifecycleTiming): RunningLifecycle {
  let underway: Promise<void> | null = null;
  const step = (): void => {
    underway ??= lifecycle.step().finally(() => {
      underway = null;
    });
  };
  const timer = setInterval(step, Math.min(STEP_EVERY_MS, lookEveryMs));
  return {
    stop: async () => {
      clearInterval(timer);
      await underway;
    },
  };
}
