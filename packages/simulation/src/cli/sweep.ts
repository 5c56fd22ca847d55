/** Runs many seeds on several threads until one fails. */
import { drawOptions, type FaultName } from "../options.ts";
import { numbersFrom, workOff } from "./bounded-concurrency.ts";
import type { Examination } from "./examine.ts";
import { HangError, SimulationThread } from "./pool.ts";

export interface Sweep {
  readonly from: number;
  readonly seedCount: number;
  readonly faults: readonly FaultName[];
  readonly jobs: number;
}

/** Calls `hear` for each seed as it finishes. Returns the lowest seed that failed, or null if none did. */
export async function sweep(
  { from, seedCount, faults, jobs }: Sweep,
  hear: (examination: Examination) => void,
): Promise<Examination | null> {
  const threads = Array.from({ length: Math.min(jobs, seedCount) }, () => {
    return new SimulationThread({ mutantName: null });
  });
  const failed: Examination[] = [];
  await workOff(numbersFrom(from, seedCount), threads.length, async (seed, i) => {
    const examination = await examineOn(threads[i] as SimulationThread, seed, faults);
    hear(examination);
    if (examination.finding !== null) failed.push(examination);
    return failed.length === 0;
  });
  await Promise.all(threads.map((thread) => thread.end()));
  return failed.sort((a, b) => a.seed - b.seed)[0] ?? null;
}

/** A hung thread cannot be reused; the run ends with it. */
async function examineOn(
  thread: SimulationThread,
  seed: number,
  faults: readonly FaultName[],
): Promise<Examination> {
  try {
    return await thread.do({ type: "examine", options: drawOptions(seed, faults), isTwice: true });
  } catch (error) {
    if (!(error instanceof HangError)) throw error;
    const finding = { property: "liveness", sentence: error.message } as const;
    return { seed, finding, eventCount: 0, spentMs: 0, counters: [] };
  }
}
