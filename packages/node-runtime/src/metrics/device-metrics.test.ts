import { createRecorder } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import type { DeviceReading } from "../device/device-watch.ts";
import { unknownIdentity } from "../device/identity.ts";
import { unknownHealth } from "../device/smart.ts";
import { watchDevice } from "./device-metrics.ts";

function create() {
  const recorder = createRecorder({ nowMs: () => 0 });
  let reading: DeviceReading | null = null;
  const labels = { tier: "stash", device: "s0", modelled: undefined } as const;
  watchDevice({ recorder, labels, reading: () => reading });
  return (next: DeviceReading | null): Record<string, number> => {
    reading = next;
    const { counters, gauges } = recorder.takeWindow();
    return Object.fromEntries([
      ...counters.map(({ metric, increase }) => [metric, increase]),
      ...gauges.map(({ metric, value }) => [metric, value]),
    ]);
  };
}

const device = (writeCount: number, rest: Partial<DeviceReading> = {}): DeviceReading => ({
  number: "259:0",
  writes: { writeCount, writtenBytes: writeCount * 4096 },
  account: null,
  ...rest,
});

const written = (count: number) => ({
  stashlight_device_writes_total: count,
  stashlight_device_written_bytes_total: count * 4096,
});

test("writes count from the first reading", () => {
  const read = create();
  expect(read(device(1_000_000))).toEqual(written(0));
  expect(read(device(1_000_005))).toEqual(written(5));
  expect(read(device(1_000_005))).toEqual(written(0));
});

test("the counts of another device, and counts that were reset, are not added to the writes", () => {
  const read = create();
  read(device(10));
  expect(read(device(5000, { number: "259:1" }))).toEqual(written(0));
  expect(read(device(5003, { number: "259:1" }))).toEqual(written(3));
  expect(read(device(1, { number: "259:1" }))).toEqual(written(0));
});

test("data written while the drive was not in use is not attributed to it", () => {
  const read = create();
  read(device(10));
  expect(read(null)).toEqual(written(0));
  expect(read(device(90))).toEqual(written(0));
});

test("a missing figure has no series", () => {
  const read = create();
  expect(read(null)).toEqual({});
  expect(read(device(0, { writes: null }))).toEqual({});
});

test("a drive's health data has series while it is known", () => {
  const read = create();
  const account = {
    identity: { ...unknownIdentity, model: "Micron 7450" },
    health: {
      ...unknownHealth,
      isHealthy: false,
      wearRatio: 0.5,
      wearSource: "177 Wear_Leveling_Count",
      uncorrectedErrors: 3,
    },
    silence: null,
  };
  expect(read(device(0, { writes: null, account }))).toEqual({
    stashlight_device_wear_ratio: 0.5,
    stashlight_device_wear_source_info: 1,
    stashlight_device_healthy: 0,
    stashlight_device_uncorrected_errors: 3,
    stashlight_device_info: 1,
  });
  const silent = { identity: unknownIdentity, health: unknownHealth, silence: "not_installed" } as const;
  expect(read(device(0, { writes: null, account: silent }))).toEqual({
    stashlight_device_smart_silent_info: 1,
  });
  expect(read(null)).toEqual({});
});
