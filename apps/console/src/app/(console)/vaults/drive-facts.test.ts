import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { gaugeColumns, metricAnswer } from "../../../client/metrics/testing.ts";
import { driveFactSelections, readDriveFacts } from "./drive-facts.ts";

const series = (value: number, labels: MetricSeries["labels"] = {}, endMs = 100_000): MetricSeries => ({
  labels,
  endMs: [endMs],
  columns: gaugeColumns([value]),
});

const answers = (given: Partial<Record<MetricName, MetricSeries[]>>): MetricAnswer[] =>
  driveFactSelections({}).map(({ metric }) =>
    metricAnswer(metric, given[metric] ?? [], { newestMs: 100_000 }),
  );

const identity = { model: "Micron 7450", serial: "S1", firmware: "E2MU200" };

test("a drive that reports everything shows its identity and health, and no sentence", () => {
  const facts = readDriveFacts(
    answers({
      stashlight_device_info: [series(1, identity)],
      stashlight_device_healthy: [series(1)],
      stashlight_device_wear_ratio: [series(0.12)],
      stashlight_device_wear_source_info: [series(1, { source: "177 Wear_Leveling_Count" })],
      stashlight_device_uncorrected_errors: [series(10)],
      stashlight_device_temperature_celsius: [series(41)],
    }),
    false,
  );
  expect(facts).toMatchObject({
    ...identity,
    isHealthy: true,
    wearRatio: 0.12,
    temperatureCelsius: 41,
    badSectors: null,
    wearSource: "177 Wear_Leveling_Count",
    uncorrectedErrors: 10,
    sentences: [],
  });
});

test("the newer drive counts after a replacement within the range", () => {
  const old = { model: "Old", serial: "S0", firmware: "A" };
  const info = [series(1, identity, 100_000), series(1, old, 40_000)];
  expect(readDriveFacts(answers({ stashlight_device_info: info }), false)).toMatchObject(identity);
});

test.each([
  ["not_installed", /smartctl is not installed.*Install smartmontools/],
  ["not_permitted", /not allowed to query.*as root/],
  ["unsupported", /has no SMART.*physical drive/],
  ["unreadable", /not understood.*smartmontools 7/],
])("missing SMART values have a sentence on how to get them: %s", (silence, sentence) => {
  const { sentences } = readDriveFacts(
    answers({
      stashlight_device_info: [series(1, { ...identity, serial: "" })],
      stashlight_device_smart_silent_info: [series(1, { silence })],
    }),
    false,
  );
  expect(sentences).toHaveLength(2);
  expect(sentences[0]).toMatch(/does not report the serial number\. Run the agent as root/);
  expect(sentences[1]).toMatch(sentence);
});

test("a drive that reports nothing has a sentence instead of dashes, as a simulated drive does", () => {
  expect(readDriveFacts(answers({}), false)).toMatchObject({
    model: null,
    sentences: [expect.stringMatching(/reported nothing.*Update the agent/)],
  });
  expect(readDriveFacts(answers({}), true).sentences).toEqual([expect.stringContaining("simulated")]);
  const nameless = answers({ stashlight_device_healthy: [series(0)] });
  expect(readDriveFacts(nameless, false)).toMatchObject({
    isHealthy: false,
    sentences: [expect.stringContaining("the model, serial number and firmware.")],
  });
});
