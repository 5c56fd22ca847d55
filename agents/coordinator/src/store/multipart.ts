/**
 * Multipart uploads: one record per upload and one per part, in buckets whose names clients cannot use. The bytes of a
 * part are pieces; completing an upload writes one list of all of them.
 */
import {
  type AppliedEncryption,
  type CompleteUpload,
  type CustomerKey,
  DEFAULT_OWNER,
  type MultipartUpload,
  type ObjectAttributes,
  type ObjectName,
  type ObjectStore,
  S3Error,
  type StoreContext,
  type StoredBody,
  type StoredPart,
  type UploadBody,
  type UploadName,
} from "@stashlight/s3";
import type { UploadHeader } from "@stashlight/write-path";
import type { ObjectSeal } from "../encryption/object-seal.ts";
import type { ObjectSeals } from "../encryption/object-seals.ts";
import { describeEncryption, encryptionEntries } from "../records/encryption-record.ts";
import {
  PART_DIGITS,
  PARTS,
  packPartPieces,
  partKey,
  recordKey,
  SEPARATOR,
  UPLOADS,
  unpackPartPieces,
} from "../records/multipart-records.ts";
import { newPieceId, type PieceList } from "../records/pieces.ts";
import type { Space } from "../space/garbage-collection.ts";
import { inParallel } from "../space/in-parallel.ts";
import type { BeginBody } from "../space/writing.ts";
import { VaultError } from "../vault/errors.ts";
import type { NewObject, StoredUpload } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import type { Buckets } from "./buckets.ts";
import {
  type Metadata,
  modifiedMsOf,
  packAttributes,
  packChecksum,
  packCompletion,
  unpackAttributes,
  unpackChecksum,
  unpackCompletion,
} from "./metadata.ts";
import { conditionOf, nameOf, putManifest, resultOf, writeOn } from "./objects.ts";
import { storeBody } from "./store-body.ts";

const WANTED_CHECKSUM = ":wanted-checksum";
/** Owner of the upload, because the bucket may be removed meanwhile and its name taken by another owner. */
const UPLOAD_OWNER = ":upload-owner";
const PAGE_KEY_COUNT = 1000;
/** Number of records of parts to delete in parallel; an upload may have 10,000 parts, and a client waits. */
const DELETE_COUNT_MAX = 8;
const NOTHING = new Uint8Array(0);
const ALWAYS = { type: "none" } as const;

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
  readonly space: Space;
  readonly buckets: Buckets;
  readonly seals: ObjectSeals;
  readonly pieceBytes: number;
  readonly newUploadId?: ((name: ObjectName) => string) | undefined;
}

export function createMultipart(options: MultipartOptions): MultipartVerbs {
  const { space, buckets, seals, newUploadId = newPieceId } = options;
  const { vault } = space;
  const find: FindUpload = async (context, name) => {
    const upload = await vault.head(UPLOADS, recordKey(name));
    if (upload === null || !isOwnedBy(context, upload)) throw new S3Error("NoSuchUpload");
    return upload;
  };

  return {
    createMultipartUpload: async (
      { principal, requestId },
      { bucket, key, attributes, checksum, encryption },
    ) => {
      await buckets.check(bucket);
      const seal = await seals.create({ bucket, key }, encryption, requestId);
      const uploadId = newUploadId({ bucket, key });
      const { owner } = principal.accessKey;
      const record = recordOf({ bucket, key, uploadId }, { owner, attributes, checksum });
      const metadata = seal === null ? record.metadata : sealRecord(seal, record.metadata);
      const { upload } = await vault.put({ ...record, metadata }, ALWAYS, { requestId });
      return { uploadId, initiatedMs: modifiedMsOf(upload), encryption: seal?.applied ?? { kind: "none" } };
    },
    findMultipartUpload: async (context, name) => describeUpload(await find(context, name)),
    putPart: async (context, { partNumber, body, customerKey, ...name }) => {
      const { userMetadata } = await find(context, name);
      const seal = await openUpload(seals, name, userMetadata, customerKey);
      return await space.writing((beginBody) =>
        storePart({ ...options, vault, beginBody }, { name, partNumber, body, seal }, context.requestId),
      );
    },
    listParts: async (context, { afterPartNumber, partCountMax, ...name }) => {
      await find(context, name);
      const { parts, isTruncated } = await partsOf(vault, name.uploadId, afterPartNumber, partCountMax);
      return { parts: parts.map(({ part }) => part), isTruncated };
    },
    listMultipartUploads: async (context, { bucket, ...wish }) => {
      await buckets.check(bucket);
      return await listUploads(vault, context, { bucket, ...wish });
    },
    completeMultipartUpload: (context, request) =>
      space.completing(request, () => complete({ space, seals }, context, request, find)),
    abortMultipartUpload: async (context, name) => {
      await find(context, name);
      await forget(space, name);
    },
  };
}

type FindUpload = (context: StoreContext, name: UploadName) => Promise<UploadHeader>;

