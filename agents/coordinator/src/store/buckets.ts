/** Buckets are objects of a bucket whose name no client can say. */
import { randomUUID } from "node:crypto";
import { type BucketInfo, type BucketStore, DEFAULT_OWNER, S3Error } from "@stashlight/s3";
import type { UploadHeader } from "@stashlight/write-path";
import { BUCKETS } from "../records/bucket-records.ts";
import { VaultError } from "../vault/errors.ts";
import type { NewObject } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { createBucketSettings } from "./bucket-settings.ts";
import { type Metadata, modifiedMsOf } from "./metadata.ts";

const NOTHING = new Uint8Array(0);
const PAGE_KEY_COUNT = 1000;
/**
 * How long this coordinator caches the marker of a bucket, which another coordinator may have removed meanwhile. A
 * CreateBucket is answered only after this time, when no coordinator can still cache an earlier owner of the name.
 */
const BELIEF_MS = 2000;
const BELIEF_COUNT_MAX = 10_000;
/** Metadata of a bucket's marker; a bucket without it is older than owners are. */
const BUCKET_OWNER = ":bucket-owner";
/**
 * Metadata of a marker that tells a bucket from an earlier one of its name. Copies of a marker in other vaults have it
 * too, while their times differ. It is missing in buckets that are older than settings, so it is empty for all of them.
 */
const BUCKET_ID = ":bucket-id";

export interface Buckets extends BucketStore {
  /** Rejects with NoSuchBucket. */
  check(bucket: string): Promise<void>;
}

export interface BucketsOptions {
  readonly vault: Pick<VaultVerbs, "get" | "head" | "list" | "put" | "delete">;
  /** How many coordinators serve the vault, this one included. */
  readonly coordinatorCount: number;
  readonly nowMs: () => number;
  readonly wait: (durationMs: number) => Promise<unknown>;
  /** Drawn at random by default. */
  readonly newBucketId?: () => string;
}

interface Belief {
  readonly owner: string;
  readonly untilMs: number;
}

export function createBuckets({
  vault,
  coordinatorCount,
  nowMs,
  wait,
  newBucketId = randomUUID,
}: BucketsOptions): Buckets {
  const beliefs = new Map<string, Belief>();

  const findMarker = async (bucket: string): Promise<UploadHeader> => {
    const askedMs = nowMs();
    const upload = await vault.head(BUCKETS, bucket);
    beliefs.delete(bucket);
    if (upload === null) throw new S3Error("NoSuchBucket");
    beliefs.set(bucket, { owner: infoOf(upload).owner, untilMs: askedMs + BELIEF_MS });
    if (beliefs.size > BELIEF_COUNT_MAX) beliefs.delete(beliefs.keys().next().value as string);
    return upload;
  };
  const find = async (bucket: string): Promise<BucketInfo> => infoOf(await findMarker(bucket));
  const ownerOf = async (bucket: string): Promise<string> => {
    const belief = beliefs.get(bucket);
    return belief !== undefined && belief.untilMs > nowMs() ? belief.owner : (await find(bucket)).owner;
  };

  const findBucketId = async (bucket: string) => (await findMarker(bucket)).userMetadata[BUCKET_ID] ?? "";
  const settings = createBucketSettings({ vault, findBucketId });
  const { readBucketSetting, writeBucketSetting } = settings;

  return {
    readBucketSetting,
    writeBucketSetting,
    check: async (bucket) => void (await ownerOf(bucket)),
    ownerOfBucket: (_context, { bucket }) => ownerOf(bucket),
    listBuckets: async () => {
      const buckets: BucketInfo[] = [];
      for (let after = ""; ; after = buckets.at(-1)?.name ?? "") {
        const page = await vault.list(BUCKETS, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
        buckets.push(...page.uploads.map(infoOf));
        if (!page.isTruncated) return buckets;
      }
    },
    createBucket: async ({ principal, requestId }, { bucket }) => {
      const { owner } = principal.accessKey;
      try {
        const metadata = { [BUCKET_OWNER]: owner, [BUCKET_ID]: newBucketId() };
        await vault.put(markerOf(bucket, metadata), { type: "absent" }, { requestId });
      } catch (error) {
        if (!(error instanceof VaultError) || error.code !== "precondition") throw error;
        const existing = await find(bucket);
        throw new S3Error(existing.owner === owner ? "BucketAlreadyOwnedByYou" : "BucketAlreadyExists");
      }
      beliefs.delete(bucket);
      if (coordinatorCount > 1) await wait(BELIEF_MS);
    },
    headBucket: (_context, { bucket }) => find(bucket),
    deleteBucket: async (_context, { bucket }) => {
      await find(bucket);
      const { uploads } = await vault.list(bucket, { prefix: "", after: "", keyCountMax: 1 });
      if (uploads.length > 0) throw new S3Error("BucketNotEmpty");
      await settings.removeAll(bucket);
      await vault.delete(BUCKETS, bucket);
      beliefs.delete(bucket);
    },
  };
}

function markerOf(bucket: string, metadata: Metadata): NewObject {
  return { bucket: BUCKETS, key: bucket, bytes: NOTHING, etag: "", contentType: "", metadata };
}

function infoOf(upload: UploadHeader): BucketInfo {
  const owner = upload.userMetadata[BUCKET_OWNER] ?? DEFAULT_OWNER;
  return { name: upload.key, createdMs: modifiedMsOf(upload), owner };
}
