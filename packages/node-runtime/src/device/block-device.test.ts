import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { beforeAll, expect, test } from "vitest";
import {
  deviceNumber,
  findBottomDisk,
  findDiskName,
  parseDeviceWrites,
  readDeviceNumber,
  readDeviceWrites,
  readQueueMs,
} from "./block-device.ts";

const sys = useSharedFolder();

/** Creates a disk with one partition, as the kernel shows it. */
beforeAll(() => {
  const disk = join(sys, "devices/pci0000:00/nvme0/nvme0n1");
  mkdirSync(join(disk, "nvme0n1p1"), { recursive: true });
  mkdirSync(join(sys, "dev/block"), { recursive: true });
  writeFileSync(join(disk, "stat"), "  1 2 3 4 5 6 7 8 9 10 11 0 0 0 0 0 0\n");
  writeFileSync(join(disk, "nvme0n1p1/partition"), "1\n");
  symlinkSync(disk, join(sys, "dev/block/259:0"));
  symlinkSync(join(disk, "nvme0n1p1"), join(sys, "dev/block/259:1"));
});

test.each<[bigint, string]>([
  [2049n, "8:1"],
  [65024n, "254:0"],
  [66305n, "259:1"],
  [1113388n, "253:300"],
  [17596479963391n, "4096:1048575"],
])("device number %s is formatted as %s", (dev, expected) => {
  expect(deviceNumber(dev)).toBe(expected);
});

test("writes are counted as completed requests and sectors of 512 bytes", () => {
  const line = " 3885104 318681 282210658 3262960 12086981 1689124 2156005728 11821714 0 2451096 19301609";
  expect(parseDeviceWrites(line)).toEqual({ writeCount: 12_086_981, writtenBytes: 2_156_005_728 * 512 });
});

test.each([
  ["an empty file", ""],
  ["too few fields", "1 2 3 4 5 6"],
  ["words", "a b c d e f g"],
])("no counts are read from %s", (_, text) => {
  expect(parseDeviceWrites(text)).toBeNull();
});

test("a device that the kernel does not list, such as that of a tmpfs, has no figures", async () => {
  expect(await readDeviceWrites(sys, "259:0")).toEqual({ writeCount: 5, writtenBytes: 7 * 512 });
  expect(await readDeviceWrites(sys, "0:42")).toBeNull();
  expect(await findDiskName(sys, "0:42")).toBeNull();
});

test("a partition is attributed to its disk", async () => {
  expect(await findDiskName(sys, "259:0")).toBe("nvme0n1");
  expect(await findDiskName(sys, "259:1")).toBe("nvme0n1");
});

test("volumes on one disk are attributed to that disk, and an array of several to itself", async () => {
  const disks = join(sys, "devices/pci0000:00/nvme0");
  const addVolume = (name: string, number: string, below: readonly string[]): void => {
    const volume = join(sys, "devices/virtual/block", name);
    mkdirSync(join(volume, "slaves"), { recursive: true });
    for (const target of below) symlinkSync(target, join(volume, "slaves", target.split("/").at(-1) ?? ""));
    symlinkSync(volume, join(sys, "dev/block", number));
  };
  const part = join(disks, "nvme0n1/nvme0n1p1");
  addVolume("dm-0", "254:0", [part]);
  addVolume("dm-1", "254:1", [join(sys, "devices/virtual/block/dm-0")]);
  addVolume("md0", "9:0", [part, join(disks, "nvme0n1")]);
  for (const number of ["259:0", "259:1", "254:0", "254:1"])
    expect(await findBottomDisk(sys, number)).toBe("nvme0n1");
  expect(await findBottomDisk(sys, "9:0")).toBe("md0");
  expect(await findBottomDisk(sys, "0:42")).toBeNull();
});

test("the time in queue is that of the whole disk, and unknown for a device without counts", () => {
  mkdirSync(join(sys, "block"), { recursive: true });
  symlinkSync(join(sys, "devices/pci0000:00/nvme0/nvme0n1"), join(sys, "block/nvme0n1"));
  expect(readQueueMs(sys, "nvme0n1")).toBe(11);
  expect(readQueueMs(sys, "sda")).toBeNull();
});

test("folders of one file system have the same device number, and a missing folder has none", async () => {
  expect(await readDeviceNumber(sys)).toMatch(/^\d+:\d+$/);
  expect(await readDeviceNumber(join(sys, "dev"))).toBe(await readDeviceNumber(sys));
  expect(await readDeviceNumber(join(sys, "missing"))).toBeNull();
});
