import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { beforeEach, expect, test } from "vitest";
import { DeviceWatch } from "./device-watch.ts";
import { unknownIdentity } from "./identity.ts";
import { unknownHealth } from "./smart.ts";

const sys = useTestFolder();

beforeEach(() => {
  mkdirSync(join(sys, "dev/block"), { recursive: true });
});

function setWrites(disk: string, number: string, writeCount: number, sectors: number): void {
  const folder = join(sys, "devices", disk);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "stat"), `0 0 0 0 ${writeCount} 0 ${sectors} 0\n`);
  rmSync(join(sys, "dev/block", number), { force: true });
  symlinkSync(folder, join(sys, "dev/block", number));
}

function createWatch(numbers: Record<string, string | null>, wear: Record<string, number> = {}) {
  const asked: string[] = [];
  const watch = new DeviceWatch({
    paths: Object.keys(numbers),
    sysFolder: sys,
    deviceNumberOf: async (path) => numbers[path] ?? null,
    askSmart: async (disk) => {
      asked.push(disk);
      const wearRatio = wear[disk];
      return wearRatio === undefined
        ? { type: "silent", silence: "unsupported", reason: "nothing" }
        : { type: "health", health: { ...unknownHealth, wearRatio }, identity: unknownIdentity };
    },
  });
  return { watch, asked };
}

test("a drive with a device of its own reports that device's figures", async () => {
  setWrites("nvme0n1", "259:0", 10, 20);
  setWrites("nvme1n1", "259:1", 30, 40);
  const { watch } = createWatch({ "/a": "259:0", "/b": "259:1" });
  expect(watch.at("/a")).toBeNull();
  await watch.refresh();
  expect(watch.at("/a")).toMatchObject({ writes: { writeCount: 10, writtenBytes: 20 * 512 } });
  expect(watch.at("/b")).toMatchObject({ writes: { writeCount: 30, writtenBytes: 40 * 512 } });
  setWrites("nvme0n1", "259:0", 11, 28);
  await watch.refresh();
  expect(watch.at("/a")).toMatchObject({ writes: { writeCount: 11, writtenBytes: 28 * 512 } });
});

test("writes to a device that holds several drives are attributed to none of them", async () => {
  setWrites("nvme0n1", "259:0", 10, 20);
  setWrites("nvme1n1", "259:1", 30, 40);
  const numbers: Record<string, string | null> = { "/a": "259:0", "/b": "259:0", "/c": "259:1" };
  const { watch } = createWatch(numbers);
  await watch.refresh();
  expect(watch.at("/a")).toMatchObject({ number: "259:0", writes: null });
  expect(watch.at("/b")).toMatchObject({ number: "259:0", writes: null });
  expect(watch.at("/c")?.writes?.writeCount).toBe(30);
  // The device of one of them is mounted.
  numbers["/b"] = "259:2";
  await watch.refresh();
  expect(watch.at("/a")?.writes?.writeCount).toBe(10);
  expect(watch.at("/b")).toMatchObject({ number: "259:2", writes: null });
});

test("a drive has the disk below its device, which may be another after a mount", async () => {
  setWrites("nvme0n1", "259:0", 10, 20);
  setWrites("nvme1n1", "259:1", 30, 40);
  const numbers: Record<string, string | null> = { "/a": "259:0", "/b": "259:0", "/tmpfs": "0:42" };
  const { watch } = createWatch(numbers);
  expect(watch.diskAt("/a")).toBeNull();
  await watch.refresh();
  expect(["/a", "/b", "/tmpfs"].map((path) => watch.diskAt(path))).toEqual(["nvme0n1", "nvme0n1", null]);
  numbers["/b"] = "259:1";
  await watch.refresh();
  expect(watch.diskAt("/b")).toBe("nvme1n1");
});

test("a drive that is missing, or not on a block device, has no figures", async () => {
  const { watch } = createWatch({ "/missing": null, "/tmpfs": "0:42" });
  await watch.refresh();
  await watch.refreshAccounts();
  expect(watch.at("/missing")).toBeNull();
  expect(watch.at("/tmpfs")).toEqual({ number: "0:42", writes: null, account: null });
});

test("each disk is queried once for all drives that share it, and the reason is given if it has no health data", async () => {
  setWrites("nvme0n1", "259:0", 10, 20);
  setWrites("sda", "8:0", 10, 20);
  const { watch, asked } = createWatch({ "/a": "259:0", "/b": "259:0", "/c": "8:0" }, { nvme0n1: 0.25 });
  await watch.refresh();
  await watch.refreshAccounts();
  expect(asked).toEqual(["nvme0n1", "sda"]);
  const accounts = ["/a", "/b", "/c"].map((path) => watch.at(path)?.account);
  expect(accounts.map((account) => account?.health.wearRatio)).toEqual([0.25, 0.25, null]);
  expect(accounts.map((account) => account?.silence)).toEqual([null, null, "unsupported"]);
});

test("the account of a drive is requested as soon as it appears, and not again at each refresh", async () => {
  setWrites("nvme0n1", "259:0", 10, 20);
  setWrites("sda", "8:0", 10, 20);
  const numbers: Record<string, string | null> = { "/a": null, "/b": null, "/tmpfs": "0:42" };
  const { watch, asked } = createWatch(numbers, { nvme0n1: 0.25 });
  await watch.followDevices();
  expect(asked).toEqual([]);
  numbers["/a"] = "259:0";
  await watch.followDevices();
  await watch.followDevices();
  expect(asked).toEqual(["nvme0n1"]);
  expect(watch.at("/a")?.account?.health.wearRatio).toBe(0.25);
  numbers["/b"] = "8:0";
  await watch.followDevices();
  expect(asked).toEqual(["nvme0n1", "nvme0n1", "sda"]);
});
