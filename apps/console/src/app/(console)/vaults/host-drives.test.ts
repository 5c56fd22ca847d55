import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { hostDriveRows } from "./host-drives.ts";

const answer = (told: Readonly<Record<string, readonly number[]>>): MetricAnswer =>
  ({
    series: Object.entries(told).map(([device, last]) => ({
      labels: { tier: "ssd", device },
      columns: { kind: "gauge", min: last, max: last, avg: last, last },
    })),
  }) as unknown as MetricAnswer;

test("every drive with a size shows its newest figures, and figures that it does not report are unknown, not zero", () => {
  const rows = hostDriveRows([
    answer({ sda: [10, 20], vda: [30], gone: [] }),
    answer({ sda: [0.5, 0.25] }),
    answer({ sda: [1, 0] }),
    answer({ sda: [0.1] }),
    answer({ sda: [7] }),
    answer({ sda: [10] }),
    answer({ sda: [41] }),
  ]);
  const unknown = {
    isHealthy: null,
    wearRatio: null,
    badSectors: null,
    uncorrectedErrors: null,
    temperatureCelsius: null,
  };
  expect(rows).toEqual([
    {
      device: "sda",
      tier: "ssd",
      capacityBytes: 20,
      busyRatio: 0.25,
      isHealthy: false,
      wearRatio: 0.1,
      badSectors: 7,
      uncorrectedErrors: 10,
      temperatureCelsius: 41,
    },
    { device: "vda", tier: "ssd", capacityBytes: 30, busyRatio: null, ...unknown },
  ]);
});
