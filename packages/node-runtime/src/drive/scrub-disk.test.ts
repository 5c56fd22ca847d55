import { scrubMarks } from "@stashlight/contracts/thresholds";
import { expect, test } from "vitest";
import { ScrubDisk, ScrubDisks } from "./scrub-disk.ts";

const RATE = scrubMarks.bytesPerSecond;
const YIELDED = RATE * scrubMarks.yieldedShare;
const TICK_MS = 250;
const pace = (changes = {}) => ({ wanted: RATE, ceiling: RATE, floor: 0, ...changes });

/** A device whose scrubs read at 10 ms per MB, beside other work that keeps `others` requests in progress. */
class Device {
  nowMs = 0;
  queueMs: number | null = 0;
  others = 0;

  newProcess(): ScrubDisk {
    return new ScrubDisk({ monotonicMs: () => this.nowMs, queueMs: () => this.queueMs });
  }

  pass(ms: number, requests = 0): void {
    this.nowMs += ms;
    if (this.queueMs !== null) this.queueMs += ms * (this.others + requests);
  }

  /** Lets each process read what it was granted, one after the other; returns the last rate of each. */
  run(processes: readonly ScrubDisk[], seconds: number, wanted = pace()): number[] {
    let rates: number[] = [];
    for (let tick = 0; tick < (seconds * 1000) / TICK_MS; tick++) {
      let restMs = TICK_MS;
      rates = processes.map((disk) => {
        disk.tick();
        const rate = disk.grant(disk, wanted);
        const end = disk.beginReading();
        const ms = (rate / 1e6) * (TICK_MS / 1000) * 10;
        this.pass(ms, 1);
        restMs -= ms;
        end();
        return rate;
      });
      this.pass(restMs);
    }
    return rates;
  }
}

test("a scrub on a quiet disk has its whole rate within ten seconds", () => {
  const device = new Device();
  const disk = device.newProcess();
  expect(disk.isBusy).toBe(true);
  expect(disk.grant(disk, pace())).toBe(YIELDED);
  expect(device.run([disk], 10)).toEqual([RATE]);
  expect(disk.isBusy).toBe(false);
});

test("a scrub yields to others on its disk within seconds, and continues when they have finished", () => {
  const device = new Device();
  const disk = device.newProcess();
  device.run([disk], 10);
  device.others = 2 * scrubMarks.busyRequests;
  expect(device.run([disk], 4)).toEqual([YIELDED]);
  expect(disk.isBusy).toBe(true);
  device.others = scrubMarks.busyRequests / 2;
  expect(device.run([disk], 10)).toEqual([RATE]);
});

test("a scrub never has less than its floor", () => {
  const device = new Device();
  const disk = device.newProcess();
  device.others = 5;
  expect(device.run([disk], 10, pace({ floor: 7e6 }))).toEqual([7e6]);
});

test("six scrubs on one disk together read no faster than one", () => {
  const device = new Device();
  const disk = device.newProcess();
  device.run([disk], 10);
  disk.leave(disk);
  const scrubs = Array.from({ length: 6 }, () => ({}));
  for (const scrub of scrubs) disk.grant(scrub, pace());
  const sum = () => scrubs.reduce<number>((total, scrub) => total + disk.grant(scrub, pace()), 0);
  expect(sum()).toBeCloseTo(RATE);
  disk.grant(scrubs[0] as object, pace({ wanted: 0 }));
  expect(disk.grant(scrubs[1] as object, pace())).toBeCloseTo(RATE / 5);
});

test("scrubs get the rates that they want if these are together below the ceiling", () => {
  const device = new Device();
  const disk = device.newProcess();
  device.run([disk], 10);
  disk.leave(disk);
  const slow = pace({ wanted: RATE / 8 });
  const scrubs = Array.from({ length: 6 }, () => ({}));
  for (const scrub of scrubs) disk.grant(scrub, slow);
  expect(scrubs.map((scrub) => disk.grant(scrub, slow))).toEqual(scrubs.map(() => slow.wanted));
});

test("a scrub that wants a low rate gets it, beside others that want the disk's whole rate", () => {
  const device = new Device();
  const disk = device.newProcess();
  device.run([disk], 10);
  disk.leave(disk);
  const little = pace({ wanted: RATE / 32 });
  const modest = {};
  const others = Array.from({ length: 5 }, () => ({}));
  for (const scrub of others) disk.grant(scrub, pace());
  expect(disk.grant(modest, little)).toBe(little.wanted);
  expect(disk.grant(others[0] as object, pace())).toBeCloseTo((RATE - little.wanted) / 5);
});

test("scrubs of four processes share a quiet disk, and none of them starves", () => {
  const device = new Device();
  const processes = Array.from({ length: 4 }, () => device.newProcess());
  device.run(processes, 20);
  let [sum, least] = [0, Number.POSITIVE_INFINITY];
  for (let second = 0; second < 60; second++) {
    const rates = device.run(processes, 1);
    sum += rates.reduce((total, rate) => total + rate) / 60;
    least = Math.min(least, ...rates);
  }
  expect(sum).toBeLessThan(RATE);
  expect(least).toBeGreaterThanOrEqual(YIELDED);
});

test("a scrub that reads without pauses yields, because it cannot observe the work of others", () => {
  const device = new Device();
  const disk = device.newProcess();
  device.run([disk], 10);
  disk.beginReading();
  for (let tick = 0; tick < 80; tick++) {
    device.pass(TICK_MS, 1);
    disk.tick();
  }
  expect(disk.grant(disk, pace())).toBe(YIELDED);
});

test("a disk without kernel counts, or with counts that fall, shows no other work", () => {
  const device = new Device();
  const disk = device.newProcess();
  device.queueMs = null;
  expect(device.run([disk], 10)).toEqual([RATE]);
  device.queueMs = 9e9;
  device.run([disk], 1);
  device.queueMs = 0;
  expect(device.run([disk], 1)).toEqual([RATE]);
});

test("drives on one disk share its ScrubDisk, and drives on other disks do not", () => {
  const disks = new ScrubDisks(
    () => 0,
    () => 0,
  );
  expect(disks.of("sda")).toBe(disks.of("sda"));
  expect(disks.of("sdb")).not.toBe(disks.of("sda"));
});
