/** Small logs and records for tests. */
import type { LogError } from "../errors.ts";
import type { RecordInput } from "../log.ts";
import { type OpenedLog, openLogKeeping } from "../open.ts";
import type { LogOptions } from "../options.ts";
import type { RecordId } from "../record-key.ts";
import { copyOfRecord, type SummariseRecord } from "../recovered-records.ts";
import { formatLog } from "../volume-file.ts";
import { crc32c } from "./crc32c.ts";
import { fewPages } from "./few-pages.ts";
import type { MemoryDisk } from "./memory-disk.ts";

export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export function smallOptions(disk: LogOptions["disk"], changes: Partial<LogOptions> = {}): LogOptions {
  return {
    disk,
    crc32c,
    nowMs: () => 0,
    clusterId: encodeText("cluster-00000001"),
    deviceId: encodeText("device--00000001"),
    policy: "ring",
    segmentBytes: 65_536,
    segmentCount: 6,
    batchBytesMax: 32_768,
    recordBytesMax: 16_384,
    batchesWaitingMax: 4,
    memory: fewPages(),
    ...changes,
  };
}

export function makeRecordId(number: number): RecordId {
  const uploadId = new Uint8Array(16);
  new DataView(uploadId.buffer).setUint32(12, number);
  return { uploadId, shardIndex: number % 20 };
}

export function makeRecord(number: number, payload = `payload ${number}`): RecordInput {
  return {
    type: "shard",
    ...makeRecordId(number),
    k: 16,
    m: 4,
    versionOrder: makeRecordId(number).uploadId,
    placementEpoch: 7,
    meta: encodeText(`meta ${number}`),
    payload: encodeText(payload),
  };
}

/** Runs the disk until `start` has answered; returns the answer, or an error if it never came. */
export function collectAnswer<Answer>(
  disk: MemoryDisk,
  start: (done: (answer: Answer) => void) => void,
): Answer {
  const answers: Answer[] = [];
  start((answer) => answers.push(answer));
  disk.run();
  if (answers.length !== 1) throw new Error(`${answers.length} answers came instead of one.`);
  return answers[0] as Answer;
}

/** Returns the opened log of a disk, which is formatted first if `isNew`. */
export function openedLog(disk: MemoryDisk, changes: Partial<LogOptions> = {}, isNew = false): OpenedLog {
  return openedLogKeeping(disk, copyOfRecord, changes, isNew);
}

export function openedLogKeeping<Kept>(
  disk: MemoryDisk,
  keep: SummariseRecord<Kept>,
  changes: Partial<LogOptions> = {},
  isNew = false,
): OpenedLog<Kept> {
  const options = smallOptions(disk, changes);
  const failed = isNew ? collectAnswer<LogError | null>(disk, (done) => formatLog(options, done)) : null;
  if (failed !== null) throw failed;
  const { error, opened } = collectAnswer<{ error: LogError | null; opened: OpenedLog<Kept> | null }>(
    disk,
    (done) => openLogKeeping({ ...options, keep }, (error, opened) => done({ error, opened })),
  );
  if (error !== null || opened === null) throw error ?? new Error("Nothing was opened.");
  return opened;
}
