/**
 * The store behind the edge. The edge handles the protocol (signatures, checksums, conditions on reads, XML), the store
 * the objects. A store refuses by throwing an S3Error: NoSuchBucket, NoSuchKey, NoSuchUpload, InvalidPart,
 * BucketAlreadyOwnedByYou, BucketNotEmpty, PreconditionFailed, ConditionalRequestConflict, SlowDown. Any other error is
 * answered as InternalError, without its text.
 */
import type { ChecksumAlgorithm, ChecksumType, ObjectChecksum } from "./checksum/algorithms.ts";
import type { Principal } from "./signature/authenticate.ts";

export interface StoreContext {
  readonly requestId: string;
  readonly principal: Principal;
  /** Aborted when the client has disconnected or the answer is sent. */
  readonly signal: AbortSignal;
}

export interface ObjectName {
  readonly bucket: string;
  readonly key: string;
}

export interface Tag {
  readonly key: string;
  readonly value: string;
}

/** Attributes that a client stored with an object. Values are byte strings (latin1), as sent in headers. */
export interface ObjectAttributes {
  readonly contentType: string;
  readonly contentHeaders: Readonly<Partial<Record<ContentHeader, string>>>;
  /** Lower-case names without x-amz-meta-. */
  readonly userMetadata: Readonly<Record<string, string>>;
  readonly tags: readonly Tag[];
}

export const CONTENT_HEADERS = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "expires",
] as const;
export type ContentHeader = (typeof CONTENT_HEADERS)[number];

/** SSE-C key: a client's own key for its objects, which is never stored. */
export interface CustomerKey {
  readonly bytes: Buffer;
  /** In base64, as clients compare it. */
  readonly md5: string;
}

/** Encryption that a client requests for an object; `default` uses that of the bucket. */
export type EncryptionRequest =
  | { readonly kind: "default" }
  | { readonly kind: "managed" }
  | { readonly kind: "customer"; readonly key: CustomerKey };

/** Encryption of a stored object: none, under the vault's keys, or under an SSE-C key. */
export type AppliedEncryption =
  | { readonly kind: "none" }
  | { readonly kind: "managed" }
  /** The digest is null if no key was sent, as when an upload is completed. */
  | { readonly kind: "customer"; readonly keyMd5: string | null };

/**
 * A read of an object with the request's SSE-C key, or null if it has none. Rejects with InvalidRequest if a key is
 * missing or not needed, and with AccessDenied if the key is wrong.
 */
export interface ReadObject extends ObjectName {
  readonly customerKey: CustomerKey | null;
}

export interface ObjectInfo {
  readonly sizeBytes: number;
  /**
   * ETag without quotes: the MD5 in hex, for a multipart upload followed by "-" and the number of parts. Under an
   * SSE-C key the 32 digits are not an MD5.
   */
  readonly etag: string;
  readonly modifiedMs: number;
  readonly attributes: ObjectAttributes;
  readonly checksum: ObjectChecksum | null;
  /** The `completion` of the CompleteUpload that made the object; null for all other objects. */
  readonly completion: string | null;
  readonly encryption: AppliedEncryption;
}

/** One step of the work behind an answer, reported to the client in Server-Timing. */
export interface Timing {
  /** Letters, digits and hyphens. */
  readonly name: string;
  readonly durationMs: number;
}

export interface WriteResult {
  readonly modifiedMs: number;
  /** The path that the upload took; null if the store has only one. */
  readonly path: "stash" | "direct" | null;
  readonly timings?: readonly Timing[];
}

/** Result of a write of bytes. */
export interface StoredBody extends WriteResult {
  /** ETag of an object or part if it is not the MD5 of the body; otherwise null. */
  readonly etag: string | null;
  readonly encryption: AppliedEncryption;
}

