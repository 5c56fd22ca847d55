import { expect, test } from "vitest";
import type { LogError } from "./errors.ts";
import type { ShardLog } from "./log.ts";
import type { LogRecord } from "./reading.ts";
import { answerOf, idOf, MemoryDisk, openedLog, recordOf, textOf } from "./testing/index.ts";

const append = (disk: MemoryDisk, log: ShardLog, number: number): LogError | null =>
  answerOf(disk, (done) => log.append(recordOf(number), done));

function read(disk: MemoryDisk, log: ShardLog, number: number): string {
  const { error, record } = answerOf<{ error: LogError | null; record: LogRecord | null }>(disk, (done) =>
    log.read(idOf(number), (error, record) => done({ error, record })),
  );
  return record === null ? (error?.code ?? "nothing") : textOf(record.payload);
}

const dropAll = (disk: MemoryDisk): MemoryDisk => disk.powerCut(() => "dropped");

test("an acknowledged record of a ring survives a power cut", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  expect(append(disk, log, 1)).toBeNull();
  const left = dropAll(disk);
  const reopened = openedLog(left);
  expect([...reopened.records].map((header) => textOf(header.meta))).toEqual(["meta 1"]);
  expect(read(left, reopened.log, 1)).toBe("payload 1");
  expect(reopened.damage).toEqual([]);
});

test("a ring is recycled many times over and keeps what lives", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  expect(append(disk, log, 0)).toBeNull();
  for (let number = 1; number < 2000; number++) {
    expect(append(disk, log, number)).toBeNull();
    if (number > 5) log.kill([idOf(number - 5)]);
  }
  disk.run();
  expect(log.stats().counters.recyclesTotal).toBeGreaterThan(100);
  expect(read(disk, log, 0)).toBe("payload 0");
  expect(log.stats().recordsLive).toBe(6);
  const left = dropAll(disk);
  const reopened = openedLog(left);
  expect(reopened.damage).toEqual([]);
  expect(reopened.log.stats().recordsLive).toBeLessThan(100);
  expect(read(left, reopened.log, 0)).toBe("payload 0");
  expect(read(left, reopened.log, 1999)).toBe("payload 1999");
});
