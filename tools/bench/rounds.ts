/** One of several implementations of the same work, measured alternately with the others. */
export interface Contestant {
  readonly name: string;
  /** Bytes counted per run. */
  readonly bytes: number;
  readonly run: () => void;
}

/** Minimum duration of one measurement, so that timer resolution and code switches are negligible. */
const turnUs = 5000;

/**
 * Median speed of each contestant, in MB (10^6 bytes) per second of CPU time. Excludes time in which other processes
 * had the core; each contestant has a turn in every round, so that disturbances affect all alike.
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

/** The measurement also lets V8 optimise the code before the first round. */
function runsInTurn(run: () => void): number {
  let runCount = 16;
  timeRuns(run, runCount);
  while (timeRuns(run, runCount) < turnUs) runCount *= 2;
  return runCount;
}

/** Microseconds of CPU time; a byte per microsecond is 1 MB/s. */
function timeRuns(run: () => void, count: number): number {
  const start = process.cpuUsage();
  for (let done = 0; done < count; done += 1) run();
  const spent = process.cpuUsage(start);
  return spent.user + spent.system;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

/** Returns the duration of the action in milliseconds. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}
