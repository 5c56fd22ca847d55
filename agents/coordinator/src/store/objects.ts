/** Objects: small ones are one upload; a larger one is a list of pieces, which is itself an upload. */
import { LARGE_SIZE, sizeOf } from "@stashlight/node-runtime/objects";
import {
  type BodyDigests,
  type ListedObject,
  type ObjectInfo,
  type ObjectName,
  type ObjectReader,
  type ObjectStore,
  type PutObject,
  S3Error,
  type UploadBody,
  type WritePrecondition,
  type WriteResult,
} from "@stashlight/s3";
import type { Condition, UploadHeader } from "@stashlight/write-path";
import type { ObjectSeal } from "../encryption/object-seal.ts";
import type { ObjectSeals } from "../encryption/object-seals.ts";
import { unpackEncryption } from "../records/encryption-record.ts";
import { type Manifest, manifestOf, packManifest } from "../records/manifest.ts";
import { type ByteRange, partsWithin, readPieces } from "../records/pieces.ts";
import type { Space } from "../space/garbage-collection.ts";
import type { BeginBody } from "../space/writing.ts";
import { VaultError } from "../vault/errors.ts";
import type { StoredObject, StoredUpload } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import type { Buckets } from "./buckets.ts";
import { infoOf, type Metadata, modifiedMsOf, packAttributes, unpackChecksum } from "./metadata.ts";
import { findOrThrow } from "./missing.ts";
import { plainPieceBytes, storeBody } from "./store-body.ts";

export interface ObjectsOptions {
  readonly space: Space;
  readonly buckets: Buckets;
  readonly seals: ObjectSeals;
  readonly pieceBytes: number;
  /** Largest body that is stored as a small upload. */
  readonly smallUploadBytesMax: number;
  /** True if uploads by this access key bypass the stash. */
  readonly isDirect: (accessKeyId: string) => boolean;
}

type ObjectVerbs = Pick<
  ObjectStore,
  "putObject" | "findObject" | "headObject" | "getObject" | "deleteObject" | "listObjects"
>;

/** Bytes written to a socket at a time. */
const SLICE_BYTES = 262_144;

export function createObjects(options: ObjectsOptions): ObjectVerbs {
  const { space, buckets, seals, isDirect } = options;
  const { vault } = space;
  return {
    putObject: async ({ principal, requestId }, request) => {
      await buckets.check(request.bucket);
      const condition = await conditionOf(vault, request, request.precondition);
      const seal = await seals.create(nameOf(request), request.encryption, requestId);
      const how = { isDirect: isDirect(principal.accessKey.id), requestId };
      return await space.writing(async (beginBody) => {
        const { write, etag } = await preparePut({ ...options, vault, beginBody, request, seal, how });
        const result = resultOf(await writeOn(vault, request, condition, write));
        return { ...result, etag, encryption: seal?.applied ?? NOT_ENCRYPTED };
      });
    },
    findObject: async (_context, { bucket, key }) =>
      infoOf(await findOrThrow(buckets, bucket, vault.head(bucket, key)), null),
    headObject: async (_context, { customerKey, ...name }) => {
      const upload = await findOrThrow(buckets, name.bucket, vault.head(name.bucket, name.key));
      return infoOf(upload, await seals.open(nameOf(name), upload.userMetadata, customerKey));
    },
    getObject: async (_context, { customerKey, ...name }) => {
      const found = await findOrThrow(buckets, name.bucket, vault.get(name.bucket, name.key));
      const seal = await seals.open(nameOf(name), found.upload.userMetadata, customerKey);
      return readerOf(space, found, seal);
    },
    deleteObject: async (_context, { bucket, key, precondition }) => {
      await buckets.check(bucket);
      const upload = await vault.head(bucket, key);
      if (upload === null && precondition.kind === "matches") throw new S3Error("NoSuchKey");
      // A missing object needs no tombstone.
      if (upload === null) return { modifiedMs: Date.now(), path: null };
      const name = { bucket, key, precondition };
      const condition = await conditionOf(vault, name, precondition);
      const deleted = await writeOn(vault, name, condition, (now) => vault.delete(bucket, key, now));
      return { modifiedMs: modifiedMsOf(deleted), path: null };
    },
    listObjects: async (_context, { bucket, ...range }) => {
      await buckets.check(bucket);
      const { uploads, isTruncated } = await vault.list(bucket, range);
      return { objects: uploads.map(listedOf), isTruncated };
    },
  };
}

const NOT_ENCRYPTED = { kind: "none" } as const;

/** Only the name, from which keys are derived. */
export const nameOf = ({ bucket, key }: ObjectName): ObjectName => ({ bucket, key });

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

/** The vault compares with one ETag or none, so other conditions are first resolved against the current object. */
export async function conditionOf(
  vault: VaultVerbs,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  precondition: WritePrecondition,
): Promise<Condition> {
  if (precondition.kind === "none") return { type: "none" };
  if (precondition.kind === "absent") return { type: "absent" };
  const present = await vault.head(bucket, key);
  if (precondition.kind === "differs") {
    if (present === null) return { type: "absent" };
    if (precondition.etags.includes(present.etag)) throw new S3Error("PreconditionFailed");
    return { type: "etag", etag: present.etag };
  }
  if (present === null) throw new S3Error("NoSuchKey");
  const etag = precondition.etag ?? present.etag;
  if (etag !== present.etag) throw new S3Error("PreconditionFailed");
  return { type: "etag", etag };
}

/** The object may change between reading and writing; more changes than this mean that clients compete for the key. */
const CONDITION_COUNT_MAX = 5;

