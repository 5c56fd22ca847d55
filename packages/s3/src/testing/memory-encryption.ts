/** Encryption of the memory store: it records the requested encryption and encrypts nothing. */
import { createHash } from "node:crypto";
import { S3Error } from "../errors.ts";
import { BUCKET_ENCRYPTION } from "../operations/configuration/bucket-encryption.ts";
import type { AppliedEncryption, BodyDigests, CustomerKey, EncryptionRequest } from "../store.ts";
import type { MemoryBucket } from "./memory-objects.ts";

export function applyEncryption({ settings }: MemoryBucket, asked: EncryptionRequest): AppliedEncryption {
  if (asked.kind === "customer") return { kind: "customer", keyMd5: asked.key.md5 };
  const isManaged = asked.kind === "managed" || settings.has(BUCKET_ENCRYPTION.name);
  return { kind: isManaged ? "managed" : "none" };
}

/** Returns null if the ETag is the MD5 of the body. */
export function etagOf({ kind }: AppliedEncryption, { etag }: BodyDigests): string | null {
  return kind === "customer" ? createHash("md5").update(`customer ${etag}`).digest("hex") : null;
}

/** Checks that a part comes with the key of its upload. */
export function checkPartKey(stored: AppliedEncryption, key: CustomerKey | null): void {
  if (stored.kind !== "customer" || stored.keyMd5 === key?.md5) return;
  throw new S3Error("InvalidRequest", "The part needs the key of its upload.");
}

export function checkKey(stored: AppliedEncryption, key: CustomerKey | null): void {
  const isNeeded = stored.kind === "customer";
  if (isNeeded !== (key !== null)) {
    throw new S3Error("InvalidRequest", isNeeded ? "The object needs a key." : "The object needs no key.");
  }
  if (isNeeded && key?.md5 !== stored.keyMd5) throw new S3Error("AccessDenied");
}
