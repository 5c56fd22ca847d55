/**
 * A settled entry as bytes. Fields of a fixed size come first, so that a scan by upload id or by arrival need not parse
 * the others; then comes the name, reduced to what differs from the previous row (block.ts); then everything that no
 * lookup compares.
 *
 *     length 3 | order 12 | upload id 16 | arrival 6 | payload CRC 4 | flags 1 | digest bucket 2
 *     shared | suffix length | suffix of "bucket/key"
 *     position | born | size | epoch | k 1 | m 1 | content type | ETag | metadata
 *
 * Numbers without a size are varints, and multi-byte ones are little-endian.
 */
import assert from "node:assert/strict";
import type { UploadHeader, UploadId } from "../../shard.ts";
import type { VersionOrder } from "../../version-order.ts";
import type { EntryView } from "../entry.ts";
import type { ObjectName } from "../settled-entries.ts";
import { unzigzag, VarintReader, varintBytes, writeVarint, zigzag } from "./varint.ts";

const ORDER_AT = 3;
const ORDER_BYTES = 12;
/** Leading bytes of an order, its milliseconds. */
export const TIME_BYTES = 6;
export const ID_AT = 15;
export const ID_BYTES = 16;
/** Order and upload id, by which rows of one name are sorted. */
export const VERSION_AT = ORDER_AT;
export const VERSION_BYTES = ORDER_BYTES + ID_BYTES;
export const ARRIVAL_AT = 31;
const CRC_AT = 37;
const FLAGS_AT = 41;
const BUCKET_AT = 42;
/** The name begins here. */
export const NAME_AT = 44;

const WAS_KNOWN = 1;
const HAS_MD5_ETAG = 2;
const HAS_METADATA = 4;

const MD5_HEX = /^[0-9a-f]{32}$/;
/** Types that take one byte in a row, as one more than their index; others are written out. */
const COMMON_CONTENT_TYPES: readonly string[] = [
  "application/octet-stream",
  "binary/octet-stream",
  "text/plain",
  "text/html",
  "text/css",
  "application/json",
  "application/xml",
  "application/pdf",
  "application/zip",
  "application/gzip",
  "application/x-tar",
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "video/mp4",
];
const NO_METADATA: UploadHeader["userMetadata"] = Object.freeze({});

export function rowLength(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
}

function bucketOfRow(bytes: Buffer, at: number): number {
  return bytes.readUInt16LE(at + BUCKET_AT);
}

export function setRowLength(bytes: Uint8Array, at: number, length: number): void {
  assert(length < 1 << 24, "a row that is longer than its length field can hold");
  bytes[at] = length & 0xff;
  bytes[at + 1] = (length >> 8) & 0xff;
  bytes[at + 2] = length >> 16;
}

export function arrivalOfRow(bytes: Buffer, at: number): number {
  return bytes.readUIntLE(at + ARRIVAL_AT, 6);
}

/** Writes the order and the id of an upload. */
export function writeVersion(bytes: Buffer, at: number, { order, uploadId }: UploadHeader): void {
  writeHex(bytes, at, order, ORDER_BYTES);
  writeHex(bytes, at + ORDER_BYTES, uploadId, ID_BYTES);
}

/** Writes an id or an order as bytes. */
export function writeHex(bytes: Buffer, at: number, hex: UploadId | VersionOrder, byteCount: number): void {
  const written = bytes.write(hex, at, byteCount, "hex");
  assert(written === byteCount && hex.length === 2 * byteCount, "an id or an order that is not hexadecimal");
}

/** A row without its name: the part before the name, and the part after it. */
export interface RowParts {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Encodes into its own buffers, which the next row overwrites. */
export class RowEncoder {
  readonly #head = Buffer.alloc(NAME_AT);
  #tail = Buffer.alloc(512);

