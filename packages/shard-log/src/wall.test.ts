import { expect, test } from "vitest";
import { isBlank } from "./bytes.ts";
import type { LogError } from "./errors.ts";
import { PAGE_BYTES, recordBytes } from "./format.ts";
import type { RecordInput, ShardLog } from "./log.ts";
import { liveBytesMax, type SpaceClass } from "./space-limits.ts";
import {
  collectAnswer,
  encodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
} from "./testing/index.ts";
import { createChance } from "./testing/model.ts";
import { segmentFileName } from "./volume-file.ts";

const geometry = {
  policy: "extents",
  segmentBytes: 131_072,
  segmentCount: 8,
  recordBytesMax: 16_384,
} as const;
/** Size of a record that fills a page together with its frame header. */
const PAGE_FILLING_BYTES = 3840;
const TOMBSTONE_BYTES_MAX = 512;
/** First number of tombstones, far above the numbers of the data. */
const TOMBSTONES_FROM = 1_000_000;

function tombstoneOf(number: number): RecordInput {
  return {
    ...makeRecord(TOMBSTONES_FROM + number, ""),
    type: "tombstone",
    meta: encodeText(`meta ${number}`),
  };
}

class Volume {
  disk = new MemoryDisk();
  log: ShardLog = openedLog(this.disk, geometry, true).log;

  /** Returns null if the log accepted the record. */
  append(record: RecordInput, room: SpaceClass): LogError | null {
    return collectAnswer<LogError | null>(this.disk, (done) => this.log.append(record, done, room));
  }

  flush(): void {
    expect(collectAnswer<LogError | null>(this.disk, (done) => this.log.flush(done))).toBeNull();
  }

  /** Appends data until the log refuses it twice with a pause between; returns the numbers of the accepted records. */
  fill(sizeOf: () => number, from = 0, room: SpaceClass = "data"): number[] {
    const taken: number[] = [];
    for (let refusals = 0; refusals < 2; ) {
      const number = from + taken.length;
      const error = this.append(makeRecord(number, "x".repeat(sizeOf())), room);
      if (error === null) taken.push(number);
      else {
        expect(error.code).toBe("log_full");
        refusals += 1;
        this.disk.run();
      }
    }
    return taken;
  }

  /** Deletes as a pod does: appends the tombstone, flushes it, and then removes the superseded record. */
  delete(number: number): void {
    const isTaken = this.append(tombstoneOf(number), "removal") === null;
    // A removal without space waits for compaction and is tried again.
    if (!isTaken) {
      this.disk.run();
      expect(this.append(tombstoneOf(number), "removal"), `the delete of ${number}`).toBeNull();
    }
    this.flush();
    this.log.kill([makeRecordId(number)]);
  }

  restart(chance: () => number): void {
    this.disk = this.disk.powerCut(() => (chance() < 0.5 ? "kept" : "dropped"));
    this.log = openedLog(this.disk, geometry).log;
  }
}

test("each class of records stops at its own limit, and removals fill 95 % of theirs", () => {
  const volume = new Volume();
  volume.fill(() => PAGE_FILLING_BYTES);
  const refused = (room: SpaceClass) =>
    volume.append(makeRecord(900_000, "x".repeat(PAGE_FILLING_BYTES)), room)?.code;
  for (const room of ["data", "replacement", "repair", "removal"] as const) {
    for (let number = 500_000; ; number += 1) {
      const { bytesLive } = volume.log.stats();
      if (volume.append(makeRecord(number, "x".repeat(PAGE_FILLING_BYTES)), room) !== null) break;
      expect(bytesLive).toBeLessThanOrEqual(liveBytesMax(geometry, room));
    }
    expect(refused(room)).toBe("log_full");
  }
  const { bytesLive, dataBytesFree } = volume.log.stats();
  expect(dataBytesFree).toBe(0);
  expect(bytesLive).toBeGreaterThan(0.95 * liveBytesMax(geometry, "removal"));
});

test("a horizon finds space in a log that removals have filled", () => {
  const volume = new Volume();
  const { segmentBytes } = geometry;
  for (
    let number = 0;
    volume.append(makeRecord(number, "x".repeat(segmentBytes / 64)), "removal") === null;
    number += 1
  );
  for (let number = 0; volume.append(tombstoneOf(number), "removal") === null; number += 1);
  expect(volume.append(tombstoneOf(900_000), "removal")?.code).toBe("log_full");
  expect(volume.append(tombstoneOf(900_000), "horizon")).toBeNull();
});

test.each([700, PAGE_FILLING_BYTES, 9000, 16_000])(
  "data with records of %i bytes stops before the segments run out, so that the reserve for removals really exists",
  (bytes) => {
    const volume = new Volume();
    volume.fill(() => bytes);
    const keptBytes = liveBytesMax(geometry, "removal") - volume.log.stats().bytesLive;
    let takenBytes = 0;
    for (let number = 0; keptBytes - takenBytes > TOMBSTONE_BYTES_MAX; number += 1) {
      const before = volume.log.stats().bytesLive;
      if (volume.append(tombstoneOf(number), "removal") !== null) volume.disk.run();
      takenBytes += volume.log.stats().bytesLive - before;
      expect(number, `after ${takenBytes} of ${keptBytes} bytes`).toBeLessThan(keptBytes / 100);
    }
  },
);

