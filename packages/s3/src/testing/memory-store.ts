/**
 * A store in memory, for tests of the edge and of its clients. It fulfils the contract of store.ts but persists
 * nothing.
 */
import { S3Error } from "../errors.ts";
import { DEFAULT_OWNER } from "../signature/access-key.ts";
import type {
  BucketStore,
  CustomerKey,
  ListedObject,
  ObjectName,
  ObjectReader,
  ObjectStore,
  WritePrecondition,
  WriteResult,
} from "../store.ts";
import { applyEncryption, checkKey, etagOf } from "./memory-encryption.ts";
import { createMultipartStore } from "./memory-multipart.ts";
import {
  compareKeys,
  type MemoryBucket,
  type MemoryObject,
  type MemoryObjects,
  takeBody,
} from "./memory-objects.ts";

export interface MemoryStore extends ObjectStore {
  /** Returns the committed object, for assertions. */
  find(name: ObjectName): MemoryObject | undefined;
  /** Adds a bucket that the default owner created. */
  addBucket(name: string): void;
}

export interface MemoryStoreOptions {
  readonly nowMs: () => number;
  readonly smallUploadBytesMax?: number;
}

export function createMemoryStore({
  nowMs,
  smallUploadBytesMax = 1_048_576,
}: MemoryStoreOptions): MemoryStore {
  const buckets = new Map<string, MemoryBucket>();

  const bucket = (name: string): MemoryBucket => {
    const found = buckets.get(name);
    if (found === undefined) throw new S3Error("NoSuchBucket");
    return found;
  };
  const object = (name: ObjectName): MemoryObject => {
    const found = bucket(name.bucket).objects.get(name.key);
    if (found === undefined) throw new S3Error("NoSuchKey");
    return found;
  };
  const open = (name: ObjectName, key: CustomerKey | null): MemoryObject => {
    const found = object(name);
    checkKey(found.encryption, key);
    return found;
  };
  const written = (sizeBytes: number): WriteResult => ({
    modifiedMs: nowMs(),
    path: sizeBytes > smallUploadBytesMax ? "direct" : "stash",
    timings: [{ name: "memory", durationMs: 0 }],
  });
  const put: MemoryObjects["put"] = (name, given, precondition) => {
    const { objects } = bucket(name.bucket);
    checkPrecondition(objects.get(name.key), precondition);
    const result = written(given.sizeBytes);
    objects.set(name.key, { ...given, modifiedMs: result.modifiedMs });
    return result;
  };

  return {
    find: (name) => buckets.get(name.bucket)?.objects.get(name.key),
    addBucket: (name) => void buckets.set(name, newBucket(nowMs(), DEFAULT_OWNER)),
    ...createBucketStore(buckets, bucket, nowMs),
    putObject: async (_, request) => {
      bucket(request.bucket);
      const { bytes, digests } = await takeBody(request.body);
      const { attributes, precondition } = request;
      const encryption = applyEncryption(bucket(request.bucket), request.encryption);
      const etag = etagOf(encryption, digests);
      const plain = { completion: null, partSizesBytes: null, encryption };
      const content = { bytes, sizeBytes: bytes.length, attributes, ...digests, ...plain };
      const result = put(request, { ...content, ...(etag !== null && { etag }) }, precondition);
      return { ...result, etag, encryption };
    },
    findObject: async (_, name) => object(name),
    headObject: async (_, { customerKey, ...name }) => open(name, customerKey),
    getObject: async (_, { customerKey, ...name }) => readerOf(open(name, customerKey)),
    putObjectTags: async (_, { tags, ...name }) => {
      const found = object(name);
      const attributes = { ...found.attributes, tags };
      bucket(name.bucket).objects.set(name.key, { ...found, attributes });
    },
    deleteObject: async (_, request) => {
      const { objects } = bucket(request.bucket);
      checkPrecondition(objects.get(request.key), request.precondition);
      objects.delete(request.key);
      return written(0);
    },
    listObjects: async (_, request) => listObjects(bucket(request.bucket).objects, request),
    ...createMultipartStore({ bucket, put }, nowMs),
  };
}

function readerOf(info: MemoryObject): ObjectReader {
  const read = async function* ({ start, end }: { start: number; end: number }) {
    const step = 65_536;
    for (let at = start; at < end; at += step) yield info.bytes.subarray(at, Math.min(end, at + step));
  };
  const { partSizesBytes, partChecksums = null } = info;
  return { info, partSizesBytes, partChecksums, read };
}

function newBucket(createdMs: number, owner: string): MemoryBucket {
  return { createdMs, owner, settings: new Map(), objects: new Map() };
}

function createBucketStore(
  buckets: Map<string, MemoryBucket>,
  bucket: (name: string) => MemoryBucket,
  nowMs: () => number,
): BucketStore {
  return {
    listBuckets: async () => [...buckets].map(([name, { createdMs, owner }]) => ({ name, createdMs, owner })),
    createBucket: async ({ principal }, { bucket: name }) => {
      const { owner } = principal.accessKey;
      const existing = buckets.get(name);
      if (existing !== undefined) {
        throw new S3Error(existing.owner === owner ? "BucketAlreadyOwnedByYou" : "BucketAlreadyExists");
      }
      buckets.set(name, newBucket(nowMs(), owner));
    },
    headBucket: async (_, { bucket: name }) => {
      const { createdMs, owner } = bucket(name);
      return { name, createdMs, owner };
    },
    ownerOfBucket: async (_, { bucket: name }) => bucket(name).owner,
    readBucketSetting: async (_, { bucket: of, name }) => bucket(of).settings.get(name) ?? null,
    writeBucketSetting: async (_, { bucket: of, name, text }) => {
      const { settings } = bucket(of);
      if (text === null) settings.delete(name);
      else settings.set(name, text);
    },
    deleteBucket: async (_, { bucket: name }) => {
      if (bucket(name).objects.size > 0) throw new S3Error("BucketNotEmpty");
      buckets.delete(name);
    },
  };
}

function listObjects(
  objects: ReadonlyMap<string, MemoryObject>,
  { prefix, after, keyCountMax }: { prefix: string; after: string; keyCountMax: number },
): { objects: ListedObject[]; isTruncated: boolean } {
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && compareKeys(key, after) > 0);
  keys.sort(compareKeys);
  const listed = keys.slice(0, keyCountMax).map((key) => ({ key, ...(objects.get(key) as MemoryObject) }));
  return { objects: listed, isTruncated: keys.length > keyCountMax };
}

function checkPrecondition(existing: MemoryObject | undefined, precondition: WritePrecondition): void {
  if (precondition.kind === "none") return;
  if (precondition.kind === "absent") {
    if (existing !== undefined) throw new S3Error("PreconditionFailed");
    return;
  }
  if (precondition.kind === "differs") {
    if (precondition.etags.includes(existing?.etag ?? "")) throw new S3Error("PreconditionFailed");
    return;
  }
  if (existing === undefined) throw new S3Error("NoSuchKey");
  if (precondition.etag !== null && precondition.etag !== existing.etag)
    throw new S3Error("PreconditionFailed");
}