  encode(entry: EntryView<number>): RowParts {
    const { upload, signedCrc, arrival, wasKnown, position, bornMs } = entry;
    const isDone = entry.state === "durable" && entry.outcome === "complete" && entry.waiting === null;
    assert(isDone && position !== null && upload.kind === "object", "an entry that is not at rest");
    const { etag, userMetadata, contentType, scheme } = upload;
    const isMd5 = MD5_HEX.test(etag);
    const metadata = Object.keys(userMetadata).length === 0 ? "" : JSON.stringify(userMetadata);
    const head = this.#head;
    writeVersion(head, VERSION_AT, upload);
    head.writeUIntLE(arrival, ARRIVAL_AT, 6);
    head.writeInt32LE(signedCrc, CRC_AT);
    head[FLAGS_AT] =
      (wasKnown ? WAS_KNOWN : 0) | (isMd5 ? HAS_MD5_ETAG : 0) | (metadata === "" ? 0 : HAS_METADATA);
    head.writeUInt16LE(entry.bucket, BUCKET_AT);
    const bytesMax = 64 + 3 * (contentType.length + etag.length + metadata.length);
    if (this.#tail.length < bytesMax) this.#tail = Buffer.alloc(bytesMax);
    const tail = this.#tail;
    let at = 0;
    for (const number of [position, zigzag(bornMs), upload.sizeBytes, upload.epoch])
      at = writeVarint(tail, at, number);
    tail[at++] = scheme.dataShardCount;
    tail[at++] = scheme.parityShardCount;
    const common = COMMON_CONTENT_TYPES.indexOf(contentType) + 1;
    tail[at++] = common;
    if (common === 0) at = writeText(tail, at, contentType);
    at = isMd5 ? at + tail.write(etag, at, "hex") : writeText(tail, at, etag);
    if (metadata !== "") at = writeText(tail, at, metadata);
    return { head, tail: tail.subarray(0, at) };
  }
}

function writeText(bytes: Buffer, at: number, text: string): number {
  const length = Buffer.byteLength(text);
  const start = writeVarint(bytes, at, length);
  return start + bytes.write(text, start, length);
}

const reader = new VarintReader();
let lastScheme = { dataShardCount: 0, parityShardCount: 0 };

/**
 * Decodes the row of an entry. A row of an arrival below `firstArrival` is of an earlier boot, as a start that reads the
 * log would put it: its statements about that boot do not count.
 */
export function decodeRow(
  bytes: Buffer,
  at: number,
  object: ObjectName,
  firstArrival: number,
): EntryView<number> {
  reader.at = at + NAME_AT;
  reader.next(bytes);
  const suffixLength = reader.next(bytes);
  reader.at += suffixLength;
  const position = reader.next(bytes);
  const bornMs = unzigzag(reader.next(bytes));
  const arrival = arrivalOfRow(bytes, at);
  const isOfBoot = arrival >= firstArrival;
  return {
    upload: decodeHeader(bytes, at, object),
    signedCrc: bytes.readInt32LE(at + CRC_AT),
    state: "durable",
    position,
    bornMs: isOfBoot ? bornMs : 0,
    wasKnown: isOfBoot && ((bytes[at + FLAGS_AT] as number) & WAS_KNOWN) !== 0,
    outcome: "complete",
    arrival,
    bucket: bucketOfRow(bytes, at),
    waiting: null,
  };
}

function decodeHeader(bytes: Buffer, at: number, object: ObjectName): UploadHeader {
  const flags = bytes[at + FLAGS_AT] as number;
  const sizeBytes = reader.next(bytes);
  const epoch = reader.next(bytes);
  const scheme = schemeAt(bytes, reader.at);
  reader.at += 2;
  const common = bytes[reader.at++] as number;
  const contentType = common === 0 ? readText(bytes) : (COMMON_CONTENT_TYPES[common - 1] as string);
  const etag = (flags & HAS_MD5_ETAG) === 0 ? readText(bytes) : readMd5(bytes);
  const userMetadata = (flags & HAS_METADATA) === 0 ? NO_METADATA : JSON.parse(readText(bytes));
  return {
    uploadId: bytes.toString("hex", at + ID_AT, at + ID_AT + ID_BYTES),
    kind: "object",
    bucket: object.bucket,
    key: object.key,
    order: bytes.toString("hex", at + ORDER_AT, at + ORDER_AT + ORDER_BYTES),
    scheme,
    sizeBytes,
    etag,
    contentType,
    userMetadata,
    epoch,
  };
}

function schemeAt(bytes: Buffer, at: number): UploadHeader["scheme"] {
  const [dataShardCount, parityShardCount] = [bytes[at] as number, bytes[at + 1] as number];
  const isSame =
    lastScheme.dataShardCount === dataShardCount && lastScheme.parityShardCount === parityShardCount;
  if (!isSame) lastScheme = { dataShardCount, parityShardCount };
  return lastScheme;
}

function readText(bytes: Buffer): string {
  const length = reader.next(bytes);
  reader.at += length;
  return bytes.toString("utf8", reader.at - length, reader.at);
}

function readMd5(bytes: Buffer): string {
  reader.at += 16;
  return bytes.toString("hex", reader.at - 16, reader.at);
}

/** Bytes of the two numbers before a row's suffix. */
export const nameNumbersBytes = (shared: number, suffixLength: number): number =>
  varintBytes(shared) + varintBytes(suffixLength);
