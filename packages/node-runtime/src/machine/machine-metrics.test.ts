import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecorder } from "@stashlight/telemetry";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseDiskstats } from "./diskstats.ts";
import { watchMachine } from "./machine-metrics.ts";
import { parseLoad, parseMemory, parsePressure, parseProcessorTimes } from "./procfs.ts";

let procFolder: string;
beforeEach(async () => {
  procFolder = await mkdtemp(join(tmpdir(), "stashlight-proc-"));
  await mkdir(join(procFolder, "pressure"));
});
afterEach(() => rm(procFolder, { recursive: true }));

interface Moment {
  readonly idle: number;
  readonly iowait: number;
  readonly waitedForDrivesUs: number;
  readonly busyMs: number;
}

async function write({ idle, iowait, waitedForDrivesUs, busyMs }: Moment): Promise<void> {
  const files: Record<string, string> = {
    loadavg: "9.61 4.20 2.11 3/812 4711\n",
    stat: `cpu  100 0 50 ${idle} ${iowait} 0 0 0 7 0\ncpu0 50 0 25 1 1 0 0 0 0 0\ncpu1 50 0 25 1 1 0 0 0 0 0\n`,
    meminfo: "MemTotal:        1000 kB\nMemFree:          100 kB\nMemAvailable:     400 kB\n",
    "pressure/io": `some avg10=1.00 avg60=0.50 avg300=0.10 total=${waitedForDrivesUs}\nfull avg10=0.00 total=5\n`,
    diskstats: [
      ` 259 0 nvme0n1 1 0 8 1 1 0 8 1 0 ${busyMs} 2`,
      " 259 1 nvme0n1p1 1 0 8 1 1 0 8 1 0 9999999 2",
      "   7 0 loop0 1 0 8 1 1 0 8 1 0 9999999 2",
      "   8 0 sda 1 0 8 1 1 0 8 1 0 100 2",
    ].join("\n"),
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(procFolder, name), text)));
}

const recordedGauges = (recorder: ReturnType<typeof createRecorder>) =>
  Object.fromEntries(
    recorder
      .takeWindow()
      .gauges.map(({ metric, labels, value }) => [
        [metric.replace("stashlight_machine_", ""), labels.resource].filter(Boolean).join(" "),
        value,
      ]),
  );

test("a window reports the machine's activity since the last one, and the busiest of its whole drives", async () => {
  let atMs = 0;
  const recorder = createRecorder({ nowMs: () => atMs });
  await write({ idle: 1_000, iowait: 100, waitedForDrivesUs: 1_000_000, busyMs: 500 });
  watchMachine(recorder, { machine: "db-1", procFolder, nowMs: () => atMs });
  atMs = 10_000;
  await write({ idle: 1_600, iowait: 500, waitedForDrivesUs: 9_800_000, busyMs: 8_000 });
  expect(recordedGauges(recorder)).toEqual({
    load: 9.61,
    processors: 2,
    iowait_ratio: 0.4,
    disk_busy_ratio: 0.75,
    "pressure_ratio io": 0.88,
    memory_used_bytes: 614_400,
    memory_capacity_bytes: 1_024_000,
  });
});

test("a share is missing instead of zero where the kernel keeps no count or has reset it", async () => {
  let atMs = 0;
  const recorder = createRecorder({ nowMs: () => atMs });
  await write({ idle: 1_000, iowait: 100, waitedForDrivesUs: 1_000_000, busyMs: 500 });
  watchMachine(recorder, { machine: "db-1", procFolder, nowMs: () => atMs });
  atMs = 10_000;
  await write({ idle: 10, iowait: 1, waitedForDrivesUs: 5, busyMs: 1 });
  await rm(join(procFolder, "loadavg"));
  const gauges = recordedGauges(recorder);
  for (const name of ["load", "iowait_ratio", "pressure_ratio io", "pressure_ratio cpu"])
    expect(gauges, name).not.toHaveProperty(name);
});

test("a machine without /proc has no metrics", () => {
  const recorder = createRecorder({ nowMs: () => 0 });
  watchMachine(recorder, { machine: "mac", procFolder: join(procFolder, "none"), nowMs: () => 0 });
  expect(recorder.takeWindow().gauges).toEqual([]);
});

test.each(["", "some", "cpu", "nothing of the kind 12"])(
  "text that is not a figure is parsed as null: “%s”",
  (text) => {
    expect([parseLoad(text), parseProcessorTimes(text), parsePressure(text), parseMemory(text)]).toEqual([
      ...[null, null, null, null],
    ]);
    expect(parseDiskstats(text).size).toBe(0);
  },
);
