/**
 * Byte layout of records, frames and header pages. FORMAT.md beside this package is the specification, with every
 * offset and the reason for every rule; this file only reads and writes single structures and knows no disk.
 */

export const FORMAT_VERSION = 1;
export const PAGE_BYTES = 4096;
export const RECORD_ALIGN_BYTES = 64;
export const RECORD_HEADER_BYTES = 96;
export const FRAME_HEADER_BYTES = 128;
export const META_BYTES_MAX = 65_536;
export const ID_BYTES = 16;

const FRAME_MAGIC = 0x46_52_4c_53;

/**
 * `husk`: the remains of a shard whose payload was lost. It names the upload, so that a lost upload does not become
 * absent.
 */
const recordTypes = { shard: 1, tombstone: 2, purgeList: 3, checkpoint: 4, husk: 5 } as const;
export type RecordType = keyof typeof recordTypes;
const typeNames: readonly (RecordType | undefined)[] = [
  undefined,
  "shard",
  "tombstone",
  "purgeList",
  "checkpoint",
  "husk",
];

/** CRC-32C (Castagnoli) of `bytes`, continued from `previous`, which is 0 or absent at the start. */
export type Crc32c = (bytes: Uint8Array, previous?: number) => number;

/** Owner of the bytes. The seed makes records and frames of another device fail their checks. */
export interface Identity {
  readonly clusterId: Uint8Array;
  readonly deviceId: Uint8Array;
  readonly crc32c: Crc32c;
  readonly seed: number;
}

export function makeIdentity(clusterId: Uint8Array, deviceId: Uint8Array, crc32c: Crc32c): Identity {
  return { clusterId, deviceId, crc32c, seed: crc32c(deviceId, crc32c(clusterId)) };
}

export const alignPage = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
export const alignRecord = (bytes: number): number =>
  Math.ceil(bytes / RECORD_ALIGN_BYTES) * RECORD_ALIGN_BYTES;

/** Bytes that a record takes in its frame. */
export const recordBytes = (metaBytes: number, payloadBytes: number): number =>
  alignRecord(RECORD_HEADER_BYTES + metaBytes + payloadBytes);

const TWO_32 = 2 ** 32;

export function setU64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % TWO_32, true);
  view.setUint32(at + 4, Math.floor(value / TWO_32), true);
}

/** A value above 2^53 reads as Infinity, which no check accepts. */
export function getU64(view: DataView, at: number): number {
  const value = view.getUint32(at + 4, true) * TWO_32 + view.getUint32(at, true);
  return value <= Number.MAX_SAFE_INTEGER ? value : Number.POSITIVE_INFINITY;
}

export const dataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Location of a record, and its position in the order of writes. */
export interface RecordPlace {
  readonly lsn: number;
  readonly generation: number;
  readonly offset: number;
  readonly volumeEpoch: number;
}

/** A caller's description of a record; `meta` and `payload` are opaque here. */
export interface RecordFields {
  readonly type: RecordType;
  readonly uploadId: Uint8Array;
  readonly shardIndex: number;
  readonly k: number;
  readonly m: number;
  /** 16 bytes, compared lexicographically. */
  readonly versionOrder: Uint8Array;
  readonly placementEpoch: number;
  readonly meta: Uint8Array;
  readonly payload: Uint8Array;
  /** The payload's checksum, if it is known. */
  readonly payloadCrc?: number;
}

export interface RecordHeader extends RecordPlace, Omit<RecordFields, "payload" | "payloadCrc"> {
  readonly payloadBytes: number;
  readonly payloadCrc: number;
}

/** Writes header, meta and payload at `at` and zeroes the padding; returns the offset after it. */
export function encodeRecord(
  identity: Identity,
  bytes: Uint8Array,
  view: DataView,
  at: number,
  fields: RecordFields,
  place: RecordPlace,
): number {
  const { meta, payload } = fields;
  view.setUint32(at + 4, fields.payloadCrc ?? identity.crc32c(payload), true);
  bytes.set(fields.uploadId, at + 16);
  bytes.set(fields.versionOrder, at + 32);
  view.setUint32(at + 60, payload.length, true);
  view.setUint32(at + 64, meta.length, true);
  bytes[at + 68] = recordTypes[fields.type];
  bytes[at + 69] = fields.k;
  bytes[at + 70] = fields.m;
  bytes[at + 71] = 0;
  view.setUint32(at + 72, fields.shardIndex, true);
  setU64(view, at + 80, fields.placementEpoch);
  setU64(view, at + 88, 0);
  bytes.set(meta, at + RECORD_HEADER_BYTES);
  bytes.set(payload, at + RECORD_HEADER_BYTES + meta.length);
  const end = at + recordBytes(meta.length, payload.length);
  bytes.fill(0, at + RECORD_HEADER_BYTES + meta.length + payload.length, end);
  placeRecord(identity, bytes, view, at, meta.length, place);
  return end;
}

