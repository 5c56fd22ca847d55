export interface Measurement {
  name: string;
  value: number;
  unit: "ms" | "kB" | "MB";
  /** What the value is divided by: another measurement of this run, or a budget. */
  against: { name: string; value: number };
}
