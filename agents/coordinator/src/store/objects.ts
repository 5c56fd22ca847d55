/** Objects: small ones are one upload; larger ones a list of pieces, which is an upload itself. */
import {
  type ListedObject,
  type ObjectReader,
  type ObjectStore,
  type PutObject,
  S3Error,
  type UploadBody,
  type WritePrecondition,
  type WriteResult,
} from "@stashlight/s3";
import type { Condition, UploadHeader } from "@stashlight/write-path";
import type { StoredObject, StoredUpload, Vault } from "../vault/vault.ts";
import type { Buckets } from "./buckets.ts";
import {
  infoOf,
  LARGE_SIZE,
  type Metadata,
  modifiedMsOf,
  packAttributes,
  sizeOf,
  unpackChecksum,
} from "./metadata.ts";
import {
  type ByteRange,
  cut,
  newPieceId,
  type Owner,
  type PieceList,
  partsWithin,
  putPiece,
  readPieces,
} from "./pieces.ts";

export interface ObjectsOptions {
  readonly vault: Vault;
  readonly buckets: Buckets;
  readonly pieceBytes: number;
  /** Whether uploads by this access key leave the stash out. */
  readonly isDirect: (accessKeyId: string) => boolean;
}

type ObjectVerbs = Pick<
  ObjectStore,
  "putObject" | "headObject" | "getObject" | "deleteObject" | "listObjects"
>;

/** A stored list of pieces: what the body of an object in pieces says. */
interface Manifest {
  readonly pieces: readonly PieceList[];
}

/** What a socket is given at a time. */
const SLICE_BYTES = 262_144;

export function createObjects({ vault, buckets, pieceBytes, isDirect }: ObjectsOptions): ObjectVerbs {
  const find = async (bucket: string, key: string): Promise<UploadHeader> => {
    const upload = await vault.head(bucket, key);
    if (upload === null) return await missing(buckets, bucket);
    return upload;
  };

  return {
    putObject: async ({ principal }, request) => {
      await buckets.check(request.bucket);
      const condition = await conditionOf(vault, request, request.precondition);
      const path = { isDirect: isDirect(principal.accessKey.id) };
      const stored = await putBody({ vault, request, condition, pieceBytes, path });
      return resultOf(stored);
    },
    headObject: async (_context, { bucket, key }) => infoOf(await find(bucket, key)),
    getObject: async (_context, { bucket, key }) => {
      const found = await vault.get(bucket, key);
      return found === null ? await missing(buckets, bucket) : readerOf(vault, found);
    },
    deleteObject: async (_context, { bucket, key, precondition }) => {
      await buckets.check(bucket);
      const upload = await vault.head(bucket, key);
      if (upload === null && precondition.kind === "matches") throw new S3Error("NoSuchKey");
      // What is not there needs no tombstone.
      if (upload === null) return { modifiedMs: Date.now(), path: null };
      const condition = await conditionOf(vault, { bucket, key }, precondition);
      return { modifiedMs: modifiedMsOf(await vault.delete(bucket, key, condition)), path: null };
    },
    listObjects: async (_context, { bucket, ...range }) => {
      await buckets.check(bucket);
      const { uploads, isTruncated } = await vault.list(bucket, range);
      return { objects: uploads.map(listedOf), isTruncated };
    },
  };
}

/** The key is not there; neither may be the bucket. */
async function missing(buckets: Buckets, bucket: string): Promise<never> {
  await buckets.check(bucket);
  throw new S3Error("NoSuchKey");
}

function listedOf(upload: UploadHeader): ListedObject {
  const { key, etag } = upload;
  const checksum = unpackChecksum(upload);
  return { key, sizeBytes: sizeOf(upload), etag, modifiedMs: modifiedMsOf(upload), checksum };
}

export function resultOf({ upload, path, encodeMs, quorumMs }: StoredUpload): WriteResult {
  const timings = [
    { name: "encode", durationMs: encodeMs },
    { name: "quorum", durationMs: quorumMs },
  ];
  return { modifiedMs: modifiedMsOf(upload), path, timings };
}

