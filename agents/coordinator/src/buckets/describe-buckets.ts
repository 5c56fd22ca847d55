/** Describes buckets for the console: objects, tags, lifecycle rules and encryption. */
import {
  type BucketAnswer,
  type BucketEncryption,
  type BucketSummary,
  type BucketTag,
  bucketsPerAnswerMax,
  type LifecycleRule,
  lifecycleRulesShownMax,
  type ObjectCount,
  objectsCountedInListMax,
  objectsCountedWithinMs,
  tagsInListMax,
} from "@stashlight/contracts/bucket";
import { sizeOf } from "@stashlight/node-runtime/objects";
import { parseBucketTags, S3Error } from "@stashlight/s3";
import type { LifecycleRule as KeptRule } from "@stashlight/s3/lifecycle";
import { readDestroyedAt } from "../encryption/bucket-keys.ts";
import type { VaultKeyring } from "../encryption/vault-keyring.ts";
import { parseWrappedKey } from "../encryption/wrapped-key.ts";
import { readKeptRules } from "../lifecycle/kept-rules.ts";
import { type BucketMarker, parseMarker } from "../records/bucket-marker.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import { findSetting } from "../store/bucket-settings.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

export interface DescribeOptions {
  readonly vault: Pick<VaultVerbs, "head" | "get" | "list">;
  readonly keyring: Pick<VaultKeyring, "state">;
  readonly steadyMs: () => number;
}

const PAGE_KEY_COUNT = 1000;
/** Limit on a list of buckets, because a person waits for it. */
const LISTED_WITHIN_MS = 3000;

/** Rejects with a VaultError. */
export async function listBuckets(
  options: DescribeOptions,
  { prefix, after }: { readonly prefix: string; readonly after: string },
): Promise<BucketAnswer> {
  const { vault, steadyMs } = options;
  const untilMs = steadyMs() + LISTED_WITHIN_MS;
  const page = await vault.list(BUCKETS, { prefix, after, keyCountMax: bucketsPerAnswerMax });
  const buckets: BucketSummary[] = [];
  for (const upload of page.uploads) {
    const marker = parseMarker(upload);
    const counting = { countMax: objectsCountedInListMax, untilMs };
    const objects = steadyMs() < untilMs ? await countObjects(options, marker.name, counting) : null;
    const { summary } = await describeBucket(options, marker, objects);
    buckets.push({ ...summary, tags: summary.tags.slice(0, tagsInListMax) });
  }
  return { type: "list", buckets, isTruncated: page.isTruncated };
}

/** Rejects with a VaultError. */
export async function viewBucket(options: DescribeOptions, bucket: string): Promise<BucketAnswer> {
  const { vault, steadyMs } = options;
  const upload = await vault.head(BUCKETS, bucket);
  if (upload === null) return { type: "refused", reason: `There is no bucket ${bucket}; it was deleted.` };
  const counting = { countMax: Number.POSITIVE_INFINITY, untilMs: steadyMs() + objectsCountedWithinMs };
  const objects = await countObjects(options, bucket, counting);
  const { summary, rules, revision } = await describeBucket(options, parseMarker(upload), objects);
  const isShown = rules !== null && rules.length <= lifecycleRulesShownMax;
  return { type: "view", bucket: summary, rules: isShown ? rules : null, revision };
}

async function describeBucket(
  { vault, keyring }: DescribeOptions,
  marker: BucketMarker,
  objects: ObjectCount | null,
): Promise<{ summary: BucketSummary; rules: LifecycleRule[] | null; revision: string }> {
  const { name, id: bucketId, owner, createdMs } = marker;
  const tags = await readTags(vault, marker);
  const { text, etag } = await findSetting(vault, { bucket: name, name: "lifecycle", bucketId });
  const kept = readKeptRules(text);
  const rules = kept instanceof S3Error ? null : kept.map(copyRule);
  const summary = {
    name,
    owner,
    createdMs,
    objects,
    tags: tags ?? [],
    tagCount: tags?.length ?? null,
    lifecycleRuleCount: rules?.length ?? null,
    encryption: describeKey(marker, keyring),
  };
  return { summary, rules, revision: revisionOf({ text, etag }) };
}

/** Revision of the rules in force. */
export function revisionOf({ text, etag }: Awaited<ReturnType<typeof findSetting>>): string {
  return text === null || etag === null ? "none" : etag;
}

/** Copies a rule to a type that may be modified. */
function copyRule(rule: KeptRule): LifecycleRule {
  return { ...rule, filter: { ...rule.filter, tags: [...rule.filter.tags] } };
}

/** Returns null for tags that this version cannot read. */
async function readTags(
  vault: DescribeOptions["vault"],
  { name: bucket, id: bucketId }: BucketMarker,
): Promise<BucketTag[] | null> {
  const { text } = await findSetting(vault, { bucket, name: "tagging", bucketId });
  try {
    return text === null ? [] : [...parseBucketTags(text)];
  } catch (error) {
    if (error instanceof S3Error) return null;
    throw error;
  }
}

async function countObjects(
  { vault, steadyMs }: DescribeOptions,
  bucket: string,
  { countMax, untilMs }: { readonly countMax: number; readonly untilMs: number },
): Promise<ObjectCount> {
  let count = 0;
  let bytes = 0;
  for (let after = ""; ; ) {
    const page = await vault.list(bucket, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
    count += page.uploads.length;
    for (const upload of page.uploads) bytes += sizeOf(upload);
    if (!page.isTruncated) return { count, bytes, isWhole: true };
    if (count >= countMax || steadyMs() >= untilMs) return { count, bytes, isWhole: false };
    after = page.uploads.at(-1)?.key ?? after;
  }
}

function describeKey(
  { wrappedKey, isEncrypted: isDefault }: BucketMarker,
  keyring: DescribeOptions["keyring"],
): BucketEncryption {
  if (wrappedKey === null) return { isDefault, key: { type: "none" } };
  const destroyedAt = readDestroyedAt(wrappedKey);
  if (destroyedAt !== null) return { isDefault, key: { type: "destroyed", at: destroyedAt } };
  const version = parseWrappedKey(wrappedKey)?.vaultKeyVersion;
  if (version === undefined) return { isDefault, key: { type: "unknown" } };
  const state = keyring.state();
  const keys = state.type === "ready" ? state.keys : [];
  const versionMadeAt = keys.find((each) => each.version === version)?.createdAt ?? null;
  const isNewest = keys.at(-1)?.version === version;
  return { isDefault, key: { type: "wrapped", version, versionMadeAt, isNewest } };
}
