/** One of several ways to do the same work, measured in turns with the others. */
export interface Contestant {
  readonly name: string;
  /** Bytes that count for one run. */
  readonly bytes: number;
  readonly run: () => void;
}

/** A turn lasts at least about this long, so that the timer and the change of code do not count. */
const turnUs = 5000;

/**
 * The median speed of each contestant in MB (10^6 bytes) a second of processor time. Time in which other processes
 * had the core does not count, and in every round each has a turn, so that what else disturbs hits all alike.
 */
export function medianSpeeds(contestants: readonly Contestant[], roundCount: number): Map<string, number> {
  const turns = contestants.map((contestant) => ({
    ...contestant,
    runCount: runsInTurn(contestant.run),
    speeds: [] as number[],
  }));
  for (let round = 0; round < roundCount; round += 1) {
    for (const { bytes, run, runCount, speeds } of turns) {
      speeds.push((bytes * runCount) / timeRuns(run, runCount));
    }
  }
  return new Map(turns.map(({ name, speeds }) => [name, median(speeds)]));
}

/** Measuring it also has the code compiled for speed before the first round. */
function runsInTurn(run: () => void): number {
  let runCount = 16;
  timeRuns(run, runCount);
  while (timeRuns(run, runCount) < turnUs) runCount *= 2;
  return runCount;
}

/** Microseconds of processor time; a byte a microsecond is 1 MB/s. */
function timeRuns(run: () => void, count: number): number {
  const start = process.cpuUsage();
  for (let done = 0; done < count; done += 1) run();
  const spent = process.cpuUsage(start);
  return spent.user + spent.system;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

/** Milliseconds. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}
