/** Stores buckets as objects in a bucket whose name clients cannot use. */
import { randomUUID } from "node:crypto";
import { BUCKET_ENCRYPTION, type BucketStore, S3Error } from "@stashlight/s3";
import type { BucketKeys } from "../encryption/bucket-keys.ts";
import { type BucketMarker, changeMarker, packMarker, parseMarker } from "../records/bucket-marker.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { createBucketSettings } from "./bucket-settings.ts";

const PAGE_KEY_COUNT = 1000;
/**
 * Time for which a coordinator caches a bucket's marker, which another may remove meanwhile. A CreateBucket is answered
 * only after this time, when no coordinator can still cache a previous owner of the name.
 */
const BELIEF_MS = 2000;
const BELIEF_COUNT_MAX = 10_000;

export interface Buckets extends BucketStore {
  /** Rejects with NoSuchBucket. */
  check(bucket: string): Promise<void>;
  /** Rejects with NoSuchBucket. May be two seconds old unless `isFresh`. */
  findMarker(bucket: string, how: { readonly isFresh: boolean }): Promise<BucketMarker>;
}

export interface BucketsOptions {
  readonly vault: Pick<VaultVerbs, "get" | "head" | "list" | "put" | "delete">;
  readonly keys: BucketKeys;
  /** If true, a bucket stays encrypted when its configuration is removed. */
  readonly encryptsNewBuckets: boolean;
  /** Number of coordinators that serve the vault, including this one. */
  readonly countCoordinators: () => number;
  readonly nowMs: () => number;
  readonly wait: (durationMs: number) => Promise<unknown>;
  /** Random by default. */
  readonly newBucketId?: () => string;
}

interface Belief {
  readonly marker: BucketMarker;
  readonly untilMs: number;
}

export function createBuckets(options: BucketsOptions): Buckets {
  const { vault, keys, countCoordinators, nowMs, wait, newBucketId = randomUUID } = options;
  const beliefs = new Map<string, Belief>();

  const find = async (bucket: string): Promise<BucketMarker> => {
    const askedMs = nowMs();
    const upload = await vault.head(BUCKETS, bucket);
    beliefs.delete(bucket);
    if (upload === null) throw new S3Error("NoSuchBucket");
    const marker = parseMarker(upload);
    beliefs.set(bucket, { marker, untilMs: askedMs + BELIEF_MS });
    if (beliefs.size > BELIEF_COUNT_MAX) beliefs.delete(beliefs.keys().next().value as string);
    return marker;
  };
  const markerOf = async (bucket: string): Promise<BucketMarker> => {
    const belief = beliefs.get(bucket);
    return belief !== undefined && belief.untilMs > nowMs() ? belief.marker : await find(bucket);
  };

  const findBucketId = async (bucket: string) => (await find(bucket)).id;
  const settings = createBucketSettings({ vault, findBucketId });
  const encryption = encryptionSetting(options, find, (bucket) => beliefs.delete(bucket));

  return {
    readBucketSetting: (context, name) =>
      (name.name === BUCKET_ENCRYPTION.name ? encryption : settings).readBucketSetting(context, name),
    writeBucketSetting: (context, written) =>
      (written.name === BUCKET_ENCRYPTION.name ? encryption : settings).writeBucketSetting(context, written),
    check: async (bucket) => void (await markerOf(bucket)),
    findMarker: (bucket, { isFresh }) => (isFresh ? find(bucket) : markerOf(bucket)),
    ownerOfBucket: async (_context, { bucket }) => (await markerOf(bucket)).owner,
    listBuckets: async () => {
      const buckets: BucketMarker[] = [];
      for (let after = ""; ; after = buckets.at(-1)?.name ?? "") {
        const page = await vault.list(BUCKETS, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
        buckets.push(...page.uploads.map(parseMarker));
        if (!page.isTruncated) return buckets;
      }
    },
    createBucket: async ({ principal, requestId }, { bucket }) => {
      const { owner } = principal.accessKey;
      try {
        const key = await keys.forNewBucket(bucket);
        const marker = packMarker({ name: bucket, id: newBucketId(), owner, createdMs: null, ...key });
        await vault.put(marker, { type: "absent" }, { requestId });
      } catch (error) {
        // An existing bucket needs no key, so a vault without its key still answers that the bucket exists.
        const mayExist =
          error instanceof S3Error || (error instanceof VaultError && error.code === "precondition");
        if (mayExist) await refuseExisting(vault, bucket, owner);
        throw error;
      }
      beliefs.delete(bucket);
      if (countCoordinators() > 1) await wait(BELIEF_MS);
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

/** Rejects with BucketAlreadyOwnedByYou or BucketAlreadyExists if the bucket exists. */
async function refuseExisting(vault: BucketsOptions["vault"], bucket: string, owner: string): Promise<void> {
  const upload = await vault.head(BUCKETS, bucket);
  if (upload === null) return;
  const isOwn = parseMarker(upload).owner === owner;
  throw new S3Error(isOwn ? "BucketAlreadyOwnedByYou" : "BucketAlreadyExists");
}

/**
 * Default encryption is in the bucket's marker, which every write of an object reads anyway, and not among the
 * settings.
 */
function encryptionSetting(
  { vault, keys, encryptsNewBuckets }: BucketsOptions,
  find: (bucket: string) => Promise<BucketMarker>,
  forget: (bucket: string) => void,
): Pick<BucketStore, "readBucketSetting" | "writeBucketSetting"> {
  return {
    readBucketSetting: async (_context, { bucket }) =>
      (await find(bucket)).isEncrypted ? BUCKET_ENCRYPTION.document : null,
    writeBucketSetting: async ({ requestId }, { bucket, text }) => {
      // A bucket without a configuration has the encryption of new buckets, as on AWS.
      const isEncrypted = text !== null || encryptsNewBuckets;
      if (isEncrypted) {
        const marker = await find(bucket);
        const isSo = marker.isEncrypted && marker.wrappedKey !== null;
        // A vault without its key confirms a setting that is already in force.
        if (!isSo) await keys.encryptByDefault(bucket, requestId);
      } else {
        const change = (marker: BucketMarker) => (marker.isEncrypted ? { isEncrypted } : null);
        await changeMarker(vault, bucket, change, requestId);
      }
      forget(bucket);
    },
  };
}
