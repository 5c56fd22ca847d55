/** Converts shards and refusals to records of a log, and back. */
import {
  copyOfRecord,
  type LogRecord,
  type OpenedLog,
  type RecordHeader,
  type RecordId,
  type RecordInput,
  type RecoveredRecord,
} from "@stashlight/shard-log";
import { idOfKey, keyOfHex, packRecordKey } from "@stashlight/shard-log/image";
import type { Refusal, Shard, UploadHeader, UploadId, VersionOrder } from "@stashlight/write-path";
import type { Statement } from "./outcomes.ts";
import type { ShardName } from "./positions.ts";

/** Reserved index for refusals. No pod has it, so a refusal never shares a key with a shard. */
const REFUSAL_SHARD_INDEX = 65_535;

/** Reserved index for the single record that states how uploads ended. */
const OUTCOMES_SHARD_INDEX = 65_534;
/** Reserved index for the single record of the horizon, whose version order is the horizon. */
const HORIZON_SHARD_INDEX = 65_533;
const ZERO_ID = new Uint8Array(16);

export const OUTCOMES_KEY = packRecordKey(ZERO_ID, OUTCOMES_SHARD_INDEX);
export const HORIZON_KEY = packRecordKey(ZERO_ID, HORIZON_SHARD_INDEX);

const NOTHING = new Uint8Array(0);
const ZERO_ORDER = new Uint8Array(16);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Metadata of an upload that is not in the record's own fields. */
type ShardMeta = [
  bucket: string,
  key: string,
  sizeBytes: number,
  etag: string,
  contentType: string,
  userMetadata: Record<string, string>,
];
type StatementMeta = [
  committedBelowLsn: number,
  notCommitted: readonly string[],
  completeBelowLsn: number,
  notComplete: readonly string[],
];
type RefusalMeta = { readonly refusal: true; readonly isKnowing: boolean };

export function keyOfShard({ upload, shardIndex }: Pick<Shard, "upload" | "shardIndex">): string {
  return keyOfHex(upload.uploadId, shardIndex);
}

export function idOfName({ uploadId, shardIndex }: ShardName): RecordId {
  return { uploadId: idBytes(uploadId), shardIndex };
}

export function keyOfName({ uploadId, shardIndex }: ShardName): string {
  return keyOfHex(uploadId, shardIndex);
}

export function idOfRefusal(uploadId: UploadId): RecordId {
  return { uploadId: idBytes(uploadId), shardIndex: REFUSAL_SHARD_INDEX };
}

export function keyOfRefusal({ uploadId }: Pick<Refusal, "uploadId">): string {
  return packRecordKey(idBytes(uploadId), REFUSAL_SHARD_INDEX);
}

export function parseShardName(key: string): ShardName {
  const { uploadId, shardIndex } = idOfKey(key);
  return { uploadId: toHex(uploadId), shardIndex };
}

function idBytes(uploadId: UploadId): Uint8Array {
  return fromHex(uploadId, 16);
}

/** Fields that the records of an upload's shards share. */
interface UploadBytes {
  readonly upload: UploadHeader;
  readonly uploadId: Uint8Array;
  readonly versionOrder: Uint8Array;
  readonly meta: Uint8Array;
}

/** Caches the bytes of recently written uploads, since the stores of one process write shards of the same uploads. */
const recent: (UploadBytes | undefined)[] = new Array(256).fill(undefined);

function uploadHeaderBytes(upload: UploadHeader): UploadBytes {
  const { uploadId, order, bucket, key, sizeBytes, etag, contentType, userMetadata } = upload;
  // The ends of ids are random.
  const slot = Number.parseInt(uploadId.slice(-2), 16) % recent.length;
  const known = recent[slot];
  if (known?.upload === upload) return known;
  const meta: ShardMeta = [bucket, key, sizeBytes, etag, contentType, userMetadata];
  const bytes = {
    upload,
    uploadId: idBytes(uploadId),
    versionOrder: fromHex(order, 16),
    meta: encode(meta),
  };
  recent[slot] = bytes;
  return bytes;
}

export function recordOfShard({ upload, shardIndex, payload, payloadCrc }: Shard): RecordInput {
  const { scheme } = upload;
  const { uploadId, versionOrder, meta } = uploadHeaderBytes(upload);
  return {
    type: upload.kind === "tombstone" ? "tombstone" : "shard",
    uploadId,
    shardIndex,
    k: scheme.dataShardCount,
    m: scheme.parityShardCount,
    versionOrder,
    placementEpoch: upload.epoch,
    meta,
    payload,
    payloadCrc,
  };
}

export function toShard(record: LogRecord): Shard {
  const { shardIndex, payload, payloadCrc } = record;
  if (lastRead === null || !areOfOneUpload(lastRead.record, record)) {
    lastRead = { record, upload: toUploadHeader(record) };
  }
  return { upload: lastRead.upload, shardIndex, payload, payloadCrc };
}

/** Caches the last header read, because a GET asks all pods of a process for one upload at the same time. */
let lastRead: { readonly record: RecordHeader; readonly upload: UploadHeader } | null = null;

function areOfOneUpload(a: RecordHeader, b: RecordHeader): boolean {
  return (
    a.type === b.type &&
    a.k === b.k &&
    a.m === b.m &&
    a.placementEpoch === b.placementEpoch &&
    Buffer.compare(a.uploadId, b.uploadId) === 0 &&
    Buffer.compare(a.versionOrder, b.versionOrder) === 0 &&
    Buffer.compare(a.meta, b.meta) === 0
  );
}

