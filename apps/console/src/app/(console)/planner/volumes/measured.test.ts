import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { metricAnswer } from "../../../../client/metrics/testing.ts";
import { toDemand } from "./measured.ts";

const answer = (endMs: number[], increase: number[]): MetricAnswer =>
  metricAnswer(
    "stashlight_device_writes_total",
    [{ labels: {}, endMs, columns: { kind: "counter", increase } }],
    { kind: "counter", newestMs: 40_000 },
  );

test("windows become steps of operations per second and their size; missing ones are left out and counted", () => {
  const demand = toDemand(
    answer([10_000, 20_000, 40_000], [100, 0, 50]),
    answer([10_000, 20_000, 30_000, 40_000], [819_200, 0, 5, 204_800]),
  );
  expect(demand).toEqual({
    missingCount: 1,
    steps: [
      { seconds: 10, iops: 10, kib: 8, readShare: 0 },
      { seconds: 10, iops: 0, kib: 4, readShare: 0 },
      { seconds: 10, iops: 5, kib: 4, readShare: 0 },
    ],
  });
});

test("a drive without measurements has no demand", () => {
  expect(toDemand(answer([], []), answer([], []))).toEqual({ steps: [], missingCount: 0 });
});