/** `If-Match: *` is made conditional on the ETag that is there, whatever it is. */
export async function conditionOf(
  vault: Vault,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  precondition: WritePrecondition,
): Promise<Condition> {
  if (precondition.kind === "none") return { type: "none" };
  if (precondition.kind === "absent") return { type: "absent" };
  const present = await vault.head(bucket, key);
  if (present === null) throw new S3Error("NoSuchKey");
  const etag = precondition.etag ?? present.etag;
  if (etag !== present.etag) throw new S3Error("PreconditionFailed");
  return { type: "etag", etag };
}

interface BodyToPut {
  readonly vault: Vault;
  readonly request: PutObject;
  readonly condition: Condition;
  readonly pieceBytes: number;
  readonly path: { readonly isDirect: boolean };
}

async function putBody({ vault, request, condition, pieceBytes, path }: BodyToPut): Promise<StoredUpload> {
  const { bucket, key, attributes, body } = request;
  const { contentType } = attributes;
  const whole = await wholeBody(body, pieceBytes);
  if (whole !== null) {
    const { bytes, digests } = whole;
    const metadata = packAttributes(attributes, digests.checksum);
    const object = { bucket, key, bytes, etag: digests.etag, contentType, metadata };
    return await vault.put(object, condition, path);
  }
  if (body.kind !== "stream") throw new TypeError("A body that is there as a whole is not cut.");
  const list = await storePieces(vault, body.chunks, pieceBytes, { bucket, key });
  const digests = await body.verify();
  const metadata = packAttributes(attributes, digests.checksum);
  const object = { bucket, key, contentType, etag: digests.etag, metadata };
  return await putManifest(vault, object, [list], condition);
}

/** A body that is one upload: what came as a whole, and streams no longer than a piece. */
async function wholeBody(body: UploadBody, pieceBytes: number) {
  if (body.kind === "whole") return body;
  if (body.sizeBytes > pieceBytes) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of body.chunks) chunks.push(chunk);
  const digests = await body.verify();
  return { bytes: Buffer.concat(chunks, body.sizeBytes), digests };
}

export async function storePieces(
  vault: Vault,
  chunks: AsyncIterable<Uint8Array>,
  pieceBytes: number,
  owner: Owner,
): Promise<PieceList> {
  const id = newPieceId();
  let sizeBytes = 0;
  let index = 0;
  for await (const piece of cut(chunks, pieceBytes)) {
    await putPiece(vault, id, index, piece, owner);
    sizeBytes += piece.length;
    index += 1;
  }
  return { id, sizeBytes, pieceBytes };
}

export async function putManifest(
  vault: Vault,
  object: {
    readonly bucket: string;
    readonly key: string;
    readonly contentType: string;
    readonly etag: string;
    readonly metadata: Metadata;
  },
  pieces: readonly PieceList[],
  condition: Condition,
): Promise<StoredUpload> {
  const sizeBytes = pieces.reduce((sum, list) => sum + list.sizeBytes, 0);
  const manifest: Manifest = { pieces };
  const bytes = Buffer.from(JSON.stringify(manifest));
  const metadata = { ...object.metadata, [LARGE_SIZE]: String(sizeBytes) };
  const stored = await vault.put({ ...object, metadata, bytes }, condition);
  // The bytes of the object itself took the direct path.
  return { ...stored, path: "direct" };
}

/** Null for an object that is one upload. */
export function manifestOf({ upload, parts }: StoredObject): Manifest | null {
  if (upload.userMetadata[LARGE_SIZE] === undefined) return null;
  return JSON.parse(Buffer.concat(parts).toString()) as Manifest;
}

function readerOf(vault: Vault, found: StoredObject): ObjectReader {
  const manifest = manifestOf(found);
  const info = infoOf(found.upload);
  if (manifest !== null) return { info, read: (range) => readPieces(vault, manifest.pieces, range) };
  return { info, read: (range) => slices(found.parts, range) };
}

function* slices(parts: readonly Uint8Array[], range: ByteRange): Generator<Uint8Array> {
  for (const part of partsWithin(parts, range)) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) yield part.subarray(at, at + SLICE_BYTES);
  }
}
