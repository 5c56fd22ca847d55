/**
 * Examines one seed, or one recorded run: which guarantees it violates, what happened in it, and whether it is
 * deterministic.
 */
import type { Violation } from "../check/oracle.ts";
import type { RunOptions } from "../options.ts";
import { type RunObserver, type RunResult, run } from "../run.ts";
import { SituationCounter } from "./situations.ts";

export interface Finding {
  /**
   * `invariant`: an assertion of the write path ended a node. `determinism`: two runs with the same options diverged.
   */
  readonly property: Violation["property"] | "invariant" | "determinism";
  readonly sentence: string;
}

export interface Examination {
  readonly seed: number;
  /** Null if nothing is wrong. */
  readonly finding: Finding | null;
  /** Events of all runs. */
  readonly eventCount: number;
  /** CPU time of this thread. */
  readonly spentMs: number;
  readonly counters: readonly (readonly [name: string, count: number])[];
}

export function examineRun(options: RunOptions, observer?: RunObserver): [Finding | null, RunResult | null] {
  try {
    const result = run(options, observer);
    return [result.violations[0] ?? null, result];
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    return [{ property: "invariant", sentence }, null];
  }
}

/** Runs the options twice: a dependence on anything else would make a failure that cannot be replayed. */
export function examine(options: RunOptions, isTwice: boolean): Examination {
  const start = process.threadCpuUsage();
  const situations = new SituationCounter();
  const [found, first] = examineRun(options, { begin: (world) => situations.attach(world) });
  let finding = found;
  let runCount = 1;
  if (isTwice && first !== null) {
    const [, second] = examineRun(options);
    runCount = 2;
    finding ??= compareRuns(first, second);
  }
  const spent = process.threadCpuUsage(start);
  return {
    seed: options.seed,
    finding,
    eventCount: (first?.eventCount ?? 0) * runCount,
    spentMs: (spent.user + spent.system) / 1000,
    counters: [...(first?.counters ?? []), ...situations.entries()],
  };
}

function compareRuns(first: RunResult, second: RunResult | null): Finding | null {
  if (second?.traceHash === first.traceHash && second.eventCount === first.eventCount) return null;
  const sentence = `Two runs of the same options differ: ${first.eventCount} events with trace hash ${first.traceHash}, and ${second?.eventCount ?? 0} with ${second?.traceHash ?? 0}.`;
  return { property: "determinism", sentence };
}
