/** One sample of a process's memory, as written by the probe in it. */
export interface MemorySample {
  /** Time since the process started. */
  readonly seconds: number;
  readonly residentBytes: number;
  /** Resident bytes of the process's own memory, without mapped files. */
  readonly anonymousBytes: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  /** Memory of V8's objects outside its heap; array buffers are part of it. */
  readonly externalBytes: number;
  readonly arrayBuffersBytes: number;
}

export type MemoryFigure = Exclude<keyof MemorySample, "seconds">;

/**
 * Bytes per minute, by least squares over the second half of the time; null with fewer than three samples there. In the
 * first half caches fill and V8 finds the size of its heap.
 */
export function slopePerMinute(samples: readonly MemorySample[], figure: MemoryFigure): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return null;
  const fromSeconds = (first.seconds + last.seconds) / 2;
  const points = samples
    .filter(({ seconds }) => seconds >= fromSeconds)
    .map((sample) => ({ x: sample.seconds / 60, y: sample[figure] }));
  if (points.length < 3) return null;
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  const covariance = mean(points.map(({ x, y }) => (x - meanX) * (y - meanY)));
  const variance = mean(points.map(({ x }) => (x - meanX) ** 2));
  return variance === 0 ? null : covariance / variance;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Minimum of each value within each minute, at the minute's start. A heap's garbage comes and goes, so only this shows
 * the memory that a process retains. An incomplete minute has too few samples and is left out.
 */
export function floorsByMinute(samples: readonly MemorySample[]): MemorySample[] {
  const byMinute = Map.groupBy(samples, ({ seconds }) => Math.floor(seconds / 60));
  const mostCount = Math.max(...[...byMinute.values()].map((some) => some.length));
  const whole = [...byMinute].filter(([, some]) => some.length > mostCount / 2);
  return whole.map(([minute, some]) => {
    const least = (figure: MemoryFigure) => Math.min(...some.map((sample) => sample[figure]));
    return {
      seconds: minute * 60,
      residentBytes: least("residentBytes"),
      anonymousBytes: least("anonymousBytes"),
      heapUsedBytes: least("heapUsedBytes"),
      heapTotalBytes: least("heapTotalBytes"),
      externalBytes: least("externalBytes"),
      arrayBuffersBytes: least("arrayBuffersBytes"),
    };
  });
}
