import type { FleetBenchOptions } from "./telemetry/simulated-fleet.ts";

export interface Measurement {
  name: string;
  value: number;
  unit: "s" | "ms" | "us" | "B" | "kB" | "MB" | "MB/s" | "1/s" | "%";
  /** What the value is divided by: another measurement of this run, or a budget. */
  against: { name: string; value: number };
}

/** What the command line asks of single benches. */
export interface BenchOptions {
  /** A simulated fleet instead of batches; for `telemetry`. */
  readonly fleet?: FleetBenchOptions;
  /** The commit that this tree is measured against; for `vault`. */
  readonly against?: string;
  /** Where processor time goes instead of how much is stored; for `vault`. */
  readonly isProfile: boolean;
}
