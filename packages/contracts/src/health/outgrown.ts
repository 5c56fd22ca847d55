/** Forecast of when an installation outgrows one Postgres at its growth, with the inputs of the estimate. */
import type { HealthState } from "./health.ts";

export type StoreProfile = "plain" | "timescale" | "citus";

export interface OutgrownFigure {
  name: string;
  /** Null if there is none, with the reason in `missing`. */
  value: number | null;
  unit: "nodes" | "nodes a month" | "rows/s" | "bytes" | "seconds";
  /** Half of the 95 % interval, in the same unit; null for counts. */
  error: number | null;
  /** Limit in the same unit; null if there is none. */
  limit: number | null;
  sampleCount: number;
  source: string;
  missing: string;
}

export interface Outgrown {
  readAt: Date;
  /** Null if it could not be read. */
  profile: StoreProfile | null;
  state: HealthState;
  sentence: string;
  figures: OutgrownFigure[];
}
