/**
 * The marker of a bucket: its owner, when it was created, whether its objects are encrypted, and its key, wrapped by
 * the vault's key. A rewritten marker, for example after a rotation of the vault's key, keeps its creation time and
 * gets a new ETag, so that one of two concurrent changes fails its condition.
 */
import { randomBytes } from "node:crypto";
import { type BucketInfo, DEFAULT_OWNER, S3Error } from "@stashlight/s3";
import { parseOrder, type UploadHeader } from "@stashlight/write-path";
import { VaultError } from "../vault/errors.ts";
import type { NewObject } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { BUCKETS } from "./bucket-records.ts";

/** Missing in buckets from before owners existed. */
const BUCKET_OWNER = ":bucket-owner";
/**
 * Distinguishes a bucket from an earlier one with its name. Copies of a marker in other vaults share it, while their
 * times differ. Buckets from before settings existed lack it, which counts as empty.
 */
const BUCKET_ID = ":bucket-id";
const BUCKET_CREATED = ":bucket-created";
const BUCKET_KEY = ":bucket-key";
const BUCKET_ENCRYPTION = ":bucket-encryption";
const ALGORITHM = "AES256";
const NOTHING = new Uint8Array(0);
/** A marker that changes more often than this within a moment indicates a fault. */
const ATTEMPT_COUNT_MAX = 5;

export interface BucketMarker extends BucketInfo {
  readonly id: string;
  /** Null if the bucket has no key yet. */
  readonly wrappedKey: string | null;
  /** True if objects are encrypted by default. */
  readonly isEncrypted: boolean;
}

export function parseMarker(upload: UploadHeader): BucketMarker {
  const { key: name, userMetadata } = upload;
  const created = userMetadata[BUCKET_CREATED];
  return {
    name,
    id: userMetadata[BUCKET_ID] ?? "",
    owner: userMetadata[BUCKET_OWNER] ?? DEFAULT_OWNER,
    createdMs: created === undefined ? parseOrder(upload.order).timeMs : Number(created),
    wrappedKey: userMetadata[BUCKET_KEY] ?? null,
    isEncrypted: userMetadata[BUCKET_ENCRYPTION] === ALGORITHM,
  };
}

export type NewMarker = Omit<BucketMarker, "createdMs"> & { readonly createdMs: number | null };

export function packMarker({ name, id, owner, createdMs, wrappedKey, isEncrypted }: NewMarker): NewObject {
  const metadata: Record<string, string> = { [BUCKET_OWNER]: owner };
  if (id !== "") metadata[BUCKET_ID] = id;
  if (createdMs !== null) metadata[BUCKET_CREATED] = String(createdMs);
  if (wrappedKey !== null) metadata[BUCKET_KEY] = wrappedKey;
  if (isEncrypted) metadata[BUCKET_ENCRYPTION] = ALGORITHM;
  const etag = createdMs === null ? "" : randomBytes(16).toString("hex");
  return { bucket: BUCKETS, key: name, bytes: NOTHING, etag, contentType: "", metadata };
}

export type MarkerChange = Partial<Pick<BucketMarker, "wrappedKey" | "isEncrypted">>;

/**
 * Changes a marker on condition that it is unchanged since it was read. `change` returns null to change nothing.
 * Rejects with NoSuchBucket.
 */
export async function changeMarker(
  vault: Pick<VaultVerbs, "head" | "put">,
  bucket: string,
  change: (marker: BucketMarker) => MarkerChange | null,
  requestId: string | null,
): Promise<BucketMarker> {
  for (let attempt = 1; ; attempt += 1) {
    const upload = await vault.head(BUCKETS, bucket);
    if (upload === null) throw new S3Error("NoSuchBucket");
    const marker = parseMarker(upload);
    const changes = change(marker);
    if (changes === null) return marker;
    const changed = { ...marker, ...changes };
    try {
      await vault.put(
        packMarker(changed),
        { type: "etag", etag: upload.etag },
        { requestId, isPatient: true },
      );
      return changed;
    } catch (error) {
      const hasChanged = error instanceof VaultError && error.code === "precondition";
      if (!hasChanged || attempt === ATTEMPT_COUNT_MAX) throw error;
    }
  }
}
