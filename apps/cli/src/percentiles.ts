export interface Percentiles {
  readonly sampleCount: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** By nearest rank, so that each is a value that was measured. Null without any. */
export function percentilesOf(values: readonly number[]): Percentiles | null {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
  if (sorted.length === 0) return null;
  return { sampleCount: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}
