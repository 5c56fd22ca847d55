/**
 * One pass through all buckets: deletes the objects that rules expire, and aborts the multipart uploads that are too
 * old. It can continue from any place, because its actions depend only on what it reads: a bucket's rules are read
 * again just before each page's deletions, and an object is deleted only in the version whose age and tags were read,
 * so an object that was overwritten meanwhile stays.
 */
import { sizeOf } from "@stashlight/node-runtime/objects";
import { type ObjectStore, S3Error } from "@stashlight/s3";
import {
  type DueAction,
  expiringPrefix,
  findAbort,
  findExpiration,
  type LifecycleRule,
} from "@stashlight/s3/lifecycle";
import type { UploadHeader } from "@stashlight/write-path";
import { BUCKETS } from "../records/bucket-records.ts";
import { SEPARATOR, UPLOADS } from "../records/multipart-records.ts";
import type { Space } from "../space/garbage-collection.ts";
import { inParallel } from "../space/in-parallel.ts";
import { modifiedMsOf, unpackTags } from "../store/metadata.ts";
import { abortUpload } from "../store/multipart.ts";
import { VaultError } from "../vault/errors.ts";
import type { Deletions } from "./deletions.ts";
import { readKeptRules } from "./kept-rules.ts";
import type { Place } from "./pass-turn.ts";

export interface PassOptions {
  readonly space: Space;
  readonly store: Pick<ObjectStore, "readBucketSetting">;
  readonly deletions: Deletions;
  /** Time at which rules are evaluated. Rejects while it is unknown. */
  readonly readTimeMs: () => Promise<number>;
  /** True if clients keep the vault busy, so that objects should be deleted one at a time. */
  readonly isBusy: () => boolean;
  /** Called once per pass for each bucket that is skipped because its rules are unreadable. */
  readonly onUnreadable: (bucket: string, reason: S3Error) => void;
}

const PAGE_KEY_COUNT = 500;
const DELETE_COUNT_MAX = 8;

/** Yields the place reached after each page. Rejects with a VaultError. */
export async function* runPass(options: PassOptions, from: Place): AsyncGenerator<Place> {
  if (from.phase === "objects") yield* expireObjects(options, from);
  yield* abortUploads(options, from.phase === "uploads" ? from.after : "");
}

async function* expireObjects(options: PassOptions, from: Place): AsyncGenerator<Place> {
  const { vault } = options.space;
  for await (const bucket of bucketsFrom(options, from.bucket)) {
    let after = bucket === from.bucket ? from.after : "";
    const rules = await readRules(options, bucket);
    if (rules instanceof S3Error) options.onUnreadable(bucket, rules);
    const prefix = rules instanceof S3Error ? null : expiringPrefix(rules);
    for (let isTruncated = prefix !== null; isTruncated; ) {
      const page = await vault.list(bucket, { prefix: prefix ?? "", after, keyCountMax: PAGE_KEY_COUNT });
      await expirePage(options, bucket, page.uploads);
      ({ isTruncated } = page);
      after = page.uploads.at(-1)?.key ?? after;
      yield { phase: "objects", bucket, after };
    }
    yield { phase: "objects", bucket, after: AFTER_ALL_KEYS };
  }
}

/** Sorts after every key, because no UTF-8 character is higher. */
const AFTER_ALL_KEYS = "\u{10ffff}";

async function* bucketsFrom({ space }: PassOptions, first: string): AsyncGenerator<string> {
  const isKnown = first !== "" && (await space.vault.head(BUCKETS, first)) !== null;
  if (isKnown) yield first;
  for (let after = first; ; ) {
    const page = await space.vault.list(BUCKETS, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
    for (const { key } of page.uploads) yield key;
    if (!page.isTruncated) return;
    after = page.uploads.at(-1)?.key ?? after;
  }
}

async function readRules({ store }: PassOptions, bucket: string): Promise<ReturnType<typeof readKeptRules>> {
  try {
    return readKeptRules(
      await store.readBucketSetting({ requestId: "lifecycle" }, { bucket, name: "lifecycle" }),
    );
  } catch (error) {
    if (error instanceof S3Error && error.code === "NoSuchBucket") return [];
    throw error;
  }
}

/** Returns the rule by which an object is to be deleted at that time; null if none applies. */
export function dueExpiration(
  rules: readonly LifecycleRule[],
  upload: UploadHeader,
  timeMs: number,
): DueAction | null {
  const { key } = upload;
  const object = {
    key,
    sizeBytes: sizeOf(upload),
    tags: unpackTags(upload),
    modifiedMs: modifiedMsOf(upload),
  };
  const action = findExpiration(rules, object);
  return action !== null && action.dueMs <= timeMs ? action : null;
}

async function expirePage(
  options: PassOptions,
  bucket: string,
  uploads: readonly UploadHeader[],
): Promise<void> {
  const { space, deletions, readTimeMs, isBusy } = options;
  const rules = await readRules(options, bucket);
  if (rules instanceof S3Error) return;
  const timeMs = await readTimeMs();
  await inParallel(uploads, isBusy() ? 1 : DELETE_COUNT_MAX, async (upload) => {
    const action = dueExpiration(rules, upload, timeMs);
    if (action === null) return;
    const { key, uploadId } = upload;
    const isDeleted = await unlessChanged(space.vault.delete(bucket, key, { type: "version", uploadId }));
    if (isDeleted) deletions.add("expire", { bucket, ruleId: action.ruleId, bytes: sizeOf(upload) });
  });
}

/** Resolves with false if a client has overwritten or deleted the object meanwhile. */
async function unlessChanged(deletion: Promise<unknown>): Promise<boolean> {
  try {
    await deletion;
    return true;
  } catch (error) {
    if (error instanceof VaultError && (error.code === "precondition" || error.code === "conflict"))
      return false;
    throw error;
  }
}

/** Includes uploads of deleted buckets, whose parts no client could find. */
async function* abortUploads(options: PassOptions, from: string): AsyncGenerator<Place> {
  const { vault } = options.space;
  let after = from;
  for (let isTruncated = true; isTruncated; ) {
    const page = await vault.list(UPLOADS, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
    const byBucket = Map.groupBy(page.uploads, ({ key }) => key.split(SEPARATOR, 1)[0] as string);
    for (const [bucket, uploads] of byBucket) await abortDue(options, bucket, uploads);
    ({ isTruncated } = page);
    after = page.uploads.at(-1)?.key ?? after;
    yield { phase: "uploads", bucket: "", after };
  }
}

async function abortDue(
  options: PassOptions,
  bucket: string,
  uploads: readonly UploadHeader[],
): Promise<void> {
  const { space, deletions, readTimeMs } = options;
  const rules = await readRules(options, bucket);
  if (rules instanceof S3Error) return;
  const timeMs = await readTimeMs();
  for (const upload of uploads) {
    const [, key = "", uploadId = ""] = upload.key.split(SEPARATOR);
    const { ruleId, dueMs } = findAbort(rules, { key, initiatedMs: modifiedMsOf(upload) });
    if (dueMs > timeMs) continue;
    const bytes = await abortUpload(space, { bucket, key, uploadId });
    deletions.add("abort", { bucket, ruleId, bytes });
  }
}
