/**
 * Multipart uploads: one record for each upload, one for each part, in buckets whose names no client can say. The bytes
 * of a part are pieces; completing an upload writes one list of all of them.
 */
import { randomBytes } from "node:crypto";
import {
  type CompleteUpload,
  type MultipartUpload,
  type ObjectAttributes,
  type ObjectStore,
  S3Error,
  type StoredPart,
  type UploadName,
} from "@stashlight/s3";
import type { UploadHeader } from "@stashlight/write-path";
import type { Vault } from "../vault/vault.ts";
import type { Buckets } from "./buckets.ts";
import {
  type Metadata,
  modifiedMsOf,
  packAttributes,
  packChecksum,
  unpackAttributes,
  unpackChecksum,
} from "./metadata.ts";
import { conditionOf, putManifest, resultOf, storePieces } from "./objects.ts";
import type { PieceList } from "./pieces.ts";

export const UPLOADS = ".uploads";
const PARTS = ".parts";

const WANTED_CHECKSUM = ":wanted-checksum";
const PART_PIECES = ":pieces";
const SEPARATOR = "\0";
const PART_DIGITS = 5;
const PAGE_KEY_COUNT = 1000;
const NOTHING = new Uint8Array(0);

type MultipartVerbs = Pick<
  ObjectStore,
  | "createMultipartUpload"
  | "findMultipartUpload"
  | "putPart"
  | "listParts"
  | "listMultipartUploads"
  | "completeMultipartUpload"
  | "abortMultipartUpload"
>;

export interface MultipartOptions {
  readonly vault: Vault;
  readonly buckets: Buckets;
  readonly pieceBytes: number;
}

export function createMultipart({ vault, buckets, pieceBytes }: MultipartOptions): MultipartVerbs {
  const find = async (name: UploadName): Promise<UploadHeader> => {
    const upload = await vault.head(UPLOADS, recordKey(name));
    if (upload === null) throw new S3Error("NoSuchUpload");
    return upload;
  };

  return {
    createMultipartUpload: async (_context, { bucket, key, attributes, checksum }) => {
      await buckets.check(bucket);
      const uploadId = randomBytes(16).toString("hex");
      await vault.put(recordOf({ bucket, key, uploadId }, attributes, checksum));
      return { uploadId };
    },
    findMultipartUpload: async (_context, name) => describeUpload(await find(name)),
    putPart: async (_context, { partNumber, body, ...name }) => {
      await find(name);
      const chunks = body.kind === "whole" ? once(body.bytes) : body.chunks;
      const pieces = await storePieces(vault, chunks, pieceBytes, name);
      const { etag, checksum } = body.kind === "whole" ? body.digests : await body.verify();
      const stored = await vault.put({
        bucket: PARTS,
        key: partKey(name.uploadId, partNumber),
        bytes: NOTHING,
        etag,
        contentType: "",
        metadata: { ...packChecksum(checksum), [PART_PIECES]: JSON.stringify(pieces) },
      });
      return { ...resultOf(stored), path: "direct" };
    },
    listParts: async (_context, { afterPartNumber, partCountMax, ...name }) => {
      await find(name);
      const { parts, isTruncated } = await partsOf(vault, name.uploadId, afterPartNumber, partCountMax);
      return { parts: parts.map(({ part }) => part), isTruncated };
    },
    listMultipartUploads: async (_context, { bucket, prefix, keyMarker, uploadIdMarker, uploadCountMax }) => {
      await buckets.check(bucket);
      const start = bucket + SEPARATOR;
      const after =
        keyMarker === ""
          ? start
          : `${start}${keyMarker}${SEPARATOR}${uploadIdMarker === "" ? "\uffff" : uploadIdMarker}`;
      const range = { prefix: start + prefix, after, keyCountMax: uploadCountMax };
      const { uploads, isTruncated } = await vault.list(UPLOADS, range);
      return { uploads: uploads.map(describeUpload), isTruncated };
    },
    completeMultipartUpload: (_context, request) => complete(vault, request, find),
    abortMultipartUpload: async (_context, name) => {
      await find(name);
      await forget(vault, name);
    },
  };
}

