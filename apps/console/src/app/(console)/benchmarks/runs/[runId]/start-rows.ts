/** Rows of the run page on when operations started, by kind. */
import type { BenchmarkGroupRow } from "@stashlight/contracts/benchmark";
import { percentileSamplesMin } from "@stashlight/stats/rank";

export interface StartRow {
  readonly group: BenchmarkGroupRow;
  /** p50, p99 and maximum of start delays, or of the pauses before operations. */
  readonly startsMs: readonly (number | null)[];
  /** Null in a closed loop. */
  readonly lateCount: number | null;
  /** Median, p95 and maximum; empty in a closed loop, whose latencies are service times already. */
  readonly serviceMs: readonly (number | null)[];
}

export function startRows(groups: readonly BenchmarkGroupRow[]): {
  readonly due: readonly StartRow[];
  readonly pauses: readonly StartRow[];
} {
  const due: StartRow[] = [];
  const pauses: StartRow[] = [];
  for (const group of groups) {
    const { starts, n } = group;
    if (starts === null) continue;
    const startsMs = [starts.p50Ms, starts.p99Ms, starts.maxMs];
    if (starts.kind === "pause") {
      pauses.push({ group, startsMs, lateCount: null, serviceMs: [] });
      continue;
    }
    const { medianMs, p95Ms, maxMs } = starts.service;
    const serviceMs = [medianMs, n < percentileSamplesMin(950_000) ? null : p95Ms, maxMs];
    due.push({ group, startsMs, lateCount: starts.lateCount, serviceMs });
  }
  return { due, pauses };
}
