import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { createRecorder, type RecordedWindow } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { DiskMetrics } from "./disk-metrics.ts";

const root = useTestFolder();

/** A drive as /sys/block shows it. */
function drive(name: string, told: Readonly<Record<string, string>>, hasDevice = true): void {
  const folder = join(root, "block", name);
  mkdirSync(join(folder, "queue"), { recursive: true });
  if (hasDevice) mkdirSync(join(folder, "device"), { recursive: true });
  for (const [file, text] of Object.entries(told)) writeFileSync(join(folder, file), `${text}\n`);
}

const diskstats = (lines: readonly string[]): void =>
  writeFileSync(join(root, "diskstats"), `${lines.join("\n")}\n`);

const deviceGauges = ({ gauges }: RecordedWindow, device: string) =>
  Object.fromEntries(
    gauges
      .filter(({ labels }) => labels.device === device)
      .map(({ metric, value }) => [metric.replace("stashlight_device_", ""), value]),
  );

function createDisks() {
  const clock = { ms: 0 };
  const recorder = createRecorder({ nowMs: () => clock.ms });
  const disks = new DiskMetrics({ recorder, sysFolder: root, procFolder: root, nowMs: () => clock.ms });
  const windowAfter = (ms: number) => {
    clock.ms += ms;
    return recorder.takeWindow();
  };
  return { disks, windowAfter };
}

test("drives get their tier by medium, and each window has the work done in it", async () => {
  drive("nvme0n1", { size: "2000", "queue/rotational": "0", diskseq: "9" });
  drive("sda", { size: "4000", "queue/rotational": "1" });
  drive("loop0", { size: "8" });
  drive("nvme0c0n1", { size: "2000", hidden: "1" });
  drive("sr1card", { size: "0" });
  drive("bcache0", { size: "8" }, false);
  const { disks, windowAfter } = createDisks();
  await disks.refresh();
  expect(disks.drives.map(({ name, medium }) => [name, medium])).toEqual([
    ["nvme0n1", "ssd"],
    ["sda", "hdd"],
  ]);
  diskstats(["259 0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0", "8 0 sda 0 0 0 0 0 0 0 0 0 0 0"]);
  windowAfter(10_000);
  diskstats(["259 0 nvme0n1 0 0 0 0 100 0 800 50 0 1000 50", "8 0 sda 10 0 80 120 0 0 0 0 0 9000 20000"]);
  const window = windowAfter(10_000);
  expect(deviceGauges(window, "nvme0n1")).toEqual({
    capacity_bytes: 1_024_000,
    busy_ratio: 0.1,
    queue_requests: 0.005,
    write_mean_seconds: 0.0005,
  });
  expect(deviceGauges(window, "sda")).toMatchObject({ busy_ratio: 0.9, read_mean_seconds: 0.012 });
  expect(window.counters).toContainEqual(
    expect.objectContaining({
      metric: "stashlight_device_written_bytes_total",
      labels: { tier: "ssd", device: "nvme0n1" },
      increase: 800 * 512,
    }),
  );
});

test("a removed or replaced drive is a gap, never a zero or a burst", async () => {
  drive("sda", { size: "4000", diskseq: "1" });
  const { disks, windowAfter } = createDisks();
  await disks.refresh();
  diskstats(["8 0 sda 0 0 0 0 100 0 800 50 0 1000 50"]);
  windowAfter(10_000);
  diskstats(["8 0 sda 0 0 0 0 200 0 1600 90 0 2000 90"]);
  expect(deviceGauges(windowAfter(10_000), "sda")).toHaveProperty("busy_ratio", 0.1);
  // Another drive of the same name, which has already done more.
  writeFileSync(join(root, "block/sda/diskseq"), "2\n");
  await disks.refresh();
  diskstats(["8 0 sda 0 0 0 0 900 0 9000 900 0 9000 900"]);
  const replaced = windowAfter(10_000);
  expect(deviceGauges(replaced, "sda")).toEqual({ capacity_bytes: 2_048_000 });
  expect(replaced.counters.every(({ increase }) => increase === 0)).toBe(true);
  rmSync(join(root, "block/sda"), { recursive: true });
  await disks.refresh();
  expect(deviceGauges(windowAfter(10_000), "sda")).toEqual({});
});

test("a configured medium overrides a virtual drive that reports rotation", async () => {
  drive("vda", { size: "4000", "queue/rotational": "1" });
  const disks = new DiskMetrics({
    recorder: createRecorder({ nowMs: () => 0 }),
    sysFolder: root,
    procFolder: root,
    saidMedia: new Map([["vda", "ssd"]]),
  });
  await disks.refresh();
  expect(disks.drives.map(({ medium }) => medium)).toEqual(["ssd"]);
});

test("a machine without /sys/block reports no drives", async () => {
  const { disks, windowAfter } = createDisks();
  await disks.refresh();
  expect(windowAfter(10_000).gauges).toEqual([]);
});
