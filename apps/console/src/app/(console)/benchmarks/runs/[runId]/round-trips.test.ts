import type { BenchmarkGroupRow } from "@stashlight/contracts/benchmark";
import { expect, test } from "vitest";
import { formatRoundTrips, roundTripRows } from "./round-trips.ts";

const group = (operation: BenchmarkGroupRow["operation"], changes: Partial<BenchmarkGroupRow> = {}) => {
  const figures = { meanMs: null, sdMs: null, minMs: null, p5Ms: null, p25Ms: null, medianMs: 30 };
  const upper = { p75Ms: null, p90Ms: null, p95Ms: null, maxMs: null, medianLowMs: null, medianHighMs: null };
  const counts = { n: 100, failureCount: 0, taggedCount: 0, coldCount: 0 };
  const none = { rttCount: null, rttMissedCount: null, rttMedianMs: null, rttP95Ms: null, starts: null };
  return {
    operation,
    sizeBytes: 1000,
    connectionCount: 1,
    ...counts,
    ...figures,
    ...upper,
    ...none,
    ...changes,
  };
};

test.each([
  [[], "not measured"],
  [[group("PUT")], "not measured"],
  [[group("PUT"), group("TCP_CONNECT")], "per leg, by pings recorded as separate samples"],
  [[group("PUT", { rttCount: 100, rttMissedCount: 0 }), group("TCP_CONNECT")], "beside 100 samples"],
  [
    [group("PUT", { rttCount: 98, rttMissedCount: 2 }), group("GET", { rttCount: 90, rttMissedCount: 10 })],
    "beside 188 samples; 12 more were late or failed",
  ],
])("case %#: round trips are reported as measured %s", (groups, words) => {
  expect(formatRoundTrips(groups)).toBe(words);
});

test("a group with pings beside its samples reports its median in round trips", () => {
  const put = group("PUT", { rttCount: 98, rttMissedCount: 2, rttMedianMs: 12, rttP95Ms: 14 });
  expect(roundTripRows([put, group("TCP_CONNECT")])).toEqual([
    {
      group: put,
      medianMs: 30,
      rttMedianMs: 12,
      rttP95Ms: 14,
      inRtts: 2.5,
      inTimeCount: 98,
      missedCount: 2,
    },
  ]);
});

test.each([
  [
    "58 pings are too few for a p95",
    { rttCount: 50, rttMissedCount: 8 },
    { rttMedianMs: 12, rttP95Ms: null },
  ],
  [
    "4 pings are too few for a median",
    { rttCount: 4, rttMissedCount: 0 },
    { rttMedianMs: null, inRtts: null },
  ],
  [
    "late pings leave the median unknown",
    { rttCount: 40, rttMissedCount: 60, rttMedianMs: null },
    { rttMedianMs: null, inRtts: null, missedCount: 60 },
  ],
  [
    "no upload succeeded",
    { rttCount: 100, rttMissedCount: 0, medianMs: null },
    { rttMedianMs: 12, inRtts: null },
  ],
])("values that cannot be computed are left out: %s", (_, changes, expected) => {
  const [row] = roundTripRows([group("PUT", { rttMedianMs: 12, rttP95Ms: 14, ...changes })]);
  expect(row).toMatchObject(expected);
});
