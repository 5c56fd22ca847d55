/** Tests that frames and records with correct checksums from another log, generation or place are not read. */
import { expect, test } from "vitest";
import type { LogError } from "./errors.ts";
import {
  alignPage,
  dataView,
  encodeFrameHeader,
  encodeRecord,
  FRAME_HEADER_BYTES,
  type FrameHeader,
  type Identity,
  makeIdentity,
  PAGE_BYTES,
  type RecordPlace,
  recordBytes,
} from "./format.ts";
import type { LogRecord } from "./read-record.ts";
import { listFrames, type PlacedFrame } from "./testing/frames.ts";
import {
  collectAnswer,
  crc32c,
  decodeText,
  encodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
} from "./testing/index.ts";

const mine = makeIdentity(encodeText("cluster-00000001"), encodeText("device--00000001"), crc32c);
const ofOtherCluster = makeIdentity(encodeText("cluster-00000002"), mine.deviceId, crc32c);
const ofOtherDevice = makeIdentity(mine.clusterId, encodeText("device--00000002"), crc32c);

/** Two durable frames of one record each, followed by free space for the next one. */
function twoFrames(): { disk: MemoryDisk; last: PlacedFrame; next: FrameHeader } {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  for (const number of [1, 2]) {
    expect(collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(number), done))).toBeNull();
  }
  const last = listFrames(disk).at(-1) as PlacedFrame;
  const { frame } = last;
  const next = {
    ...frame,
    offset: frame.offset + alignPage(frame.bytes),
    sequence: frame.sequence + 1,
    firstLsn: frame.firstLsn + frame.recordCount,
    recordCount: 1,
    bytes: FRAME_HEADER_BYTES + recordBytes(encodeText("meta 3").length, encodeText("payload 3").length),
    previousCrc: frame.crc,
    previousGeneration: frame.generation,
  };
  return { disk, last, next };
}

interface Forgery {
  readonly frame?: Partial<FrameHeader>;
  readonly place?: Partial<RecordPlace>;
  readonly frameIdentity?: Identity;
  readonly recordIdentity?: Identity;
}

/** Writes record 3 as the next frame, correct except for the forged field. */
function forge({ frame = {}, place = {}, frameIdentity = mine, recordIdentity = mine }: Forgery): MemoryDisk {
  const { disk, last, next } = twoFrames();
  const bytes = new Uint8Array(PAGE_BYTES);
  const right = {
    lsn: next.firstLsn,
    generation: next.generation,
    offset: next.offset + FRAME_HEADER_BYTES,
    volumeEpoch: next.volumeEpoch,
  };
  encodeRecord(recordIdentity, bytes, dataView(bytes), FRAME_HEADER_BYTES, makeRecord(3), {
    ...right,
    ...place,
  });
  encodeFrameHeader(frameIdentity, bytes, { ...next, ...frame });
  disk.medium(last.file).set(bytes, next.offset);
  return disk;
}

/** Returns the payloads that the log returns when it is opened again. */
function payloadsOf(disk: MemoryDisk): string[] {
  const { log, records } = openedLog(disk);
  return [...records].map((header) => {
    const record = collectAnswer<LogRecord | null>(disk, (done) =>
      log.read(header, (_error, read) => done(read)),
    );
    return record === null ? "nothing" : decodeText(record.payload);
  });
}

test("a frame that is correct in every field is read, so the forgeries below fail for their forged field", () => {
  expect(payloadsOf(forge({}))).toEqual(["payload 1", "payload 2", "payload 3"]);
});

const { next } = twoFrames();
/**
 * Lists the forgeries, with the number of frames that each counts as complete but discarded: none if no frame is
 * recognised as this log's.
 */
const forgeries: [string, number, Forgery][] = [
  ["a frame of an earlier generation", 0, { frame: { generation: next.generation - 1 } }],
  ["a frame of a later generation", 0, { frame: { generation: next.generation + 1 } }],
  ["a frame of another place", 0, { frame: { offset: next.offset + PAGE_BYTES } }],
  ["a frame of another cluster", 0, { frameIdentity: ofOtherCluster }],
  ["a frame of another device", 0, { frameIdentity: ofOtherDevice }],
  ["a frame that reaches past its segment", 0, { frame: { bytes: 65_536 } }],
  ["a frame of four gigabytes", 0, { frame: { bytes: 0xffff_ffff } }],
  ["an empty frame", 0, { frame: { bytes: FRAME_HEADER_BYTES } }],
  ["a frame that claims more records than it has", 1, { frame: { recordCount: 2 } }],
  ["a frame that does not continue the chain", 1, { frame: { previousCrc: 1 } }],
  ["a frame out of sequence", 1, { frame: { sequence: next.sequence + 5, previousCrc: 1 } }],
  ["a record of another cluster", 1, { recordIdentity: ofOtherCluster }],
  ["a record of another device", 1, { recordIdentity: ofOtherDevice }],
  ["a record of another generation", 1, { place: { generation: next.generation + 1 } }],
  ["a record of another place", 1, { place: { offset: next.offset + 1024 } }],
  ["a record of another volume epoch", 1, { place: { volumeEpoch: next.volumeEpoch + 1 } }],
  ["a record that is not the frame's next", 1, { place: { lsn: next.firstLsn + 1 } }],
];
test.each(forgeries)("%s is not read, but the records before it are", (_what, framesDiscarded, forgery) => {
  expect(openedLog(forge(forgery))).toMatchObject({ framesDiscarded, damage: [] });
  expect(payloadsOf(forge(forgery))).toEqual(["payload 1", "payload 2"]);
});

test("the log overwrites a foreign frame, which never reappears", () => {
  const disk = forge({ frame: { generation: next.generation - 1 } });
  const { log } = openedLog(disk);
  expect(collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(4), done))).toBeNull();
  expect(payloadsOf(disk)).toEqual(["payload 1", "payload 2", "payload 4"]);
  expect(openedLog(disk).log.has(makeRecordId(3))).toBe(false);
});