export function toUploadHeader(record: RecordHeader): UploadHeader {
  const meta = JSON.parse(decoder.decode(record.meta)) as ShardMeta;
  const [bucket, key, sizeBytes, etag, contentType, userMetadata] = meta;
  return {
    uploadId: toHex(record.uploadId),
    kind: record.type === "tombstone" ? "tombstone" : "object",
    bucket,
    key,
    order: recordVersionOrder(record),
    scheme: { dataShardCount: record.k, parityShardCount: record.m },
    sizeBytes,
    etag,
    contentType,
    userMetadata,
    epoch: record.placementEpoch,
  };
}

/**
 * Creates the record of the horizon: the promise never to accept an upload below this order that the node does not
 * hold.
 */
export function recordOfHorizon(horizon: VersionOrder): RecordInput {
  return {
    type: "tombstone",
    uploadId: ZERO_ID,
    shardIndex: HORIZON_SHARD_INDEX,
    k: 0,
    m: 0,
    versionOrder: fromHex(horizon, 16),
    placementEpoch: 0,
    meta: NOTHING,
    payload: NOTHING,
  };
}

export function recordOfRefusal({ uploadId, isKnowing, order }: Refusal): RecordInput {
  const meta: RefusalMeta = { refusal: true, isKnowing };
  return {
    type: "tombstone",
    uploadId: idBytes(uploadId),
    shardIndex: REFUSAL_SHARD_INDEX,
    k: 0,
    m: 0,
    versionOrder: fromHex(order, 16),
    placementEpoch: 0,
    meta: encode(meta),
    payload: NOTHING,
  };
}

export function recordOfStatement({ committed, complete }: Statement): RecordInput {
  const meta: StatementMeta = [
    committed.belowLsn,
    committed.exceptUploadIds,
    complete.belowLsn,
    complete.exceptUploadIds,
  ];
  return {
    type: "tombstone",
    uploadId: ZERO_ID,
    shardIndex: OUTCOMES_SHARD_INDEX,
    k: 0,
    m: 0,
    versionOrder: ZERO_ORDER,
    placementEpoch: 0,
    meta: encode(meta),
    payload: NOTHING,
  };
}

function recordVersionOrder({ versionOrder }: RecordHeader): VersionOrder {
  return toHex(versionOrder).slice(0, 24);
}

/**
 * The part of a recovered record that a store keeps. A statement stays encoded, because only the last one matters.
 */
export type KeptRecord = UploadHeader | Refusal | KeptStatement | KeptHorizon;
interface KeptHorizon {
  readonly horizon: VersionOrder;
}
interface KeptStatement {
  readonly statement: RecordHeader;
}

export function toKeptRecord(
  record: RecoveredRecord,
  uploadOf: (shard: RecoveredRecord) => UploadHeader,
): KeptRecord {
  if (record.shardIndex === OUTCOMES_SHARD_INDEX) return { statement: copyOfRecord(record) };
  if (record.shardIndex === HORIZON_SHARD_INDEX) return { horizon: recordVersionOrder(record) };
  return parseRefusal(record) ?? uploadOf(record);
}

/** Returns the keys of all records of an opened log. */
export function recordKeys(found: OpenedLog<KeptRecord>["records"]): string[] {
  return Array.from(found.headers(), ({ key }) => key);
}

/** Returns true for the record of a shard. */
export const isOfShard = ({ shardIndex }: Pick<RecoveredRecord, "shardIndex">): boolean =>
  shardIndex < HORIZON_SHARD_INDEX;

/** Returns true for the record that states how uploads ended. */
export const isOfOutcomes = ({ shardIndex }: Pick<RecoveredRecord, "shardIndex">): boolean =>
  shardIndex === OUTCOMES_SHARD_INDEX;

export const isStatement = (kept: KeptRecord): kept is KeptStatement => "statement" in kept;
export const isUpload = (kept: KeptRecord): kept is UploadHeader => "bucket" in kept;
export const isHorizon = (kept: KeptRecord): kept is KeptHorizon => "horizon" in kept;
export const isRefusal = (kept: KeptRecord): kept is Refusal => "isKnowing" in kept;

export function parseStatement({ statement }: KeptStatement): Statement {
  const meta = JSON.parse(decoder.decode(statement.meta)) as StatementMeta;
  const [committedBelowLsn, notCommitted, completeBelowLsn, notComplete] = meta;
  return {
    committed: { belowLsn: committedBelowLsn, exceptUploadIds: notCommitted },
    complete: { belowLsn: completeBelowLsn, exceptUploadIds: notComplete },
  };
}

/** Returns null for a record of a shard. */
function parseRefusal(record: RecordHeader): Refusal | null {
  if (record.shardIndex !== REFUSAL_SHARD_INDEX) return null;
  const { isKnowing } = JSON.parse(decoder.decode(record.meta)) as RefusalMeta;
  return { uploadId: toHex(record.uploadId), isKnowing, order: recordVersionOrder(record) };
}

/** Encodes metadata. The log refuses the record if it is too large. */
function encode(meta: ShardMeta | RefusalMeta | StatementMeta): Uint8Array {
  return encoder.encode(JSON.stringify(meta));
}

/** Decodes lower-case digits only, the format of ids and orders. */
function fromHex(hex: string, byteCount: number): Uint8Array {
  const bytes = new Uint8Array(byteCount);
  for (let at = 0; at * 2 < hex.length; at += 1)
    bytes[at] = digit(hex.charCodeAt(at * 2)) * 16 + digit(hex.charCodeAt(at * 2 + 1));
  return bytes;
}

const digit = (code: number): number => (code < 58 ? code - 48 : code - 87);

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}
