/** Runs one mutant, or the unmodified write path, through seeds until a promise breaks. */
import { mutantNamed } from "../mutants/install-mutant.ts";
import { drawOptions, type RunOptions } from "../options.ts";
import { numbersFrom } from "./bounded-concurrency.ts";
import type { Finding } from "./examine.ts";
import { HangError, SimulationThread } from "./pool.ts";

export interface Verdict {
  /** Null if the mutant survived. */
  readonly finding: Finding | null;
  /** Seed that found the mutant. */
  readonly seed: number | null;
  /** Number of seeds run, including the one that found the mutant. */
  readonly seedCount: number;
}

/**
 * Uses the model of records, which is faster, unless the mistake is in the log or the store. Those mistakes show on the
 * real log, once it is full.
 */
export function huntOptions(seed: number, mutantName: string | null): RunOptions {
  const options = drawOptions(seed);
  if (!needsRealLog(mutantName)) return { ...options, medium: "records" };
  return { ...options, medium: "log", trial: options.isAtWall ? "wall" : options.trial };
}

function needsRealLog(mutantName: string | null): boolean {
  if (mutantName === null) return false;
  const { folder, medium } = mutantNamed(mutantName);
  return medium === "log" || folder === "shard-log" || folder === "shard-store";
}

/** Ignores a seed that also fails without the mistake: `pnpm sim` reports that as a separate finding. */
export async function hunt(mutantName: string | null, from: number, seedCountMax: number): Promise<Verdict> {
  const mutated = new SimulationThread({ mutantName });
  const whole = new SimulationThread({ mutantName: null });
  try {
    let seedCount = 0;
    for (const seed of numbersFrom(from, seedCountMax)) {
      seedCount += 1;
      const options = huntOptions(seed, mutantName);
      const finding = await examineOnce(mutated, options);
      if (finding === null) continue;
      if (mutantName === null || (await examineOnce(whole, options)) === null)
        return { finding, seed, seedCount };
    }
    return { finding: null, seed: null, seedCount };
  } finally {
    await Promise.all([mutated.end(), whole.end()]);
  }
}

async function examineOnce(thread: SimulationThread, options: RunOptions): Promise<Finding | null> {
  try {
    const { finding } = await thread.do({ type: "examine", options, isTwice: false });
    return finding;
  } catch (error) {
    if (error instanceof HangError) return { property: "liveness", sentence: error.message };
    throw error;
  }
}