/** Encrypts the metadata and adds the fields for decrypting it, with the layout of the finished object. */
function sealRecord(seal: ObjectSeal, metadata: NewObject["metadata"]): NewObject["metadata"] {
  return { ...seal.sealMetadata(metadata), ...seal.pack("pieces", null) };
}

/** Rejects with InvalidRequest if the key is not that of the upload, as AWS does for parts. */
async function openUpload(
  seals: ObjectSeals,
  name: UploadName,
  metadata: NewObject["metadata"],
  customerKey: CustomerKey | null,
): Promise<ObjectSeal | null> {
  try {
    return await seals.open(nameOf(name), metadata, customerKey);
  } catch (error) {
    const isWrongKey = error instanceof S3Error && ["InvalidRequest", "AccessDenied"].includes(error.code);
    if (!isWrongKey) throw error;
    throw new S3Error(
      "InvalidRequest",
      "The encryption parameters are not those with which the multipart upload was created.",
    );
  }
}

/**
 * An SSE-C key sent with a completion must be that of the upload. As on AWS, an upload with a checksum cannot be
 * completed without its key.
 */
async function checkKeyOfCompletion(
  seals: ObjectSeals,
  request: CompleteUpload,
  metadata: NewObject["metadata"],
): Promise<AppliedEncryption> {
  const described = describeEncryption(metadata);
  const isNeeded = described.kind === "customer" && request.checksum !== null;
  if (request.customerKey === null && !isNeeded) return described;
  const seal = await openUpload(seals, request, metadata, request.customerKey);
  return seal?.applied ?? described;
}

interface NewPart {
  readonly name: UploadName;
  readonly partNumber: number;
  readonly body: UploadBody;
  readonly seal: ObjectSeal | null;
}

async function storePart(
  { vault, beginBody, pieceBytes }: Pick<MultipartOptions, "pieceBytes"> & BodyWriter,
  { name, partNumber, body, seal }: NewPart,
  requestId: string,
): Promise<StoredBody> {
  const of = { owner: { ...name, partNumber }, requestId, pieceBytes, seal };
  const { list, digests } = await storeBody(vault, beginBody, body, of);
  // A part that is sent again has the same ETag, as without encryption.
  const etag = seal?.etag(digests.etag, `part ${partNumber}`) ?? null;
  const metadata = { ...packChecksum(digests.checksum), ...packPartPieces(list) };
  const key = partKey(name.uploadId, partNumber);
  const record = {
    bucket: PARTS,
    key,
    bytes: NOTHING,
    etag: etag ?? digests.etag,
    contentType: "",
    metadata,
  };
  const stored = await vault.put(record, ALWAYS, { requestId, isPatient: true });
  return { ...resultOf(stored), path: "direct", etag, encryption: seal?.applied ?? { kind: "none" } };
}

interface BodyWriter {
  readonly vault: VaultVerbs;
  readonly beginBody: BeginBody;
}

interface UploadTerms {
  readonly owner: string;
  readonly attributes: ObjectAttributes;
  readonly checksum: MultipartUpload["checksum"];
}

function recordOf(name: UploadName, { owner, attributes, checksum }: UploadTerms): NewObject {
  const wanted: Metadata = checksum === null ? {} : { [WANTED_CHECKSUM]: JSON.stringify(checksum) };
  const metadata = { ...packAttributes(attributes, null), ...wanted, [UPLOAD_OWNER]: owner };
  const { contentType } = attributes;
  return { bucket: UPLOADS, key: recordKey(name), bytes: NOTHING, etag: "", contentType, metadata };
}

function isOwnedBy({ principal }: StoreContext, { userMetadata }: UploadHeader): boolean {
  return (userMetadata[UPLOAD_OWNER] ?? DEFAULT_OWNER) === principal.accessKey.owner;
}

/** Lists the caller's uploads, and skips those that a previous owner of the bucket's name left behind. */
async function listUploads(
  vault: VaultVerbs,
  context: StoreContext,
  { bucket, prefix, keyMarker, uploadIdMarker, uploadCountMax }: ListUploads,
): Promise<{ uploads: MultipartUpload[]; isTruncated: boolean }> {
  const start = bucket + SEPARATOR;
  const idMarker = uploadIdMarker === "" ? "\uffff" : uploadIdMarker;
  let after = keyMarker === "" ? start : `${start}${keyMarker}${SEPARATOR}${idMarker}`;
  const uploads: MultipartUpload[] = [];
  for (;;) {
    const range = { prefix: start + prefix, after, keyCountMax: uploadCountMax - uploads.length };
    const page = await vault.list(UPLOADS, range);
    uploads.push(...page.uploads.filter((upload) => isOwnedBy(context, upload)).map(describeUpload));
    if (!page.isTruncated || uploads.length >= uploadCountMax) {
      return { uploads, isTruncated: page.isTruncated };
    }
    after = page.uploads.at(-1)?.key ?? after;
  }
}

