import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { metricCatalogue } from "@stashlight/contracts/metrics";
import { expect, test } from "vitest";
import { ExpositionReader, mergeSamples } from "../exposition.ts";
import { type SourceKindName, sourceKinds } from "./index.ts";
import type { Reading } from "./kind.ts";

async function readDevices(kind: SourceKindName, files: readonly string[]) {
  const answers = await Promise.all(
    files.map(async (file) => {
      const reader = new ExpositionReader(sourceKinds[kind].wanted, 0);
      reader.push(await readFile(join(import.meta.dirname, "../testing", file)));
      return reader.end();
    }),
  );
  const devices = sourceKinds[kind].read(mergeSamples(answers));
  return devices.map(({ device, medium: tier, readings }) => ({
    device,
    tier,
    told: readings(device, tier ?? "hdd").map(inShort),
  }));
}

function inShort(reading: Reading): string {
  const { device, filesystem, tier, ...labels } = reading.labels;
  const which = Object.values(labels).join(" ");
  if (reading.type === "commits") return `${which}: ${reading.seconds} s in ${reading.count}`;
  expect(metricCatalogue[reading.metric].kind).toBe(reading.type === "level" ? "gauge" : "counter");
  const value = reading.type === "level" ? reading.value : reading.total;
  return `${reading.metric.replace("stashlight_", "")} ${which}= ${value}`.replace(" =", "=");
}

test("an OSD's class comes from the manager and its sums from the exporter", async () => {
  const devices = await readDevices("ceph", ["ceph-manager.prom", "ceph-exporter.prom"]);
  expect(devices).toEqual([
    {
      device: "osd.0",
      tier: "hdd",
      told: [
        "kv-sync: 1200.5 s in 240000",
        "kv-flush: 900.25 s in 240000",
        "commit_mean_seconds commit= 0.012",
        "commit_mean_seconds apply= 0.012",
        "journal_used_bytes db= 61203283968",
        "journal_capacity_bytes db= 64424509440",
        "journal_used_bytes slow= 1048576",
        "journal_capacity_bytes slow= 480000000000",
        "drive_running= 1",
        "filesystem_used_bytes= 9000000000000",
        "filesystem_capacity_bytes= 12000138625024",
      ],
    },
    { device: "osd.1", tier: "ssd", told: ["kv-sync: 40 s in 100000", "drive_running= 0"] },
    { device: "osd.2", tier: null, told: ["drive_running= 1"] },
  ]);
});

test("an exporter without its manager reports no medium", async () => {
  const devices = await readDevices("ceph", ["ceph-exporter.prom"]);
  expect(devices.map(({ device, tier }) => [device, tier])).toEqual([
    ["osd.0", null],
    ["osd.1", null],
  ]);
});

test("MinIO's drives have the mean latency of operations that reach the drive, in either version", async () => {
  expect(await readDevices("minio", ["minio-v3.prom"])).toEqual([
    {
      device: "node-1:9000/mnt/drive1",
      tier: null,
      told: [
        "commit_mean_seconds RenameData= 0.00148",
        "filesystem_used_bytes= 7000000000000",
        "filesystem_capacity_bytes= 8000000000000",
        "drive_running= 1",
        "device_busy_ratio= 0.425",
      ],
    },
    { device: "node-1:9000/mnt/drive2", tier: null, told: ["drive_running= 0"] },
  ]);
  const [drive] = await readDevices("minio", ["minio-v2.prom"]);
  expect(drive?.told).toEqual([
    "commit_mean_seconds WriteAll= 0.0025",
    "filesystem_used_bytes= 1000000000000",
    "filesystem_capacity_bytes= 8000000000000",
  ]);
});

test("ZFS pools report their fill and state, and the module counts commits without their time", async () => {
  expect(await readDevices("zfs", ["zfs-exporter.prom", "node-exporter.prom"])).toEqual([
    {
      device: "tank",
      tier: null,
      told: [
        "filesystem_used_bytes= 3000000000000",
        "filesystem_capacity_bytes= 4000000000000",
        "drive_running= 1",
      ],
    },
    {
      device: "old",
      tier: null,
      told: ["filesystem_used_bytes= 1024", "filesystem_capacity_bytes= 2048", "drive_running= 0"],
    },
    {
      device: "zil",
      tier: null,
      told: [
        "commits_total zil-commit= 5000",
        "journal_written_bytes_total log= 7340032",
        "journal_written_bytes_total pool= 4096",
        "writes_throttled_total dirty-delay= 17",
        "writes_throttled_total dirty-throttle= 0",
        "writes_throttled_total dirty-over-max= 0",
      ],
    },
  ]);
});
