export interface Measurement {
  name: string;
  value: number;
  unit: "s" | "ms" | "us" | "B" | "kB" | "MB" | "MB/s" | "1/s" | "%";
  /** What the value is divided by: another measurement of this run, or a budget. */
  against: { name: string; value: number };
}
