/** Tests that bytes garbled in transfer from the medium cause no destruction and no missed record. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DiskError } from "./disk.ts";
import type { LogError } from "./errors.ts";
import { alignPage, PAGE_BYTES } from "./format.ts";
import { type OpenedLog, openLog } from "./open.ts";
import type { LogOptions } from "./options.ts";
import type { RecordId } from "./record-key.ts";
import { listFrames, type PlacedFrame } from "./testing/frames.ts";
import {
  collectAnswer,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
  smallOptions,
} from "./testing/index.ts";

const EIO = new DiskError("io", "EIO: the device gave no answer.");
type Opening = { error: LogError | null; opened: OpenedLog | null };

const tryOpen = (disk: MemoryDisk, changes: Partial<LogOptions>): Opening =>
  collectAnswer<Opening>(disk, (done) =>
    openLog(smallOptions(disk, changes), (error, opened) => done({ error, opened })),
  );

const shardName = ({ uploadId, shardIndex }: RecordId): string => `${uploadId.join(".")}/${shardIndex}`;

const shardsIn = ({ opened }: Opening): string[] => [...(opened?.records ?? [])].map(shardName);

const pageOffsets = (bytes: number): number[] =>
  Array.from({ length: bytes / PAGE_BYTES }, (_, page) => page * PAGE_BYTES);

const diskImage = (disk: MemoryDisk): string[] =>
  disk.names().map((name) => createHash("sha256").update(disk.medium(name)).digest("hex"));

/** Creates a log with recycled, checkpointed and free segments, purge lists, and an unattested last frame. */
function mediumOf(changes: Partial<LogOptions>): () => MemoryDisk {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, changes, true);
  for (let number = 1; number <= 100; number += 1) {
    log.append(makeRecord(number, `payload ${number} `.padEnd(3000, "z")), () => {});
    if (number > 40) log.kill([makeRecordId(number - 40)]);
    disk.run();
  }
  collectAnswer<LogError | null>(disk, (done) => log.flush(done));
  return () => disk.powerCut(() => "dropped");
}

/** Flips bits of every record that is read, in places that differ from call to call. */
function garbler(): (read: Uint8Array) => void {
  let count = 0;
  return (read) => {
    count += 1;
    for (let at = count % 61; at < read.length; at += 64) read[at] = (read[at] as number) ^ 0x10;
  };
}

function directReadCount(changes: Partial<LogOptions>, disk: MemoryDisk): number {
  let count = 0;
  disk.onDirectRead = () => {
    count += 1;
    return null;
  };
  tryOpen(disk, changes);
  return count;
}