function recordOf(name: UploadName, attributes: ObjectAttributes, checksum: MultipartUpload["checksum"]) {
  const wanted: Metadata = checksum === null ? {} : { [WANTED_CHECKSUM]: JSON.stringify(checksum) };
  const metadata = { ...packAttributes(attributes, null), ...wanted };
  const { contentType } = attributes;
  return { bucket: UPLOADS, key: recordKey(name), bytes: NOTHING, etag: "", contentType, metadata };
}

function recordKey({ bucket, key, uploadId }: UploadName): string {
  return [bucket, key, uploadId].join(SEPARATOR);
}

function partKey(uploadId: string, partNumber: number): string {
  return `${uploadId}/${String(partNumber).padStart(PART_DIGITS, "0")}`;
}

function describeUpload(upload: UploadHeader): MultipartUpload {
  const [, key = "", uploadId = ""] = upload.key.split(SEPARATOR);
  const wanted = upload.userMetadata[WANTED_CHECKSUM];
  const checksum = wanted === undefined ? null : (JSON.parse(wanted) as MultipartUpload["checksum"]);
  return { uploadId, key, initiatedMs: modifiedMsOf(upload), checksum };
}

interface PartRecord {
  readonly part: StoredPart;
  readonly pieces: PieceList;
}

async function partsOf(
  vault: Vault,
  uploadId: string,
  afterPartNumber: number,
  keyCountMax: number,
): Promise<{ parts: PartRecord[]; isTruncated: boolean }> {
  const prefix = `${uploadId}/`;
  const after = afterPartNumber <= 0 ? prefix : partKey(uploadId, afterPartNumber);
  const { uploads, isTruncated } = await vault.list(PARTS, { prefix, after, keyCountMax });
  return { parts: uploads.map(partOf), isTruncated };
}

function partOf(upload: UploadHeader): PartRecord {
  const pieces = JSON.parse(upload.userMetadata[PART_PIECES] ?? "") as PieceList;
  const part = {
    partNumber: Number(upload.key.slice(-PART_DIGITS)),
    sizeBytes: pieces.sizeBytes,
    etag: upload.etag,
    modifiedMs: modifiedMsOf(upload),
    checksum: unpackChecksum(upload),
  };
  return { part, pieces };
}

async function allPartsOf(vault: Vault, uploadId: string): Promise<Map<number, PartRecord>> {
  const all = new Map<number, PartRecord>();
  for (let after = 0; ; ) {
    const { parts, isTruncated } = await partsOf(vault, uploadId, after, PAGE_KEY_COUNT);
    for (const record of parts) all.set(record.part.partNumber, record);
    if (!isTruncated) return all;
    after = parts.at(-1)?.part.partNumber ?? after;
  }
}

async function complete(
  vault: Vault,
  request: CompleteUpload,
  find: (name: UploadName) => Promise<UploadHeader>,
) {
  const { bucket, key, etag, checksum, precondition } = request;
  const record = await find(request);
  const stored = await allPartsOf(vault, request.uploadId);
  const pieces = request.parts.map(({ partNumber, etag: expected }) => {
    const found = stored.get(partNumber);
    if (found === undefined || found.part.etag !== expected) throw new S3Error("InvalidPart");
    return found.pieces;
  });
  const attributes = unpackAttributes(record);
  const condition = await conditionOf(vault, request, precondition);
  const object = {
    bucket,
    key,
    etag,
    contentType: attributes.contentType,
    metadata: packAttributes(attributes, checksum),
  };
  const result = resultOf(await putManifest(vault, object, pieces, condition));
  await forget(vault, request);
  return result;
}

/** Pieces of parts that are in no object are collected later. */
async function forget(vault: Vault, name: UploadName): Promise<void> {
  await vault.delete(UPLOADS, recordKey(name));
  const parts = await allPartsOf(vault, name.uploadId);
  for (const partNumber of parts.keys()) await vault.delete(PARTS, partKey(name.uploadId, partNumber));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