/** Writes the place of the record at `at`; a record that is moved gets a new place and keeps everything else. */
export function placeRecord(
  identity: Identity,
  bytes: Uint8Array,
  view: DataView,
  at: number,
  metaBytes: number,
  place: RecordPlace,
): void {
  setU64(view, at + 8, place.lsn);
  setU64(view, at + 48, place.generation);
  view.setUint32(at + 56, place.offset / RECORD_ALIGN_BYTES, true);
  view.setUint32(at + 76, place.volumeEpoch, true);
  const covered = bytes.subarray(at + 4, at + RECORD_HEADER_BYTES + metaBytes);
  view.setUint32(at, identity.crc32c(covered, identity.seed), true);
}

export const toRecordType = (number: number): RecordType | undefined => typeNames[number];

/** Returns true if a complete header with its meta is at `at`, before `end`, with a correct CRC. */
export function isRecordHeader(
  identity: Identity,
  bytes: Uint8Array,
  view: DataView,
  at: number,
  end: number,
): boolean {
  if (at + RECORD_HEADER_BYTES > end) return false;
  const metaBytes = view.getUint32(at + 64, true);
  const metaEnd = at + RECORD_HEADER_BYTES + metaBytes;
  if (metaBytes > META_BYTES_MAX || metaEnd > end) return false;
  const crc = identity.crc32c(bytes.subarray(at + 4, metaEnd), identity.seed);
  return crc === view.getUint32(at, true) && toRecordType(bytes[at + 68] as number) !== undefined;
}

export interface FrameHeader {
  readonly generation: number;
  readonly offset: number;
  readonly sequence: number;
  /** Last sequence that was durable when this frame was written, with every frame before it. */
  readonly durableSequence: number;
  readonly volumeEpoch: number;
  /** First sequence of this epoch; frames of earlier epochs with this sequence or a later one are void. */
  readonly epochFirstSequence: number;
  readonly firstLsn: number;
  readonly recordCount: number;
  /** Header and records, without the padding to whole pages. */
  readonly bytes: number;
  readonly previousCrc: number;
  readonly previousGeneration: number;
}

/** Writes the frame header at the start of `bytes` and returns its CRC, to which the next frame is chained. */
export function encodeFrameHeader(identity: Identity, bytes: Uint8Array, frame: FrameHeader): number {
  const view = dataView(bytes);
  bytes.fill(0, 0, FRAME_HEADER_BYTES);
  view.setUint32(0, FRAME_MAGIC, true);
  setU64(view, 8, frame.generation);
  setU64(view, 16, frame.sequence);
  setU64(view, 24, frame.durableSequence);
  setU64(view, 32, frame.firstLsn);
  view.setUint32(40, frame.recordCount, true);
  view.setUint32(44, frame.bytes, true);
  view.setUint32(48, frame.previousCrc, true);
  view.setUint32(52, frame.offset / PAGE_BYTES, true);
  setU64(view, 56, frame.previousGeneration);
  view.setUint32(64, frame.volumeEpoch, true);
  setU64(view, 72, frame.epochFirstSequence);
  const crc = identity.crc32c(bytes.subarray(8, FRAME_HEADER_BYTES), identity.seed);
  view.setUint32(4, crc, true);
  return crc;
}

export interface ReadFrame extends FrameHeader {
  readonly crc: number;
}

/**
 * Returns the frame header at `at`, or null unless it is complete and correct. The caller checks place and generation.
 */
export function decodeFrameHeader(identity: Identity, bytes: Uint8Array, at: number): ReadFrame | null {
  const view = dataView(bytes);
  if (at + FRAME_HEADER_BYTES > bytes.length || view.getUint32(at, true) !== FRAME_MAGIC) return null;
  const crc = view.getUint32(at + 4, true);
  if (identity.crc32c(bytes.subarray(at + 8, at + FRAME_HEADER_BYTES), identity.seed) !== crc) return null;
  return {
    crc,
    generation: getU64(view, at + 8),
    sequence: getU64(view, at + 16),
    durableSequence: getU64(view, at + 24),
    firstLsn: getU64(view, at + 32),
    recordCount: view.getUint32(at + 40, true),
    bytes: view.getUint32(at + 44, true),
    previousCrc: view.getUint32(at + 48, true),
    offset: view.getUint32(at + 52, true) * PAGE_BYTES,
    previousGeneration: getU64(view, at + 56),
    volumeEpoch: view.getUint32(at + 64, true),
    epochFirstSequence: getU64(view, at + 72),
  };
}
