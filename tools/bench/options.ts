import type { FleetBenchOptions } from "./telemetry/simulated-fleet.ts";

/** Command line options of single benchmarks. */
export interface BenchOptions {
  /** A simulated fleet instead of batches; for `telemetry`. */
  readonly fleet?: FleetBenchOptions;
  /** Commit to compare this tree with; for `vault`. */
  readonly against?: string;
  /** Measures the cost of TLS; for `vault`. */
  readonly isTls?: boolean;
  /** Measures the cost of encryption at rest; for `vault`. */
  readonly isEncryption?: boolean;
  /** Measures what a scrub costs clients; for `vault`. */
  readonly isScrub?: boolean;
  /** Measures whole vaults instead of a pod's index; for `scale`. */
  readonly isVault?: boolean;
  /** Measures the three pods of one machine with ten million objects; for `scale`. */
  readonly isOfPods?: boolean;
  /** Measures the distribution of CPU time instead of throughput; for `vault`. */
  readonly isProfile: boolean;
}