type ListUploads = Parameters<ObjectStore["listMultipartUploads"]>[1];

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
  vault: Pick<VaultVerbs, "list">,
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
  const pieces = unpackPartPieces(upload.userMetadata);
  const part = {
    partNumber: Number(upload.key.slice(-PART_DIGITS)),
    sizeBytes: pieces.sizeBytes,
    etag: upload.etag,
    modifiedMs: modifiedMsOf(upload),
    checksum: unpackChecksum(upload),
  };
  return { part, pieces };
}

async function allPartsOf(
  vault: Pick<VaultVerbs, "list">,
  uploadId: string,
): Promise<Map<number, PartRecord>> {
  const all = new Map<number, PartRecord>();
  for (let after = 0; ; ) {
    const { parts, isTruncated } = await partsOf(vault, uploadId, after, PAGE_KEY_COUNT);
    for (const record of parts) all.set(record.part.partNumber, record);
    if (!isTruncated) return all;
    after = parts.at(-1)?.part.partNumber ?? after;
  }
}

async function complete(
  { space, seals }: Pick<MultipartOptions, "space" | "seals">,
  context: StoreContext,
  request: CompleteUpload,
  find: FindUpload,
): Promise<StoredBody> {
  const { vault } = space;
  const { requestId } = context;
  const record = await find(context, request);
  const { bucket, key, etag, checksum, precondition, completion } = request;
  const encryption = await checkKeyOfCompletion(seals, request, record.userMetadata);
  const completedBefore = async (): Promise<StoredBody | null> => {
    const present = await vault.head(bucket, key);
    if (present === null || unpackCompletion(present) !== completion) return null;
    await forget(space, request);
    return { modifiedMs: modifiedMsOf(present), path: "direct", etag: null, encryption };
  };
  const before = await completedBefore();
  if (before !== null) return before;
  await seals.checkUpload(nameOf(request), record.userMetadata);
  const stored = await allPartsOf(vault, request.uploadId);
  const pieces = request.parts.map(({ partNumber, etag: expected }) => {
    const found = stored.get(partNumber);
    if (found === undefined || found.part.etag !== expected) throw new S3Error("InvalidPart");
    return found.pieces;
  });
  const partChecksums = checksum && request.parts.map((part) => part.checksum?.value ?? "");
  const manifest = { pieces, ...(partChecksums && { partChecksums }) };
  // Encrypted attributes stay sealed, because the request need not have the key.
  const attributes = unpackAttributes(record, null);
  const condition = await conditionOf(vault, request, precondition);
  const object = {
    bucket,
    key,
    etag,
    contentType: attributes.contentType,
    metadata: {
      ...packAttributes(attributes, checksum),
      ...packCompletion(completion),
      ...encryptionEntries(record.userMetadata),
    },
  };
  let result: StoredUpload;
  try {
    result = await writeOn(vault, request, condition, (now) =>
      putManifest(vault, object, manifest, { condition: now, requestId }),
    );
  } catch (error) {
    // The same request at another coordinator may have been faster.
    const elsewhere = error instanceof VaultError ? await completedBefore() : null;
    if (elsewhere === null) throw error;
    return elsewhere;
  }
  await forget(space, request, pieces);
  return { ...resultOf(result), etag: null, encryption };
}

/**
 * Deletes the record last: while it exists, a repetition of an interrupted request finds the rest. Queues for
 * collection the pieces of parts that the object does not use.
 */
async function forget(
  { vault, giveBack }: Space,
  name: UploadName,
  used: readonly PieceList[] = [],
): Promise<readonly PieceList[]> {
  const parts = await allPartsOf(vault, name.uploadId);
  await inParallel(parts.keys(), DELETE_COUNT_MAX, (partNumber) =>
    deleteRecord(vault, PARTS, partKey(name.uploadId, partNumber)),
  );
  await deleteRecord(vault, UPLOADS, recordKey(name));
  const usedIds = new Set(used.map(({ id }) => id));
  const lists = [...parts.values()].map(({ pieces }) => pieces);
  giveBack(lists.filter(({ id }) => !usedIds.has(id)));
  return lists;
}

/** Aborts an upload of any owner, and resolves with the bytes of its parts. */
export async function abortUpload(space: Space, name: UploadName): Promise<number> {
  return sumOf(await forget(space, name));
}

/** Resolves with the bytes of an upload's parts. */
export async function measureUpload(vault: Pick<VaultVerbs, "list">, uploadId: string): Promise<number> {
  const parts = await allPartsOf(vault, uploadId);
  return sumOf([...parts.values()].map(({ pieces }) => pieces));
}

const sumOf = (lists: readonly PieceList[]): number =>
  lists.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

async function deleteRecord(vault: VaultVerbs, bucket: string, key: string): Promise<void> {
  try {
    await vault.delete(bucket, key);
  } catch (error) {
    // Another coordinator that deletes the same record may have been faster.
    if (!(error instanceof VaultError) || (await vault.head(bucket, key)) !== null) throw error;
  }
}
