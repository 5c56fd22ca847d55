const DAYS_PER_YEAR = 365;
/** Quantile of the normal distribution; with 14 days and more Student's is hardly wider. */
const Z_95 = 1.96;

export interface YearlyGrowth {
  /** 0.3 means growth by 30 % within a year. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Fits a line by least squares to the logarithms of daily counts, so that a steady percentage is a straight line; the
 * interval is that of the slope. Null if a day has no uploads, which have no logarithm, or with fewer than three days.
 */
export function yearlyGrowth(days: readonly number[], counts: readonly number[]): YearlyGrowth | null {
  const n = days.length;
  if (n < 3 || counts.some((count) => count <= 0)) return null;
  const logs = counts.map(Math.log);
  const meanDay = sum(days) / n;
  const meanLog = sum(logs) / n;
  const spread = sum(days.map((day) => (day - meanDay) ** 2));
  if (spread === 0) return null;
  const slope = sum(days.map((day, i) => (day - meanDay) * ((logs[i] ?? 0) - meanLog))) / spread;
  const residual = sum(days.map((day, i) => ((logs[i] ?? 0) - meanLog - slope * (day - meanDay)) ** 2));
  const error = Math.sqrt(residual / (n - 2) / spread);
  const yearly = (perDay: number): number => Math.expm1(perDay * DAYS_PER_YEAR);
  return {
    value: yearly(slope),
    low: yearly(slope - Z_95 * error),
    high: yearly(slope + Z_95 * error),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
