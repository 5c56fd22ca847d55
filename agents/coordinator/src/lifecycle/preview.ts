/** `POST /lifecycle/preview`: shows which objects and multipart uploads unsaved rules would delete now. */
import { AdminError } from "@stashlight/node-runtime";
import { type LifecyclePreview, lifecyclePreviewSchema } from "@stashlight/node-runtime/durability";
import { sizeOf } from "@stashlight/node-runtime/objects";
import { S3Error } from "@stashlight/s3";
import { expiringPrefix, type LifecycleRule, parseLifecycleRules } from "@stashlight/s3/lifecycle";
import { type BucketMarker, parseMarker } from "../records/bucket-marker.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import { findSetting } from "../store/bucket-settings.ts";
import { modifiedMsOf } from "../store/metadata.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { dueExpiration } from "./pass.ts";
import { addTo, type DueCount, type DueQuestion, NOTHING, type Tally } from "./preview-tally.ts";
import { countAborted } from "./preview-uploads.ts";

export interface PreviewOptions {
  readonly vault: Pick<VaultVerbs, "head" | "get" | "list">;
  readonly wallMs: () => number;
  readonly steadyMs: () => number;
}

const PAGE_KEY_COUNT = 1000;
/** Deadline, because an operator waits for the answer. */
const WITHIN_MS = 60_000;

/** Rejects with an AdminError. */
export async function previewLifecycle(options: PreviewOptions, body: unknown): Promise<LifecyclePreview> {
  const parsed = lifecyclePreviewSchema.safeParse(body);
  if (!parsed.success) {
    throw new AdminError(
      400,
      'The body is {"bucket": ..., "document": the XML of the rules, or null for those in force}.',
    );
  }
  try {
    return await preview(options, parsed.data);
  } catch (error) {
    if (error instanceof S3Error) throw new AdminError(400, `${error.code}: ${error.message}`);
    if (error instanceof VaultError) throw new AdminError(503, error.message);
    throw error;
  }
}

async function preview(
  options: PreviewOptions,
  { bucket, document }: { readonly bucket: string; readonly document: string | null },
): Promise<LifecyclePreview> {
  const { vault } = options;
  const marker = bucket.startsWith(".") ? null : await vault.head(BUCKETS, bucket);
  if (marker === null) throw new AdminError(404, `There is no bucket ${bucket}.`);
  const text = document ?? (await readRules(vault, parseMarker(marker)));
  const rules = text === null ? [] : parseLifecycleRules(text);
  return await countExpiring(options, { bucket, rules, withinMs: WITHIN_MS });
}

/** Counts what each rule would delete now. Rejects with a VaultError. */
export async function countExpiring(
  options: PreviewOptions,
  { bucket, rules, withinMs }: CountQuestion,
): Promise<LifecyclePreview> {
  const timeMs = options.wallMs();
  const startMs = options.steadyMs();
  const question = { bucket, rules, timeMs };
  // Uploads are few, so objects get the remaining time.
  const uploads = await countAborted(options, { ...question, untilMs: startMs + withinMs / 2 });
  const objects = await countObjects(options, { ...question, untilMs: startMs + withinMs });
  return {
    rules: rules.map(({ id, isEnabled }) => ({
      id,
      isEnabled,
      objects: objects.tallies.get(id) ?? NOTHING,
      uploads: uploads.tallies.get(id) ?? NOTHING,
    })),
    seenCount: objects.seenCount,
    isWhole: objects.isWhole,
    areAllUploadsSeen: uploads.isWhole,
  };
}

export interface CountQuestion {
  readonly bucket: string;
  readonly rules: readonly LifecycleRule[];
  readonly withinMs: number;
}

async function countObjects(
  { vault, steadyMs }: PreviewOptions,
  { bucket, rules, timeMs, untilMs }: DueQuestion,
): Promise<DueCount & { readonly seenCount: number }> {
  const tallies = new Map<string, Tally>();
  const prefix = expiringPrefix(rules);
  let seenCount = 0;
  let isTruncated = prefix !== null;
  for (let after = ""; isTruncated && steadyMs() < untilMs; ) {
    const page = await vault.list(bucket, { prefix: prefix ?? "", after, keyCountMax: PAGE_KEY_COUNT });
    for (const upload of page.uploads) {
      const ruleId = dueExpiration(rules, upload, timeMs)?.ruleId;
      if (ruleId === undefined) continue;
      const found = { bytes: sizeOf(upload), atMs: modifiedMsOf(upload) };
      tallies.set(ruleId, addTo(tallies.get(ruleId) ?? NOTHING, found));
    }
    seenCount += page.uploads.length;
    ({ isTruncated } = page);
    after = page.uploads.at(-1)?.key ?? after;
  }
  return { tallies, seenCount, isWhole: !isTruncated };
}

async function readRules(
  vault: PreviewOptions["vault"],
  { name: bucket, id: bucketId }: BucketMarker,
): Promise<string | null> {
  return (await findSetting(vault, { bucket, name: "lifecycle", bucketId })).text;
}