/** Synchronous if all chunks are in memory. */
export type BodyChunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** One version of an object: `read` returns bytes of that version, even if the object is replaced meanwhile. */
export interface ObjectReader {
  readonly info: ObjectInfo;
  /** Size of each part of a multipart upload, in order; null for an object uploaded in one piece. */
  readonly partSizesBytes: readonly number[] | null;
  /** Checksums of the parts in base64, by the object's algorithm; absent if the parts have none. */
  readonly partChecksums?: readonly string[] | null;
  /** Reads bytes from `start` up to and excluding `end`; called at most once. */
  read(range: { readonly start: number; readonly end: number }): BodyChunks;
  readonly timings?: readonly Timing[];
}

export interface BodyDigests {
  /** MD5 as 32 hex digits. */
  readonly etag: string;
  readonly checksum: ObjectChecksum | null;
}

export type UploadBody =
  /** A small body that passed all checks. */
  { readonly kind: "whole"; readonly bytes: Buffer; readonly digests: BodyDigests } | StreamedBody;

/** The store calls `verify` after `chunks` has ended, and must not commit anything before it resolves. */
export interface StreamedBody {
  readonly kind: "stream";
  /** The exact size; an upper bound for the file of a form, which ends at a delimiter. */
  readonly sizeBytesMax: number;
  /** Read once and to its end; throws if the client disconnects or is too slow, or a check fails. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Rejects if the body is not as signed or announced, or was not read to its end. */
  verify(): Promise<BodyDigests>;
}

/** Condition on the key's newest version at the moment of the write. */
export type WritePrecondition =
  | { readonly kind: "none" }
  | { readonly kind: "absent" }
  /** The object must exist (else NoSuchKey) and have this ETag; null accepts any. */
  | { readonly kind: "matches"; readonly etag: string | null }
  /** The object must not exist, or have none of these ETags. */
  | { readonly kind: "differs"; readonly etags: readonly string[] };

export interface PutObject extends ObjectName {
  readonly attributes: ObjectAttributes;
  readonly body: UploadBody;
  readonly precondition: WritePrecondition;
  readonly encryption: EncryptionRequest;
}

export interface BucketInfo {
  readonly name: string;
  readonly createdMs: number;
  readonly owner: string;
}

export interface BucketSettingName {
  readonly bucket: string;
  readonly name: string;
}

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  readonly checksum: ObjectChecksum | null;
}

export interface MultipartUpload {
  readonly uploadId: string;
  readonly key: string;
  readonly initiatedMs: number;
  readonly checksum: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType } | null;
}

/** A multipart upload that is about to be created. */
export interface NewUpload extends ObjectName {
  readonly attributes: ObjectAttributes;
  readonly checksum: MultipartUpload["checksum"];
  readonly encryption: EncryptionRequest;
}

export interface UploadName extends ObjectName {
  readonly uploadId: string;
}

export interface StoredPart {
  readonly partNumber: number;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  readonly checksum: ObjectChecksum | null;
}

export interface CompleteUpload extends UploadName {
  /** In ascending order; a part that was replaced meanwhile is refused with InvalidPart. */
  readonly parts: readonly StoredPart[];
  readonly sizeBytes: number;
  readonly etag: string;
  readonly checksum: ObjectChecksum | null;
  readonly precondition: WritePrecondition;
  /** The key of the upload, required if the parts have checksums; a different key is refused with InvalidRequest. */
  readonly customerKey: CustomerKey | null;
  /** Identifies this upload and list of parts; stored with the object, so that a repeated request is recognised. */
  readonly completion: string;
}