test("data with records of any size fills 95 % of its share of the log", () => {
  for (const bytes of [40, 700, 3000, 9000]) {
    const volume = new Volume();
    volume.fill(() => bytes);
    expect(volume.log.stats().bytesLive, `${bytes} bytes`).toBeGreaterThan(
      0.95 * liveBytesMax(geometry, "data"),
    );
  }
});

test.each([1, 2, 3, 4, 5, 6])(
  "seed %i: a log full of data accepts the delete of every record, even across power cuts, and then data again",
  (seed) => {
    const chance = createChance(seed);
    const sizeMax = [600, 900, 4000, 9000, 12_000, 1500][seed - 1] as number;
    const volume = new Volume();
    let from = 0;
    for (let round = 1; round <= 3; round += 1) {
      const numbers = volume.fill(() => Math.ceil(chance() * sizeMax), from);
      const filledBytes = volume.log.stats().bytesLive;
      from += numbers.length;
      const inAnyOrder = numbers.map((number) => ({ number, at: chance() })).sort((a, b) => a.at - b.at);
      for (const { number } of inAnyOrder) {
        volume.delete(number);
        if (chance() < 0.01) volume.restart(chance);
      }
      // Kills that a power cut undid are repeated, as a recovering pod does.
      volume.log.kill([
        ...numbers.map(makeRecordId),
        ...numbers.map((number) => makeRecordId(TOMBSTONES_FROM + number)),
      ]);
      volume.flush();
      expect(volume.log.stats().recordsLive).toBe(0);
      const again = volume.fill(() => sizeMax, from);
      expect(volume.log.stats().bytesLive, `round ${round}`).toBeGreaterThan(0.85 * filledBytes);
      from += again.length;
      volume.log.kill(again.map(makeRecordId));
      volume.flush();
    }
  },
  60_000,
);

test("background compaction leaves little garbage once half of the data has been deleted", () => {
  const volume = new Volume();
  const numbers = volume.fill(() => 3000);
  volume.log.kill(numbers.filter((number) => number % 2 === 0).map(makeRecordId));
  volume.flush();
  for (let hasEmptied = true; hasEmptied; ) {
    volume.log.compact((_error, emptied) => {
      hasEmptied = emptied;
    });
    volume.disk.run();
  }
  const { bytesLive, bytesUsed } = volume.log.stats();
  expect(bytesUsed).toBeLessThan(1.2 * bytesLive);
});

test("background compaction empties the segment being written once most of it is dead", () => {
  const volume = new Volume();
  let number = 0;
  while (volume.log.stats().bytesUsed < geometry.segmentBytes / 2) {
    volume.append(makeRecord(number++, "x".repeat(3000)), "data");
  }
  volume.log.kill(Array.from({ length: number - 1 }, (_, at) => makeRecordId(1 + at)));
  volume.flush();
  volume.log.compact(() => {});
  volume.disk.run();
  expect(volume.log.stats().bytesUsed).toBeLessThan(geometry.segmentBytes / 4);
});

test("the smallest volume of a vault has space for five hundred tombstones of the longest keys", () => {
  // 12 segments of 8 MiB, and records of a sixteenth of a piece of 8 MiB.
  const smallest = {
    policy: "extents",
    segmentBytes: 8_388_608,
    segmentCount: 12,
    recordBytesMax: 540_672,
  } as const;
  const longestKey = { ...tombstoneOf(0), meta: new Uint8Array(1400) };
  const reserve = liveBytesMax(smallest, "removal") - liveBytesMax(smallest, "repair");
  expect(reserve / recordBytes(longestKey.meta.length, 0)).toBeGreaterThan(500);
});

test("a drive that forgot acknowledged writes opens read-only, and reports that no segment is free", () => {
  const volume = new Volume();
  const numbers = volume.fill(() => PAGE_FILLING_BYTES, 0, "removal");
  volume.flush();
  const early = volume.disk.powerCut(() => "dropped");
  volume.log.kill(numbers.map(makeRecordId));
  volume.flush();
  for (let number = 10_000; ; number += 1) {
    if (volume.append(makeRecord(number, "x".repeat(PAGE_FILLING_BYTES)), "removal") !== null) break;
    volume.flush();
  }
  const late = volume.disk.powerCut(() => "dropped");
  // After the early moment only the segments that were free then have reached the medium.
  for (let slot = 0; slot < geometry.segmentCount; slot += 1) {
    const name = segmentFileName(slot);
    const firstFrame = early.medium(name).subarray(PAGE_BYTES, 2 * PAGE_BYTES);
    if (isBlank(firstFrame)) early.medium(name).set(late.medium(name));
  }
  const last = early.medium(segmentFileName(geometry.segmentCount - 1));
  // Damages a frame in the middle of the last segment, so that nothing may be appended behind the others.
  last[5 * PAGE_BYTES] = (last[5 * PAGE_BYTES] as number) ^ 1;
  const opened = openedLog(early, geometry);
  expect(opened.hasLostReserve).toBe(true);
  expect(opened.records.length).toBeGreaterThan(numbers.length);
  const refusal = collectAnswer<LogError | null>(early, (done) =>
    opened.log.append(makeRecord(900_000, ""), done, "removal"),
  );
  expect(refusal?.code).toBe("log_full");
  expect(openedLog(late, geometry).hasLostReserve).toBe(false);
});
