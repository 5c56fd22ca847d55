/**
 * Structures shared by several kinds of message. The codecs for headers and shards are handwritten, since they make up
 * most bytes on the wire.
 */
import type { Address, PodIdentity, Shard, UploadHeader, VersionView } from "@stashlight/write-path";
import { bool, enumField, type Field, hex, record, text, u16, u64 } from "./fields.ts";
import type { Endpoint } from "./frame.ts";
import { readKnown } from "./known-headers.ts";
import { type FieldReader, malformed } from "./reader.ts";
import type { FrameWriter } from "./writer.ts";

const UPLOAD_ID_BYTES = 16;
const ORDER_BYTES = 12;

export const uploadId = hex(UPLOAD_ID_BYTES);
export const versionOrder = hex(ORDER_BYTES);

const uploadKind = enumField<UploadHeader["kind"]>({ object: 1, tombstone: 2 });

const userMetadata: Field<UploadHeader["userMetadata"]> = {
  write: (writer, value) => {
    const entries = Object.entries(value);
    writer.u32(entries.length);
    for (const [name, content] of entries) {
      writer.text(name);
      writer.text(content);
    }
  },
  read: (reader) => {
    const entries: [string, string][] = [];
    for (let left = reader.count(); left > 0; left -= 1) entries.push([reader.text(), reader.text()]);
    // Unlike assignment, creates an own property even for the name "__proto__".
    return Object.fromEntries(entries);
  },
};

export const uploadHeader: Field<UploadHeader> = {
  write: (writer, upload) => {
    if (lastWritten?.upload === upload) {
      writer.bytes(lastWritten.bytes);
      return;
    }
    const start = writer.position;
    writeHeader(writer, upload);
    lastWritten = { bytes: writer.copyFrom(start), upload };
  },
  read: (reader) => readKnown(reader, readHeader),
};

interface WrittenHeader {
  readonly bytes: Buffer;
  readonly upload: UploadHeader;
}

/** The shards of an upload are written one after the other, and the header is most of their heads. */
let lastWritten: WrittenHeader | null = null;

function writeHeader(writer: FrameWriter, upload: UploadHeader): void {
  writer.hex(upload.uploadId, UPLOAD_ID_BYTES);
  uploadKind.write(writer, upload.kind);
  writer.text(upload.bucket);
  writer.text(upload.key);
  writer.hex(upload.order, ORDER_BYTES);
  writer.u16(upload.scheme.dataShardCount);
  writer.u16(upload.scheme.parityShardCount);
  writer.u64(upload.sizeBytes);
  writer.text(upload.etag);
  writer.text(upload.contentType);
  userMetadata.write(writer, upload.userMetadata);
  writer.u64(upload.epoch);
}

function readHeader(reader: FieldReader): UploadHeader {
  return {
    uploadId: reader.hex(UPLOAD_ID_BYTES),
    kind: uploadKind.read(reader),
    bucket: reader.text(),
    key: reader.text(),
    order: reader.hex(ORDER_BYTES),
    scheme: { dataShardCount: reader.u16(), parityShardCount: reader.u16() },
    sizeBytes: reader.u64(),
    etag: reader.text(),
    contentType: reader.text(),
    userMetadata: userMetadata.read(reader),
    epoch: reader.u64(),
  };
}

export const shard: Field<Shard> = {
  write: (writer, value) => {
    uploadHeader.write(writer, value.upload);
    writer.u16(value.shardIndex);
    writer.u32(value.payloadCrc);
    writer.payload(value.payload);
  },
  read: (reader) => {
    const upload = uploadHeader.read(reader);
    const shardIndex = reader.u16();
    const payloadCrc = reader.u32();
    return { upload, shardIndex, payload: reader.payload(), payloadCrc };
  },
};

export const podIdentity = record<PodIdentity>({ podIndex: u16, driveId: text, bootId: u64 });

const holds = enumField<VersionView["holds"]>({ known: 1, written: 2, durable: 3 });

export const versionView = record<VersionView>({ upload: uploadHeader, holds, isCommitted: bool });

/** One item of a list that contains each upload at most once. */
export const listedView: Field<VersionView> = {
  write: (writer, view) => {
    writeHeader(writer, view.upload);
    holds.write(writer, view.holds);
    writer.u8(view.isCommitted ? 1 : 0);
  },
  read: (reader) => {
    return { upload: readHeader(reader), holds: holds.read(reader), isCommitted: bool.read(reader) };
  },
};

const roles = ["c", "p", "s"] as const;
const roleNumbers: Readonly<Record<string, number>> = { c: 1, p: 2, s: 3 };

export function toEndpoint(address: Address): Endpoint {
  return { role: roleNumbers[address[0] as string] ?? 0, number: Number(address.slice(1)) };
}

/** Caches address texts by role and number, because maps find the same string object faster than an equal one. */
const knownAddresses: readonly Address[][] = roles.map(() => []);
const KNOWN_NUMBER_MAX = 1023;

export function endpointAddress({ role, number }: Endpoint): Address {
  const letter = roles[role - 1];
  if (letter === undefined) throw malformed(`a node's role is ${role}, which this version does not know`);
  if (number > KNOWN_NUMBER_MAX) return `${letter}${number}`;
  const known = knownAddresses[role - 1] as Address[];
  known[number] ??= `${letter}${number}`;
  return known[number];
}

export const address: Field<Address> = {
  write: (writer, value) => {
    const { role, number } = toEndpoint(value);
    writer.u8(role);
    writer.u32(number);
  },
  read: (reader: FieldReader) => endpointAddress({ role: reader.u8(), number: reader.u32() }),
};
