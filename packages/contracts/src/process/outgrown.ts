/** When an installation outgrows one Postgres at its growth, and what that is reckoned from. */
import type { HealthState } from "./health.ts";

export type StoreProfile = "plain" | "timescale" | "citus";

export interface OutgrownFigure {
  name: string;
  /** Null where there is none, with the reason in `missing`. */
  value: number | null;
  unit: "nodes" | "nodes a month" | "rows/s" | "bytes" | "seconds";
  /** Half of the 95 % interval, in the same unit; null of what is counted. */
  error: number | null;
  /** In the same unit; null where nothing is judged by it. */
  limit: number | null;
  sampleCount: number;
  source: string;
  missing: string;
}

export interface Outgrown {
  readAt: Date;
  /** Null where it could not be read. */
  profile: StoreProfile | null;
  state: HealthState;
  sentence: string;
  figures: OutgrownFigure[];
}
