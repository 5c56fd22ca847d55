import { expect, test } from "vitest";
import { DiskError } from "./disk.ts";
import type { LogError } from "./errors.ts";
import { type OpenedLog, openLog } from "./open.ts";
import {
  collectAnswer,
  decodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
  smallOptions,
} from "./testing/index.ts";
import { createChance } from "./testing/model.ts";

const few = { segmentCount: 6 };
const more = { segmentCount: 9 };

const sortedMetas = (opened: OpenedLog): string[] =>
  [...opened.records].map((header) => decodeText(header.meta)).sort();

/** Creates a volume of six segments in which records were written, killed and recycled. */
function usedVolume(policy: "ring" | "extents"): MemoryDisk {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, { ...few, policy }, true);
  for (let number = 0; number < 60; number++) {
    const record = makeRecord(number, "x".repeat(9_000));
    expect(collectAnswer<LogError | null>(disk, (done) => log.append(record, done))).toBeNull();
    if (number >= 5) log.kill([makeRecordId(number - 5)]);
    collectAnswer<LogError | null>(disk, (done) => log.flush(done));
  }
  expect(log.stats().counters.recyclesTotal).toBeGreaterThan(0);
  return disk;
}

const lastFive = Array.from({ length: 5 }, (_, at) => `meta ${55 + at}`);

/** Appends until the log is full and stays full after compaction; returns the number of accepted records. */
function fill(disk: MemoryDisk, { log }: OpenedLog): number {
  for (let count = 0; ; count++) {
    const record = makeRecord(1_000 + count, "y".repeat(9_000));
    const append = () => collectAnswer<LogError | null>(disk, (done) => log.append(record, done));
    if (append() === null) continue;
    const error = append();
    if (error === null) continue;
    expect(error.code).toBe("log_full");
    return count;
  }
}

test.each(["ring", "extents"] as const)(
  "%s: a volume that is opened with more segments keeps its records and accepts more",
  (policy) => {
    const small = usedVolume(policy);
    const grown = small.powerCut(() => "kept");
    const takenBefore = fill(small, openedLog(small, { ...few, policy }));
    const opened = openedLog(grown, { ...more, policy });
    expect(sortedMetas(opened)).toEqual(lastFive);
    expect(opened.damage).toEqual([]);
    expect(opened.log.stats().segmentsTotal).toBe(9);
    expect(fill(grown, opened)).toBeGreaterThan(takenBefore + 4);
    collectAnswer<LogError | null>(grown, (done) => opened.log.flush(done));
    const again = openedLog(grown, { ...more, policy });
    expect(sortedMetas(again)).toEqual(expect.arrayContaining(lastFive));
    expect(again.damage).toEqual([]);
  },
);

test.each(["ring", "extents"] as const)(
  "%s: a power cut at any moment of growth leaves a volume of either size, with every record and no damage",
  (policy) => {
    const disk = usedVolume(policy);
    const chance = createChance(7);
    const sizes = new Set<number>();
    let isDone = false;
    for (let steps = 0; !isDone; steps++) {
      const growing = disk.powerCut(() => "kept");
      openLog(smallOptions(growing, { ...more, policy }), (error) => {
        expect(error).toBeNull();
        isDone = true;
      });
      growing.run(steps);
      const left = growing.powerCut(() => (chance() < 0.5 ? "kept" : "dropped"));
      const asItWas = smallOptions(left, { ...few, policy });
      const { error, opened } = collectAnswer<{ error: LogError | null; opened: OpenedLog | null }>(
        left,
        (done) => openLog(asItWas, (error, opened) => done({ error, opened })),
      );
      // The volume opens with the earlier size, and works, until the growth has been committed.
      if (opened !== null) {
        sizes.add(6);
        expect(sortedMetas(opened), `after ${steps} steps`).toEqual(lastFive);
        const { log } = opened;
        collectAnswer<LogError | null>(left, (done) => log.append(makeRecord(60, "x".repeat(9_000)), done));
        log.kill([makeRecordId(60)]);
        collectAnswer<LogError | null>(left, (done) => log.flush(done));
      } else {
        sizes.add(9);
        expect(error?.message).toMatch(/has 9 segments and cannot shrink to 6/);
      }
      const again = openedLog(left, { ...more, policy });
      expect(again.damage, `after ${steps} steps`).toEqual([]);
      expect(sortedMetas(again), `after ${steps} steps`).toEqual(lastFive);
      expect(again.log.stats().segmentsTotal).toBe(9);
      expect(fill(left, again)).toBeGreaterThan(2 * 4);
      collectAnswer<LogError | null>(left, (done) => again.log.flush(done));
      expect(sortedMetas(openedLog(left, { ...more, policy }))).toEqual(expect.arrayContaining(lastFive));
    }
    expect(sizes).toEqual(new Set([6, 9]));
  },
);

test("growth without enough disk space leaves the volume unchanged, and succeeds once there is space", () => {
  const disk = usedVolume("extents");
  disk.onOperation = (name, file) =>
    name === "create" && file === "segment-00007" ? new DiskError("no_space", "The disk is full.") : null;
  expect(() => openedLog(disk, { ...more, policy: "extents" })).toThrow(/segment-00007.*full/);
  expect(sortedMetas(openedLog(disk, { ...few, policy: "extents" }))).toEqual(lastFive);
  disk.onOperation = () => null;
  const opened = openedLog(disk, { ...more, policy: "extents" });
  expect(sortedMetas(opened)).toEqual(lastFive);
  expect(opened.log.stats().segmentsTotal).toBe(9);
});

test("a volume cannot shrink, and the refusal names both sizes", () => {
  const disk = usedVolume("ring");
  openedLog(disk, more);
  expect(() => openedLog(disk, few)).toThrow(/has 9 segments and cannot shrink to 6/);
});

test("a segment with records is never reused if the volume page does not count the segment", () => {
  const disk = usedVolume("ring");
  const before = disk.medium("volume").slice();
  const { log } = openedLog(disk, more);
  for (let number = 100; number < 125; number++)
    collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(number, "x".repeat(9_000)), done));
  disk.medium("volume").set(before);
  expect(() => openedLog(disk, more)).toThrow(
    /segment-0000\d holds records, but the volume file counts fewer/,
  );
});
