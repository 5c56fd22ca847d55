import { describe, expect, test } from "vitest";
import type { LogError } from "./errors.ts";
import { type OpenedLog, openLog } from "./open.ts";
import { listFrames } from "./testing/frames.ts";
import {
  collectAnswer,
  decodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
  smallOptions,
} from "./testing/index.ts";

/** Five frames of one record each, all durable. */
function fiveFrames(policy: "ring" | "extents"): MemoryDisk {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, { policy }, true);
  for (let number = 1; number <= 5; number++) {
    collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(number), done));
    collectAnswer<LogError | null>(disk, (done) => log.flush(done));
  }
  return disk;
}

function zeroFrame(disk: MemoryDisk, at: number): void {
  const { file, frame } = listFrames(disk).at(at) as ReturnType<typeof listFrames>[number];
  disk.medium(file).fill(0, frame.offset, frame.offset + 4096);
}

const recoveredMetas = (opened: OpenedLog): string[] =>
  [...opened.records].map((header) => decodeText(header.meta));
const damageKinds = (opened: OpenedLog): string[] => opened.damage.map((each) => each.kind);

describe.each(["ring", "extents"] as const)("%s", (policy) => {
  test("a missing last frame is a torn tail: earlier frames count, and writing continues in the segment", () => {
    const disk = fiveFrames(policy);
    zeroFrame(disk, 4);
    const opened = openedLog(disk, { policy });
    expect(recoveredMetas(opened)).toEqual(["meta 1", "meta 2", "meta 3", "meta 4"]);
    expect(damageKinds(opened)).toEqual([]);
    collectAnswer<LogError | null>(disk, (done) => opened.log.append(makeRecord(6), done));
    collectAnswer<LogError | null>(disk, (done) => opened.log.flush(done));
    expect(new Set(listFrames(disk).map((each) => each.file)).size).toBe(1);
    expect(recoveredMetas(openedLog(disk, { policy }))).toEqual([
      "meta 1",
      "meta 2",
      "meta 3",
      "meta 4",
      "meta 6",
    ]);
  });

  test("a missing frame before good ones is damage: the good ones count, and the segment is not written again", () => {
    const disk = fiveFrames(policy);
    zeroFrame(disk, 2);
    const opened = openedLog(disk, { policy });
    expect(recoveredMetas(opened)).toEqual(["meta 1", "meta 2", "meta 4", "meta 5"]);
    expect(damageKinds(opened)).toEqual(["frame_lost"]);
    collectAnswer<LogError | null>(disk, (done) => opened.log.append(makeRecord(6), done));
    collectAnswer<LogError | null>(disk, (done) => opened.log.flush(done));
    expect(new Set(listFrames(disk).map((each) => each.file)).size).toBe(2);
    const again = openedLog(disk, { policy });
    expect(recoveredMetas(again)).toEqual(["meta 1", "meta 2", "meta 4", "meta 5", "meta 6"]);
  });

  test("a missing durable last frame after a restart is damage, because the volume file attests it", () => {
    const disk = fiveFrames(policy);
    openedLog(disk, { policy });
    zeroFrame(disk, 4);
    expect(damageKinds(openedLog(disk, { policy }))).toEqual(["tail_lost"]);
  });

  test("a lost header copy is rewritten, and a segment that lost both is given up and reused", () => {
    const disk = fiveFrames(policy);
    disk.medium("segment-00000").fill(9, 0, 4096);
    const opened = openedLog(disk, { policy });
    expect(damageKinds(opened)).toEqual(["header_copy_lost"]);
    expect(recoveredMetas(opened)).toHaveLength(5);
    expect(damageKinds(openedLog(disk, { policy }))).toEqual([]);
    disk.medium("segment-00000").fill(9, 0, 4096).fill(9, 61_440);
    const lost = openedLog(disk, { policy });
    expect(damageKinds(lost)[0]).toBe("segment_lost");
    expect(recoveredMetas(lost)).toEqual([]);
    disk.run();
    expect(lost.log.stats().segmentsFree).toBe(6);
    // A generation is never assigned twice, even if the lost one was the highest.
    expect(lost.log.stats().marks.generation).toBeGreaterThan(2 ** 20);
    expect(recoveredMetas(openedLog(disk, { policy }))).toEqual([]);
  });
});

test("frames after a lost unflushed one do not count and never come back", () => {
  const disk = fiveFrames("extents");
  const { log } = openedLog(disk, { policy: "extents" });
  const before = listFrames(disk).length;
  for (const number of [6, 7, 8])
    collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(number), done));
  let page = 0;
  const left = disk.powerCut(() => (page++ === 0 ? "dropped" : "kept"));
  expect(listFrames(left).length).toBe(before + 2);
  const opened = openedLog(left, { policy: "extents" });
  expect(recoveredMetas(opened)).toHaveLength(5);
  expect(opened.framesDiscarded).toBe(2);
  expect(damageKinds(opened)).toEqual([]);
  collectAnswer<LogError | null>(left, (done) => opened.log.append(makeRecord(9), done));
  collectAnswer<LogError | null>(left, (done) => opened.log.flush(done));
  const again = openedLog(left, { policy: "extents" });
  expect(recoveredMetas(again).at(-1)).toBe("meta 9");
  expect(recoveredMetas(again)).toHaveLength(6);
});

