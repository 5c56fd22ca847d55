/** One mutant, or the write path as it is, run through seeds until a promise breaks. */
import { drawOptions, type RunOptions } from "../options.ts";
import { numbersFrom } from "./crew.ts";
import type { Finding } from "./examine.ts";
import { HangError, SimulationThread } from "./pool.ts";

export interface Verdict {
  /** Null when it survived. */
  readonly finding: Finding | null;
  /** The seed that found it. */
  readonly seed: number | null;
  /** How many seeds were run, that one included. */
  readonly seedCount: number;
}

/** On the quick disks: what the log may do wrong is not what a mutant of the protocol does. */
export function huntOptions(seed: number): RunOptions {
  return { ...drawOptions(seed), medium: "records" };
}

/**
 * A seed that fails without the mistake as well does not count: it is a finding of its own, which pnpm sim would make.
 */
export async function hunt(mutantName: string | null, from: number, seedCountMax: number): Promise<Verdict> {
  const mutated = new SimulationThread({ mutantName });
  const whole = new SimulationThread({ mutantName: null });
  try {
    let seedCount = 0;
    for (const seed of numbersFrom(from, seedCountMax)) {
      seedCount += 1;
      const finding = await examineOnce(mutated, seed);
      if (finding === null) continue;
      if (mutantName === null || (await examineOnce(whole, seed)) === null)
        return { finding, seed, seedCount };
    }
    return { finding: null, seed: null, seedCount };
  } finally {
    await Promise.all([mutated.end(), whole.end()]);
  }
}

async function examineOnce(thread: SimulationThread, seed: number): Promise<Finding | null> {
  try {
    const { finding } = await thread.do({ type: "examine", options: huntOptions(seed), isTwice: false });
    return finding;
  } catch (error) {
    if (error instanceof HangError) return { property: "liveness", sentence: error.message };
    throw error;
  }
}
