import type { FleetBenchOptions } from "./telemetry/simulated-fleet.ts";

/** What the command line asks of single benches. */
export interface BenchOptions {
  /** A simulated fleet instead of batches; for `telemetry`. */
  readonly fleet?: FleetBenchOptions;
  /** The commit that this tree is measured against; for `vault`. */
  readonly against?: string;
  /** What TLS costs; for `vault`. */
  readonly isTls?: boolean;
  /** Where processor time goes instead of how much is stored; for `vault`. */
  readonly isProfile: boolean;
}