describe.each([
  ["ring", { policy: "ring", segmentCount: 8 }],
  ["extents", { policy: "extents", segmentCount: 12 }],
] as const)("opening a log (%s)", (_name, changes) => {
  const newDisk = mediumOf(changes);
  const expected = shardsIn(tryOpen(newDisk(), changes));
  const readCount = directReadCount(changes, newDisk());

  test("finds every record even if any one read was garbled", () => {
    expect(expected).toHaveLength(40);
    expect(readCount).toBeGreaterThan(20);
    for (let garbled = 1; garbled <= readCount; garbled += 1) {
      const disk = newDisk();
      const garble = garbler();
      let count = 0;
      disk.onDirectRead = (_file, _offset, read) => {
        count += 1;
        if (count === garbled) garble(read);
        return null;
      };
      const opening = tryOpen(disk, changes);
      expect([opening.error, shardsIn(opening), opening.opened?.damage], `read ${garbled}`).toEqual([
        null,
        expected,
        [],
      ]);
    }
  });

  test("fails without changes when a read was garbled repeatedly, or finds every record", () => {
    let refusedCount = 0;
    for (let from = 1; from <= readCount; from += 1) {
      for (const until of [from + 1, from + 2, Number.POSITIVE_INFINITY]) {
        const disk = newDisk();
        const before = diskImage(disk);
        const garble = garbler();
        let count = 0;
        disk.onDirectRead = (_file, _offset, read) => {
          count += 1;
          if (count >= from && count <= until) garble(read);
          return null;
        };
        const opening = tryOpen(disk, changes);
        const name = `reads ${from} to ${until}`;
        if (opening.error === null)
          expect([shardsIn(opening), opening.opened?.damage], name).toEqual([expected, []]);
        else {
          refusedCount += 1;
          expect([opening.error.code, diskImage(disk)], name).toEqual(["io_failed", before]);
          disk.onDirectRead = () => null;
          expect(shardsIn(tryOpen(disk, changes)), name).toEqual(expected);
        }
      }
    }
    expect(refusedCount).toBeGreaterThan(readCount);
  });

  test("keeps several segments whose frames cannot be found until a later boot reads them", () => {
    const disk = newDisk();
    // Returns the same wrong bytes at each read, so that a second read reveals nothing.
    const frames = listFrames(disk);
    const hidden = new Set([frames[0]?.file, frames.at(-30)?.file]);
    expect(hidden.size).toBe(2);
    disk.onDirectRead = (file, offset, read) => {
      const isBody = offset > 0 && offset + read.length < disk.medium(file).length;
      if (hidden.has(file) && isBody) read.fill(0x5a);
      return null;
    };
    const { opened } = tryOpen(disk, changes);
    expect(opened?.damage.some(({ kind }) => kind === "frame_lost")).toBe(true);
    expect(shardsIn({ error: null, opened }).length).toBeLessThan(expected.length);
    for (let number = 200; number < 230; number += 1) {
      opened?.log.append(makeRecord(number, "x".repeat(3000)), () => {});
      opened?.log.kill([makeRecordId(number)]);
      disk.run();
    }
    const left = disk.powerCut(() => "kept");
    expect(shardsIn(tryOpen(left, changes))).toEqual(expect.arrayContaining(expected));
  });

  test.each<[string, (last: PlacedFrame, bytes: number) => readonly number[]]>([
    ["the beginning of the last frame", ({ frame }) => [frame.offset]],
    ["the end of the last frame", ({ frame }) => [frame.offset + alignPage(frame.bytes) - PAGE_BYTES]],
    ["both headers of the last segment", (_last, bytes) => [0, bytes - PAGE_BYTES]],
    ["all of the last segment", (_last, bytes) => pageOffsets(bytes)],
  ])("continues without %s, and a later boot finds it among later records", (_what, placesOf) => {
    const disk = newDisk();
    const last = listFrames(disk).at(-1) as PlacedFrame;
    const unreadable = placesOf(last, disk.medium(last.file).length);
    disk.onDirectRead = (file, offset, read) =>
      file === last.file && unreadable.some((at) => offset <= at && at < offset + read.length) ? EIO : null;
    const { error, opened } = tryOpen(disk, { ...changes, unreadablePagesMax: 64 });
    expect(error).toBeNull();
    expect(shardsIn({ error, opened })).not.toEqual(expected);
    const added = [501, 502, 503];
    for (const number of added) opened?.log.append(makeRecord(number), () => {});
    disk.run();
    collectAnswer<LogError | null>(disk, (done) => opened?.log.flush(done));
    const left = disk.powerCut(() => "dropped");
    const again = tryOpen(left, changes);
    expect(shardsIn(again).toSorted()).toEqual(
      [...expected, ...added.map((number) => shardName(makeRecordId(number)))].toSorted(),
    );
    expect(again.opened?.damage).toEqual([]);
    // Opens it again, because numbers were skipped.
    const once = tryOpen(left, changes);
    expect([shardsIn(once), once.opened?.damage]).toEqual([shardsIn(again), []]);
  });
});

test("segments with lost records are given up only if the caller accepts the losses", () => {
  const changes = { policy: "extents", segmentCount: 12 } as const;
  const disk = mediumOf(changes)();
  const frames = listFrames(disk);
  for (const { file } of [frames[0], frames.at(-30)] as PlacedFrame[])
    disk.medium(file).fill(0x5a, PAGE_BYTES, -PAGE_BYTES);
  const first = tryOpen(disk, changes).opened;
  expect([first?.suspectSegmentCount, first?.unreadableSegmentCount]).toEqual([2, 0]);
  const { opened } = tryOpen(disk, { ...changes, acceptsLosses: true });
  expect(opened?.suspectSegmentCount).toBe(0);
  const log = opened?.log as OpenedLog["log"];
  log.kill([...(opened?.records ?? []), ...(opened?.damagedRecords ?? [])]);
  for (let round = 0; round < 12; round += 1) {
    collectAnswer<LogError | null>(disk, (done) => log.flush(done));
    collectAnswer<LogError | null>(disk, (done) => log.compact((error) => done(error)));
  }
  expect(log.stats().segmentsFree).toBeGreaterThanOrEqual(10);
});

test("boots that write nothing report no damage for the hidden end of a log", () => {
  const changes = { policy: "extents", segmentCount: 12 } as const;
  const disk = mediumOf(changes)();
  const last = listFrames(disk).at(-1) as PlacedFrame;
  disk.onDirectRead = (file, offset, read) =>
    file === last.file && offset <= last.frame.offset && last.frame.offset < offset + read.length
      ? EIO
      : null;
  const damageNow = () =>
    tryOpen(disk, { ...changes, unreadablePagesMax: 64 }).opened?.damage.map(({ kind }) => kind);
  const damage = damageNow();
  for (let boot = 0; boot < 3; boot += 1) expect(damageNow()).toEqual(damage);
  disk.onDirectRead = () => null;
  expect(tryOpen(disk, changes).opened?.damage).toEqual([]);
});

test("opening a failing device reads it only a few times", () => {
  const changes = { policy: "extents", segmentCount: 12 } as const;
  const disk = mediumOf(changes)();
  let count = 0;
  disk.onDirectRead = (file) => {
    if (file === "volume") return null;
    count += 1;
    return EIO;
  };
  expect(tryOpen(disk, changes).error?.code).toBe("io_failed");
  expect(count).toBeLessThan(5);
});