/**
 * Writes on the condition `first`; retries if the state behind the client's precondition has changed but the
 * precondition still holds.
 */
export async function writeOn<Written>(
  vault: VaultVerbs,
  name: ObjectName & { readonly precondition: WritePrecondition },
  first: Condition,
  write: (condition: Condition) => Promise<Written>,
): Promise<Written> {
  const { precondition } = name;
  const isOnePresent =
    precondition.kind === "differs" || (precondition.kind === "matches" && !precondition.etag);
  let condition = first;
  for (let count = 1; ; count += 1) {
    try {
      return await write(condition);
    } catch (error) {
      const hasChanged = error instanceof VaultError && error.code === "precondition";
      if (!isOnePresent || !hasChanged) throw error;
      if (count === CONDITION_COUNT_MAX) throw new VaultError("conflict");
      condition = await conditionOf(vault, name, precondition);
    }
  }
}

interface BodyToPut extends Pick<ObjectsOptions, "pieceBytes" | "smallUploadBytesMax"> {
  readonly vault: VaultVerbs;
  readonly beginBody: BeginBody;
  readonly request: PutObject;
  readonly seal: ObjectSeal | null;
  readonly how: { readonly isDirect: boolean; readonly requestId: string };
}

interface PreparedPut {
  readonly write: (condition: Condition) => Promise<StoredUpload>;
  /** Null if it is the MD5 of the body. */
  readonly etag: string | null;
}

/** Receives the body, and stores it if it needs several pieces; a single write remains. */
async function preparePut(put: BodyToPut): Promise<PreparedPut> {
  const { vault, beginBody, request, pieceBytes, seal, how } = put;
  const { bucket, key, attributes, body } = request;
  const { contentType } = attributes;
  const { requestId } = how;
  const pack = (checksum: BodyDigests["checksum"]): Metadata => {
    const metadata = packAttributes(attributes, checksum);
    return seal?.sealMetadata(metadata) ?? metadata;
  };
  const whole = await wholeBody(body, plainPieceBytes({ pieceBytes, seal }));
  if (whole !== null) {
    const { bytes, digests } = whole;
    const etag = seal?.etag(digests.etag) ?? null;
    const metadata = { ...pack(digests.checksum), ...seal?.pack("whole", bytes.length) };
    const content = {
      bytes: seal?.sealWhole(bytes) ?? bytes,
      etag: etag ?? digests.etag,
      contentType,
      metadata,
    };
    const isDirect = how.isDirect || bytes.length > put.smallUploadBytesMax;
    const path = { isDirect, requestId, isPatient: body.kind === "stream" };
    return { write: (condition) => vault.put({ bucket, key, ...content }, condition, path), etag };
  }
  if (body.kind !== "stream") throw new TypeError("A whole body is not split into pieces.");
  const of = { owner: { bucket, key }, requestId, pieceBytes, seal };
  const { list, digests } = await storeBody(vault, beginBody, body, of);
  const etag = seal?.etag(digests.etag) ?? null;
  const metadata = { ...pack(digests.checksum), ...seal?.pack("pieces", null) };
  const object = { bucket, key, contentType, etag: etag ?? digests.etag, metadata };
  return {
    write: (condition) => putManifest(vault, object, { pieces: [list] }, { condition, requestId }),
    etag,
  };
}

/** A body that is one upload: a whole body, or a stream no longer than a piece. */
async function wholeBody(body: UploadBody, pieceBytes: number) {
  if (body.kind === "whole") return body;
  if (body.sizeBytesMax > pieceBytes) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of body.chunks) chunks.push(chunk);
  const digests = await body.verify();
  return { bytes: Buffer.concat(chunks), digests };
}

export async function putManifest(
  vault: VaultVerbs,
  object: {
    readonly bucket: string;
    readonly key: string;
    readonly contentType: string;
    readonly etag: string;
    readonly metadata: Metadata;
  },
  manifest: Manifest,
  { condition, requestId }: { readonly condition: Condition; readonly requestId: string },
): Promise<StoredUpload> {
  const sizeBytes = manifest.pieces.reduce((sum, list) => sum + list.sizeBytes, 0);
  const isEncrypted = unpackEncryption(object.metadata) !== null;
  const bytes = packManifest(manifest, { isEncrypted });
  const metadata = { ...object.metadata, [LARGE_SIZE]: String(sizeBytes) };
  const stored = await vault.put({ ...object, metadata, bytes }, condition, {
    requestId,
    isPatient: true,
  });
  // The object itself took the direct path.
  return { ...stored, path: "direct" };
}

function readerOf({ vault, reading }: Space, found: StoredObject, seal: ObjectSeal | null): ObjectReader {
  const manifest = manifestOf(found);
  const info = infoOf(found.upload, seal);
  if (manifest === null) {
    const read = (range: ByteRange) =>
      seal?.openWhole(found.parts, info.sizeBytes, range) ?? slices(found.parts, range);
    return { info, partSizesBytes: null, read };
  }
  const { pieces, partChecksums = null } = manifest;
  const partSizesBytes = isMultipart(info) ? pieces.map(({ sizeBytes }) => sizeBytes) : null;
  return {
    info,
    partSizesBytes,
    partChecksums,
    read: (range) => reading(found.upload, readPieces(vault, pieces, range, seal)),
  };
}

/** The ETag of a multipart upload ends with its number of parts. */
function isMultipart({ etag }: ObjectInfo): boolean {
  return etag.includes("-");
}

function* slices(parts: readonly Uint8Array[], range: ByteRange): Generator<Uint8Array> {
  for (const part of partsWithin(parts, range)) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) yield part.subarray(at, at + SLICE_BYTES);
  }
}
