import { createRecorder } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { type DriveHealth, parseSmart, type SmartAnswer } from "./smart.ts";
import { SmartMetrics } from "./smart-metrics.ts";

const nothing: DriveHealth = {
  ...{ isHealthy: null, wearRatio: null, spareRatio: null, badSectors: null, temperatureCelsius: null },
};

const nvme = {
  smartctl: { version: [7, 3], exit_status: 0 },
  smart_status: { passed: true, nvme: { value: 0 } },
  nvme_smart_health_information_log: {
    ...{ critical_warning: 0, temperature: 41, available_spare: 97, percentage_used: 12, media_errors: 3 },
  },
  temperature: { current: 41 },
};

const ata = {
  smart_status: { passed: false },
  ata_smart_attributes: {
    table: [
      { id: 5, name: "Reallocated_Sector_Ct", raw: { value: 8 } },
      { id: 9, name: "Power_On_Hours", raw: { value: 30_000 } },
      { id: 197, name: "Current_Pending_Sector", raw: { value: 2 ** 32 + 2 } },
      { id: 198, name: "Offline_Uncorrectable", raw: { value: 1 } },
    ],
  },
  temperature: { current: 33 },
  endurance_used: { current_percent: 4 },
};

test.each<[string, unknown, Partial<DriveHealth>]>([
  [
    "an NVMe drive",
    nvme,
    { isHealthy: true, wearRatio: 0.12, spareRatio: 0.97, badSectors: 3, temperatureCelsius: 41 },
  ],
  [
    "one with a critical warning",
    { nvme_smart_health_information_log: { critical_warning: 1 } },
    { isHealthy: false },
  ],
  ["an ATA drive", ata, { isHealthy: false, wearRatio: 0.04, badSectors: 11, temperatureCelsius: 33 }],
  ["a drive that only says that it is well", { smart_status: { passed: true } }, { isHealthy: true }],
])("%s tells its health", (_, printed, expected) => {
  expect(parseSmart(JSON.stringify(printed))).toEqual({
    type: "health",
    health: { ...nothing, ...expected },
  });
});

test.each<[string, string, SmartAnswer["type"], string]>([
  [
    "a drive that sleeps",
    JSON.stringify({ smartctl: { messages: [{ string: "Device is in STANDBY mode, exit(2)" }] } }),
    "asleep",
    "",
  ],
  [
    "a drive that may not be asked",
    JSON.stringify({ smartctl: { messages: [{ string: "Permission denied" }] } }),
    "silent",
    "Permission denied",
  ],
  ["a drive without SMART", "{}", "silent", "The drive tells nothing by SMART."],
  ["an old smartctl", "smartctl 6.6 2017", "silent", "older than 7.0"],
  ["another form", `{"smart_status":{"passed":"yes"}}`, "silent", "another form"],
])("%s", (_, printed, type, reason) => {
  const answer = parseSmart(printed);
  expect(answer.type).toBe(type);
  if (answer.type === "silent") expect(answer.reason).toContain(reason);
});

test("what a sleeping drive said last stays, and a drive that is silent or gone is a gap", async () => {
  const recorder = createRecorder({ nowMs: () => 0 });
  const told: unknown[] = [];
  let answer = parseSmart(JSON.stringify(nvme));
  const smart = new SmartMetrics({
    recorder,
    logger: { info: (fields: unknown) => void told.push(fields) },
    ask: async () => answer,
  });
  const drive = { name: "nvme0n1", medium: "ssd", sizeBytes: 1, sequence: null } as const;
  const healthy = () =>
    recorder.takeWindow().gauges.find(({ metric }) => metric === "stashlight_device_healthy")?.value;
  await smart.refresh([drive]);
  expect(healthy()).toBe(1);
  answer = { type: "asleep" };
  await smart.refresh([drive]);
  expect(healthy()).toBe(1);
  answer = { type: "silent", reason: "Permission denied" };
  await smart.refresh([drive]);
  await smart.refresh([drive]);
  expect(healthy()).toBeUndefined();
  expect(told).toEqual([{ drive: "nvme0n1", reason: "Permission denied" }]);
  answer = parseSmart(JSON.stringify(nvme));
  await smart.refresh([drive]);
  await smart.refresh([]);
  expect(healthy()).toBeUndefined();
});
