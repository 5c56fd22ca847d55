/** Reduces a failing run as far as it still violates the same promise. */
import type { RunOptions } from "../options.ts";
import { minimise } from "./minimise.ts";

export interface Shrunk {
  readonly options: RunOptions;
  readonly runCount: number;
}

const SHORTEST_MS = 1;

/** `fails` runs the options. Once `mayGoOn` returns false, the search ends with the result so far. */
export function shrink(
  options: RunOptions,
  fails: (options: RunOptions) => boolean,
  mayGoOn: () => boolean,
): Shrunk {
  let smallest = options;
  let runCount = 0;
  const tryOut = (candidate: RunOptions): boolean => {
    if (!mayGoOn()) return false;
    runCount += 1;
    if (!fails(candidate)) return false;
    smallest = candidate;
    return true;
  };
  tryOut(withoutMessageFaults(smallest));
  // Removing operations may have made faults unnecessary, and vice versa.
  for (let before: RunOptions | null = null; before !== smallest; ) {
    before = smallest;
    minimise(smallest.faults, (faults) => tryOut({ ...smallest, faults }));
    minimise(smallest.operations, (operations) => tryOut({ ...smallest, operations }));
  }
  tryOut({ ...smallest, coordinatorCount: 1 });
  for (let i = 0; i < smallest.faults.length; i += 1) {
    let shorter = withShorterFault(smallest, i);
    while (shorter !== null && tryOut(shorter)) shorter = withShorterFault(smallest, i);
  }
  return { options: smallest, runCount };
}

function withoutMessageFaults(options: RunOptions): RunOptions {
  const none = { lossProbability: 0, doubleProbability: 0, strayProbability: 0 };
  return { ...options, network: { ...options.network, ...none } };
}

/** Returns the options with a shorter fault; null if it cannot be shortened. */
function withShorterFault(options: RunOptions, i: number): RunOptions | null {
  const fault = options.faults[i];
  if (!fault || fault.durationMs <= SHORTEST_MS) return null;
  const durationMs = Math.max(SHORTEST_MS, Math.floor(fault.durationMs / 2));
  return { ...options, faults: options.faults.with(i, { ...fault, durationMs }) };
}
