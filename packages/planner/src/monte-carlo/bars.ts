export interface Bar {
  readonly from: number;
  /** Equal to `from` if each value has its own bar. */
  readonly to: number;
  readonly draws: number;
  readonly share: number;
}

const BARS_MAX = 40;

/** Returns sorted integers as at most 40 bars of equal width, including empty ones. */
export function histogramBars(sorted: Float64Array): Bar[] {
  const first = sorted[0] ?? 0;
  const last = sorted.at(-1) ?? first;
  const width = Math.max(1, Math.ceil((last - first + 1) / BARS_MAX));
  const counts = new Array<number>(Math.floor((last - first) / width) + 1).fill(0);
  for (const value of sorted) {
    const at = Math.floor((value - first) / width);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.map((draws, at) => ({
    from: first + at * width,
    to: first + (at + 1) * width - 1,
    draws,
    share: draws / sorted.length,
  }));
}
