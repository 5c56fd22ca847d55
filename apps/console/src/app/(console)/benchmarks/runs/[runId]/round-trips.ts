/** Round trips measured beside samples, for the run's page. */
import type { BenchmarkGroupRow } from "@stashlight/contracts/benchmark";
import { percentileSamplesMin } from "@stashlight/stats/rank";
import { formatCount } from "@stashlight/ui";

type RoundTrips = Pick<BenchmarkGroupRow, "operation" | "rttCount" | "rttMissedCount">;

export interface RoundTripRow {
  readonly group: BenchmarkGroupRow;
  readonly medianMs: number | null;
  /** Null if too few pings arrived, or too many arrived late, for a result. */
  readonly rttMedianMs: number | null;
  readonly rttP95Ms: number | null;
  /** Median latency in round trips. */
  readonly inRtts: number | null;
  readonly inTimeCount: number;
  readonly missedCount: number;
}

/** One row per group with pings beside its samples. */
export function roundTripRows(groups: readonly BenchmarkGroupRow[]): RoundTripRow[] {
  return groups.flatMap((group): RoundTripRow[] => {
    const { rttCount, rttMissedCount, rttMedianMs, rttP95Ms } = group;
    if (rttCount === null) return [];
    const missedCount = rttMissedCount ?? 0;
    const pingCount = rttCount + missedCount;
    const given = (value: number | null, perMillion: number) =>
      pingCount < percentileSamplesMin(perMillion) ? null : value;
    const medianMs = group.n < percentileSamplesMin(500_000) ? null : group.medianMs;
    const rtt = given(rttMedianMs, 500_000);
    return [
      {
        group,
        medianMs,
        rttMedianMs: rtt,
        rttP95Ms: given(rttP95Ms, 950_000),
        inRtts: medianMs === null || rtt === null || rtt === 0 ? null : medianMs / rtt,
        inTimeCount: rttCount,
        missedCount,
      },
    ];
  });
}

/** Reports whether round trips were measured beside the samples, before or after them, or not at all. */
export function formatRoundTrips(groups: readonly RoundTrips[]): string {
  if (groups.some(({ rttCount }) => rttCount !== null)) {
    const missed = groups.reduce((sum, { rttMissedCount }) => sum + (rttMissedCount ?? 0), 0);
    const count = groups.reduce((sum, { rttCount }) => sum + (rttCount ?? 0), 0);
    const late = missed === 0 ? "" : `; ${formatCount(missed)} more were late or failed`;
    return `beside ${formatCount(count)} samples${late}`;
  }
  return groups.some(({ operation }) => operation === "TCP_CONNECT")
    ? "per leg, by pings recorded as separate samples"
    : "not measured";
}
