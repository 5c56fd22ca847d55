import { expect, test } from "vitest";
import type { Quarantine } from "../config/index.ts";
import { createAgentRecorder } from "./node-metrics.ts";
import { quarantineMetric } from "./quarantine-metric.ts";

const metric = "stashlight_stash_quarantine_seconds";

test("a quarantine is reported with its operator until the device is released", () => {
  let quarantine: Quarantine | null = null;
  const recorder = createAgentRecorder("stash");
  const labels = { stash: "stash-1", device: "s7", modelled: undefined };
  const refresh = quarantineMetric(recorder, labels, () => 60_000);
  const reported = () => {
    refresh({ quarantine: () => quarantine });
    return recorder
      .takeWindow()
      .gauges.flatMap(({ metric: name, labels: { device, operator }, value }) =>
        name === metric ? [[device, operator, value]] : [],
      );
  };
  expect(reported()).toEqual([]);
  quarantine = { sinceMs: 50_000, by: "ann@desk" };
  expect(reported()).toEqual([["s7", "ann@desk", 10]]);
  quarantine = { sinceMs: 55_000, by: "bob@desk" };
  expect(reported()).toEqual([["s7", "bob@desk", 5]]);
  quarantine = null;
  expect(reported()).toEqual([]);
});
