export interface Measurement {
  name: string;
  value: number;
  unit: "s" | "ms" | "us" | "B" | "kB" | "MB" | "MB/s" | "1/s" | "%";
  /** Divisor of the value: another measurement of this run, or a budget. */
  against: { name: string; value: number };
}
