/**
 * The keys of an object. Each is derived from a base key, which is the bucket's or the client's, with the object's name
 * and a random salt:
 *
 *   HMAC-SHA-256(base, "stashlight object key 1" 0 purpose 0 salt 0 bucket 0 key)
 *
 * Stored records never change, so a wrapped key could not be rewrapped without rewriting the object; deriving keys also
 * saves 48 bytes in each copy of the header.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { ObjectName } from "@stashlight/s3";

const SALT_BYTES = 16;
const VERIFIER_BYTES = 16;

/** Input from which the keys of one version of an object are derived. */
export interface KeySource {
  readonly base: KeyObject;
  /** Unique, in base64url. */
  readonly salt: string;
  readonly name: ObjectName;
}

export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString("base64url");
}

/** Key of a body that is stored whole, or of the list of pieces with this id. */
export function deriveBodyKey(source: KeySource, listId = ""): KeyObject {
  return createSecretKey(derive(source, `body ${listId}`));
}

export function deriveMetadataKey(source: KeySource): KeyObject {
  return createSecretKey(derive(source, "metadata"));
}

/** Stored to recognise the SSE-C key; reveals nothing about it. */
export function deriveVerifier(source: KeySource): string {
  return derive(source, "verifier").subarray(0, VERIFIER_BYTES).toString("base64url");
}

/** Authenticates the size of a list of pieces. */
export function deriveSizeMac(
  source: KeySource,
  {
    id,
    sizeBytes,
    pieceBytes,
  }: { readonly id: string; readonly sizeBytes: number; readonly pieceBytes: number },
): string {
  const mac = derive(source, `size ${id} ${sizeBytes} ${pieceBytes}`);
  return mac.subarray(0, VERIFIER_BYTES).toString("base64url");
}

/**
 * Derives an ETag of 32 hex digits that is not the MD5 of the body but changes with it; parts differ from each other.
 */
export function deriveEtag(source: KeySource, md5: string, part = ""): string {
  return derive(source, `etag ${md5} ${part}`).subarray(0, 16).toString("hex");
}

function derive({ base, salt, name: { bucket, key } }: KeySource, purpose: string): Buffer {
  const context = ["stashlight object key 1", purpose, salt, bucket, key].join("\0");
  return createHmac("sha256", base).update(context).digest();
}