test("a segment without countable frames after a cut is written from its start, and nothing is missed in it later", () => {
  const disk = fiveFrames("extents");
  const { log } = openedLog(disk, { policy: "extents" });
  collectAnswer<LogError | null>(disk, (done) => log.checkpoint(done));
  for (const number of [6, 7])
    collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(number), done));
  let page = 0;
  const left = disk.powerCut(() => (page++ === 0 ? "dropped" : "kept"));
  expect(listFrames(left).at(-1)?.file).toBe("segment-00001");
  for (let steps = 0; steps < 10; steps++) {
    const again = left.powerCut(() => "dropped");
    const found: (OpenedLog | null)[] = [];
    openLog(smallOptions(again, { policy: "extents" }), (_error, opened) => found.push(opened));
    // The log's own work after opening has not begun yet.
    while (found.length === 0) again.run(1);
    const opened = found[0] as OpenedLog;
    expect(opened).toMatchObject({ damage: [], framesDiscarded: 1 });
    opened.log.append(makeRecord(8), () => {});
    opened.log.flush(() => {});
    again.run(steps);
    const cut = again.powerCut((file) => (file === "segment-00001" ? "dropped" : "kept"));
    const after = openedLog(cut, { policy: "extents" });
    expect(damageKinds(after), `after ${steps} steps`).toEqual([]);
    expect(recoveredMetas(after).slice(0, 5)).toEqual(recoveredMetas(opened));
  }
  const { log: last } = openedLog(left, { policy: "extents" });
  collectAnswer<LogError | null>(left, (done) => last.append(makeRecord(8), done));
  collectAnswer<LogError | null>(left, (done) => last.flush(done));
  expect(new Set(listFrames(left).map((each) => each.file))).toEqual(
    new Set(["segment-00000", "segment-00001"]),
  );
});

test("a sealed segment is read from its checkpoint, and scanned if that is damaged", () => {
  const disk = fiveFrames("ring");
  const { log } = openedLog(disk);
  for (const number of [6, 7])
    collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(number), done));
  // The resumed segment has none; the next one does.
  collectAnswer<LogError | null>(disk, (done) => log.checkpoint(done));
  for (const number of [8, 9]) {
    collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(number, "y".repeat(9000)), done));
  }
  collectAnswer<LogError | null>(disk, (done) => log.kill([{ ...makeRecord(8) }], done));
  collectAnswer<LogError | null>(disk, (done) => log.checkpoint(done));
  const opened = openedLog(disk);
  expect(recoveredMetas(opened)).toEqual([1, 2, 3, 4, 5, 6, 7, 9].map((number) => `meta ${number}`));
  const checkpoint = listFrames(disk).at(-1);
  disk
    .medium("segment-00001")
    .fill(1, (checkpoint?.frame.offset ?? 0) + 130, (checkpoint?.frame.offset ?? 0) + 300);
  const walked = openedLog(disk);
  expect(damageKinds(walked)).toContain("checkpoint_lost");
  expect(recoveredMetas(walked)).toEqual(recoveredMetas(openedLog(disk)));
  expect(recoveredMetas(walked)).toHaveLength(8);
});

test("a torn frame after recycled ones is no damage", () => {
  const disk = new MemoryDisk();
  const geometry = { policy: "extents", segmentCount: 4 } as const;
  const { log } = openedLog(disk, geometry, true);
  for (const number of [1, 2, 3]) {
    log.append(makeRecord(number, "x".repeat(9000)), () => {});
    log.kill([makeRecordId(number)]);
    collectAnswer<LogError | null>(disk, (done) => log.flush(done));
  }
  // Begins the next segment. Only the reserve is free then, so the one before is recycled at once, and no frame is left.
  collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(4, "x".repeat(9000)), done));
  expect(log.stats().counters.recyclesTotal).toBe(1);
  const opened = openedLog(
    disk.powerCut((_file, page) => (page === 1 ? "kept" : "dropped")),
    geometry,
  );
  expect([opened.framesDiscarded, opened.records.length, damageKinds(opened)]).toEqual([1, 0, []]);
});

test("the last frame stays on the medium until there is a later one, so that its loss is noticed", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, { policy: "extents" }, true);
  log.append(makeRecord(9), () => {});
  collectAnswer<LogError | null>(disk, (done) => log.checkpoint(done));
  log.append(makeRecord(1), () => {});
  log.kill([makeRecordId(1)]);
  collectAnswer<LogError | null>(disk, (done) => log.checkpoint(done));
  const openAfterCut = (left: MemoryDisk) => openedLog(left, { policy: "extents" });
  expect(damageKinds(openAfterCut(disk.powerCut(() => "dropped")))).toEqual([]);
  log.append(makeRecord(2), () => {});
  disk.run();
  expect(log.stats().counters.recyclesTotal).toBe(0);
  // Written, and not durable.
  expect(damageKinds(openAfterCut(disk.powerCut(() => "dropped")))).toEqual([]);
  expect(recoveredMetas(openAfterCut(disk.powerCut(() => "kept")))).toEqual(["meta 9", "meta 2"]);
  collectAnswer<LogError | null>(disk, (done) => log.flush(done));
  expect(log.stats().counters.recyclesTotal).toBe(1);
  const left = disk.powerCut(() => "dropped");
  expect(recoveredMetas(openAfterCut(left))).toEqual(["meta 9", "meta 2"]);
  zeroFrame(left, -1);
  expect(damageKinds(openAfterCut(left))).toContain("tail_lost");
});
