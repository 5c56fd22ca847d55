import { catalogueModel } from "@stashlight/devices";
import type { Disk, DiskDone, DiskFile } from "@stashlight/shard-log";
import { expect, test } from "vitest";
import { type DiskClock, modelledDisk, preciseClock } from "./modelled-disk.ts";

/** A disk whose own syncs never end. */
function stuckDisk(): { disk: Disk; syncCount: () => number } {
  let syncCount = 0;
  const later = (done: DiskDone) => setImmediate(() => done(null));
  const file: DiskFile = {
    sizeBytes: 1_048_576,
    write: (_offset, _bytes, done) => later(done),
    sync: () => {
      syncCount += 1;
    },
    read: (_offset, _target, done) => later(done),
    readDirect: (_offset, _target, done) => later(done),
    close: later,
  };
  const disk: Disk = {
    list: (done) => done(null, []),
    create: (_name, _sizeBytes, done) => setImmediate(() => done(null, file)),
    open: (_name, done) => setImmediate(() => done(null, file)),
  };
  return { disk, syncCount: () => syncCount };
}

const openFile = (disk: Disk) =>
  new Promise<DiskFile>((resolve) => disk.open("segment", (_error, file) => resolve(file as DiskFile)));
const write = (file: DiskFile, bytes: number) =>
  new Promise<void>((resolve) => file.write(0, new Uint8Array(bytes), () => resolve()));
const sync = (file: DiskFile) => new Promise<void>((resolve) => file.sync(() => resolve()));

/** A clock that jumps to the time of the next timer. */
function steppedClock(): DiskClock {
  let nowMs = 1000;
  return {
    nowMs: () => nowMs,
    at: (timeMs, action) =>
      setImmediate(() => {
        nowMs = Math.max(nowMs, timeMs);
        action();
      }),
  };
}

const drives = [
  ["micron-7450-max-3.2tb", 16_384],
  ["seagate-exos-x16-16tb", 65_536],
] as const;

test.each(drives)(
  "a sync of %s takes the model's time, even if the machine's own disk never ends a sync",
  async (id, bytes) => {
    const model = catalogueModel(id);
    const { disk, syncCount } = stuckDisk();
    const clock = steppedClock();
    const file = await openFile(modelledDisk({ disk, model, clock, random: () => 0.5 }));
    const modelMs = model.serviceTimeUs("sync", bytes, 0, null, 0.5) / 1000;
    for (let i = 0; i < 20; i += 1) {
      await write(file, bytes);
      const startMs = clock.nowMs();
      await sync(file);
      expect(clock.nowMs() - startMs).toBeCloseTo(modelMs, 9);
    }
    expect(syncCount()).toBe(0);
  },
);

test.each(drives)("a sync of %s never ends before the model's time on a real clock", async (id, bytes) => {
  const model = catalogueModel(id);
  const nowMs = () => performance.now();
  const file = await openFile(
    modelledDisk({ disk: stuckDisk().disk, model, clock: preciseClock(nowMs), random: () => 0.5 }),
  );
  const modelMs = model.serviceTimeUs("sync", bytes, 0, null, 0.5) / 1000;
  for (let i = 0; i < 20; i += 1) {
    await write(file, bytes);
    const startMs = nowMs();
    await sync(file);
    expect(nowMs() - startMs).toBeGreaterThanOrEqual(modelMs);
  }
});

test("one arm serves one sync after another", async () => {
  const model = catalogueModel("seagate-exos-x16-16tb");
  const clock = steppedClock();
  const file = await openFile(modelledDisk({ disk: stuckDisk().disk, model, clock, random: () => 0.5 }));
  await write(file, 4096);
  const startMs = clock.nowMs();
  const oneMs = model.serviceTimeUs("sync", 4096, 0, null, 0.5) / 1000;
  const first = sync(file);
  await write(file, 4096);
  await Promise.all([first, sync(file)]);
  expect(clock.nowMs() - startMs).toBeCloseTo(2 * oneMs, 9);
});
