/** One look at a process's memory, as the probe in it writes it down. */
export interface MemorySample {
  /** Since the process started. */
  readonly seconds: number;
  readonly residentBytes: number;
  /** What of the resident bytes is memory of the process's own, rather than of files that it maps. */
  readonly anonymousBytes: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  /** What V8's objects hold outside of its heap; array buffers are part of it. */
  readonly externalBytes: number;
  readonly arrayBuffersBytes: number;
}

export type MemoryFigure = Exclude<keyof MemorySample, "seconds">;

/**
 * Bytes a minute, by least squares over the second half of the time; null with fewer than three samples there. In the
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
  const meanX = meanOf(points.map(({ x }) => x));
  const meanY = meanOf(points.map(({ y }) => y));
  const covariance = meanOf(points.map(({ x, y }) => (x - meanX) * (y - meanY)));
  const variance = meanOf(points.map(({ x }) => (x - meanX) ** 2));
  return variance === 0 ? null : covariance / variance;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The least of each figure within each minute, at the minute's beginning. A heap's garbage comes and goes, so what a
 * process really keeps shows only here. A minute that was cut short has too few samples to say it and is left out.
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