/** Buckets and their settings. */
export interface BucketStore {
  /** The buckets of all owners. */
  listBuckets(context: StoreContext): Promise<readonly BucketInfo[]>;
  /**
   * Creates the bucket for the owner of the principal's key. Rejects with BucketAlreadyOwnedByYou or
   * BucketAlreadyExists. Once it resolves, no reader sees a previous owner of the bucket.
   */
  createBucket(context: StoreContext, request: { bucket: string }): Promise<void>;
  /** Rejects with NoSuchBucket. */
  headBucket(context: StoreContext, request: { bucket: string }): Promise<BucketInfo>;
  deleteBucket(context: StoreContext, request: { bucket: string }): Promise<void>;
  /**
   * Returns the document stored under a name such as "versioning"; null if there is none. A recreated bucket has none.
   * Rejects with NoSuchBucket, as writeBucketSetting does.
   */
  readBucketSetting(
    context: Pick<StoreContext, "requestId">,
    request: BucketSettingName,
  ): Promise<string | null>;
  /** A null text removes the document. */
  writeBucketSetting(
    context: StoreContext,
    request: BucketSettingName & { readonly text: string | null },
  ): Promise<void>;
  /** Rejects with NoSuchBucket. Called for every request, so the answer may be a few seconds old. */
  ownerOfBucket(context: StoreContext, request: { bucket: string }): Promise<string>;
}

export interface ObjectStore extends BucketStore {
  putObject(context: StoreContext, request: PutObject): Promise<StoredBody>;
  headObject(context: StoreContext, request: ReadObject): Promise<ObjectInfo>;
  getObject(context: StoreContext, request: ReadObject): Promise<ObjectReader>;
  /** Describes an object without its key; encrypted attributes are left out. Rejects with NoSuchKey. */
  findObject(context: StoreContext, request: ObjectName): Promise<ObjectInfo>;
  /**
   * Replaces only the tags of the newest version: neither ETag nor time changes. A concurrent write keeps its content.
   * Rejects with NoSuchKey.
   */
  putObjectTags(
    context: StoreContext,
    request: ObjectName & { readonly tags: readonly Tag[] },
  ): Promise<void>;
  /** Deleting a missing object succeeds, unless the precondition requires it to exist. */
  deleteObject(
    context: StoreContext,
    request: ObjectName & { readonly precondition: WritePrecondition },
  ): Promise<WriteResult>;
  /**
   * Lists objects in UTF-8 byte order of their keys: those that begin with `prefix` and sort after `after`. With a
   * delimiter, at least one key of each common prefix is listed; the others may be left out.
   */
  listObjects(
    context: StoreContext,
    request: { bucket: string; prefix: string; after: string; keyCountMax: number; delimiter?: string },
  ): Promise<{ readonly objects: readonly ListedObject[]; readonly isTruncated: boolean }>;

  /**
   * Creates the upload for the owner of the principal's key. Other owners cannot see it, even if they own a later
   * bucket with the same name.
   */
  createMultipartUpload(
    context: StoreContext,
    request: NewUpload,
  ): Promise<{
    readonly uploadId: string;
    readonly initiatedMs: number;
    readonly encryption: AppliedEncryption;
  }>;
  findMultipartUpload(context: StoreContext, request: UploadName): Promise<MultipartUpload>;
  putPart(
    context: StoreContext,
    request: UploadName & {
      readonly partNumber: number;
      readonly body: UploadBody;
      readonly customerKey: CustomerKey | null;
    },
  ): Promise<StoredBody>;
  /** Lists parts in ascending order with numbers above `afterPartNumber`. */
  listParts(
    context: StoreContext,
    request: UploadName & { readonly afterPartNumber: number; readonly partCountMax: number },
  ): Promise<{ readonly parts: readonly StoredPart[]; readonly isTruncated: boolean }>;
  /**
   * Lists uploads after the markers in order of key, then upload id; an empty id marker skips all uploads of its key.
   */
  listMultipartUploads(
    context: StoreContext,
    request: {
      bucket: string;
      prefix: string;
      keyMarker: string;
      uploadIdMarker: string;
      uploadCountMax: number;
    },
  ): Promise<{ readonly uploads: readonly MultipartUpload[]; readonly isTruncated: boolean }>;
  /** If the object is already the result of this request, only removes what is left of the upload. */
  completeMultipartUpload(context: StoreContext, request: CompleteUpload): Promise<StoredBody>;
  abortMultipartUpload(context: StoreContext, request: UploadName): Promise<void>;
}
