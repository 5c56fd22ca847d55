import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SmartAnswer } from "@stashlight/node-runtime/device";
import { createRecorder } from "@stashlight/telemetry";
import { expect, onTestFinished, test } from "vitest";
import { SmartMetrics } from "./smart-metrics.ts";

const well = {
  type: "health",
  health: {
    isHealthy: true,
    wearRatio: 0.12,
    wearSource: null,
    written: { host: null, flash: null },
    spareRatio: null,
    badSectors: 3,
    uncorrectedErrors: null,
    temperatureCelsius: 41,
  },
  identity: { model: null, serial: "S1", firmware: "F1" },
} as const satisfies SmartAnswer;

test("the last report of a sleeping drive is kept, and a silent or removed drive leaves a gap", async () => {
  const sysFolder = mkdtempSync(join(tmpdir(), "stashlight-sys-"));
  onTestFinished(() => rmSync(sysFolder, { recursive: true }));
  mkdirSync(join(sysFolder, "block/nvme0n1/device"), { recursive: true });
  writeFileSync(join(sysFolder, "block/nvme0n1/device/model"), "Micron 7450   \n");
  const recorder = createRecorder({ nowMs: () => 0 });
  const told: unknown[] = [];
  let answer: SmartAnswer = well;
  const smart = new SmartMetrics({
    recorder,
    sysFolder,
    logger: { info: (fields: unknown) => void told.push(fields) },
    ask: async () => answer,
  });
  const drive = { name: "nvme0n1", medium: "ssd", sizeBytes: 1, sequence: null } as const;
  const read = () => {
    const { gauges } = recorder.takeWindow();
    const of = (name: string) => gauges.find(({ metric }) => metric === name);
    const { model, serial, silence } = {
      ...of("stashlight_device_info")?.labels,
      ...of("stashlight_device_smart_silent_info")?.labels,
    };
    return { healthy: of("stashlight_device_healthy")?.value, model, serial, silence };
  };
  await smart.refresh([drive]);
  // The kernel knows the model, and the drive its serial number.
  const known = { healthy: 1, model: "Micron 7450", serial: "S1", silence: undefined };
  expect(read()).toEqual(known);
  answer = { type: "asleep" };
  await smart.refresh([drive]);
  expect(read()).toEqual(known);
  answer = { type: "silent", silence: "not_permitted", reason: "Permission denied" };
  await smart.refresh([drive]);
  await smart.refresh([drive]);
  expect(read()).toEqual({ healthy: undefined, model: "Micron 7450", serial: "", silence: "not_permitted" });
  expect(told).toEqual([{ drive: "nvme0n1", reason: "Permission denied" }]);
  answer = well;
  await smart.refresh([drive]);
  expect(read()).toEqual(known);
  await smart.refresh([]);
  expect(read()).toEqual({});
});
