/**
 * The key of a bucket as stored in its marker: wrapped by one version of the vault's key with AES-256-GCM.
 *
 *   "1 VERSION ID WRAPPED" WRAPPED is base64url of nonce (12 bytes, random), key (32) and tag (16)
 *   AAD "stashlight bucket key 1" 0 cluster id 0 bucket 0 ID
 */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

const FORMAT = "1";
const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const ID_BYTES = 4;

export interface BucketKey {
  /** 8 hex digits, referenced by the bucket's objects. */
  readonly id: string;
  readonly key: KeyObject;
}

export interface WrappedKey {
  readonly vaultKeyVersion: number;
  readonly id: string;
  readonly wrapped: Buffer;
}

export interface WrapPlace {
  readonly clusterId: string;
  readonly bucket: string;
}

export function newBucketKey(): BucketKey {
  return { id: randomBytes(ID_BYTES).toString("hex"), key: createSecretKey(randomBytes(KEY_BYTES)) };
}

export function wrapBucketKey(
  { id, key }: BucketKey,
  place: WrapPlace,
  vaultKey: { readonly version: number; readonly key: KeyObject },
): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, vaultKey.key, nonce);
  cipher.setAAD(additionalData(id, place));
  const wrapped = [nonce, cipher.update(key.export()), cipher.final(), cipher.getAuthTag()];
  return [FORMAT, vaultKey.version, id, Buffer.concat(wrapped).toString("base64url")].join(" ");
}

/** Returns null for text that is not a wrapped key of this format. */
export function parseWrappedKey(text: string): WrappedKey | null {
  const [, version, id, wrapped] = /^1 (\d{1,9}) ([0-9a-f]{8}) ([A-Za-z0-9_-]{80})$/.exec(text) ?? [];
  if (version === undefined || id === undefined || wrapped === undefined) return null;
  return { vaultKeyVersion: Number(version), id, wrapped: Buffer.from(wrapped, "base64url") };
}

/** Returns null if another key wrapped it, or the text was changed. */
export function unwrapBucketKey(
  { id, wrapped }: WrappedKey,
  place: WrapPlace,
  vaultKey: KeyObject,
): BucketKey | null {
  const decipher = createDecipheriv(ALGORITHM, vaultKey, wrapped.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(additionalData(id, place));
  decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
  const key = decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return null;
  }
  return { id, key: createSecretKey(key) };
}

function additionalData(id: string, { clusterId, bucket }: WrapPlace): Buffer {
  return Buffer.from(["stashlight bucket key 1", clusterId, bucket, id].join("\0"));
}
