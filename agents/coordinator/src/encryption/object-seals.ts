/** Finds the keys of objects to write or read, and checks the keys that clients send. */
import { createSecretKey, timingSafeEqual } from "node:crypto";
import { type CustomerKey, type EncryptionRequest, type ObjectName, S3Error } from "@stashlight/s3";
import type { BucketMarker } from "../records/bucket-marker.ts";
import { type EncryptionRecord, unpackEncryption } from "../records/encryption-record.ts";
import type { BucketKeys } from "./bucket-keys.ts";
import { deriveVerifier, type KeySource, newSalt } from "./object-keys.ts";
import { ObjectSeal } from "./object-seal.ts";
import type { BucketKey } from "./wrapped-key.ts";

export interface ObjectSealsOptions {
  readonly keys: BucketKeys;
  /** Rejects with NoSuchBucket. The answer may be a few seconds old unless `isFresh`. */
  readonly findMarker: (bucket: string, how: { readonly isFresh: boolean }) => Promise<BucketMarker>;
}

export class ObjectSeals {
  readonly #options: ObjectSealsOptions;

  constructor(options: ObjectSealsOptions) {
    this.#options = options;
  }

  /** Returns null for an object that is stored unencrypted. Rejects with an S3Error. */
  async create(name: ObjectName, asked: EncryptionRequest, requestId: string): Promise<ObjectSeal | null> {
    const { keys, findMarker } = this.#options;
    const salt = newSalt();
    if (asked.kind === "customer") {
      const source = sourceOf(asked.key, name, salt);
      const record = { kind: "customer", layout: "whole", salt, verifier: deriveVerifier(source) } as const;
      return new ObjectSeal(source, record, { kind: "customer", keyMd5: asked.key.md5 });
    }
    const marker = await findMarker(name.bucket, { isFresh: false });
    if (asked.kind === "default" && !marker.isEncrypted) return null;
    const { id: keyId, key } = await keys.provide(marker, requestId);
    const record = { kind: "managed", layout: "whole", salt, keyId } as const;
    return new ObjectSeal({ base: key, salt, name }, record, { kind: "managed" });
  }

  /** Returns null for an unencrypted object. Rejects with an S3Error if the key is wrong. */
  async open(
    name: ObjectName,
    metadata: Readonly<Record<string, string>>,
    customerKey: CustomerKey | null,
  ): Promise<ObjectSeal | null> {
    const record = unpackEncryption(metadata);
    if (record?.kind === "customer") return openByCustomer(name, record, customerKey);
    if (customerKey !== null) {
      throw new S3Error("InvalidRequest", "The encryption parameters are not applicable to this object.");
    }
    if (record === null) return null;
    const { key } = await this.#bucketKey(name.bucket, record.keyId);
    return new ObjectSeal({ base: key, salt: record.salt, name }, record, { kind: "managed" });
  }

  /** Rejects with NoSuchUpload if the bucket's key changed, because an upload does not outlive it. */
  async checkUpload({ bucket }: ObjectName, metadata: Readonly<Record<string, string>>): Promise<void> {
    const record = unpackEncryption(metadata);
    if (record?.kind !== "managed") return;
    const marker = await this.#options.findMarker(bucket, { isFresh: true });
    if (this.#options.keys.unwrap(marker).id !== record.keyId) throw new S3Error("NoSuchUpload");
  }

  async #bucketKey(bucket: string, keyId: string): Promise<BucketKey> {
    const { keys, findMarker } = this.#options;
    for (const isFresh of [false, true]) {
      const marker = await findMarker(bucket, { isFresh });
      if (marker.wrappedKey === null && !isFresh) continue;
      const found = keys.unwrap(marker);
      if (found.id === keyId) return found;
    }
    throw new S3Error(
      "ObjectUnreadable",
      "The object is encrypted by the key of an earlier bucket of this name, which was deleted.",
    );
  }
}

function sourceOf(key: CustomerKey, name: ObjectName, salt: string): KeySource {
  return { base: createSecretKey(key.bytes), salt, name };
}

function openByCustomer(
  name: ObjectName,
  record: Extract<EncryptionRecord, { kind: "customer" }>,
  customerKey: CustomerKey | null,
): ObjectSeal {
  if (customerKey === null) {
    throw new S3Error(
      "InvalidRequest",
      "The object was stored using a form of server-side encryption. The correct parameters must be provided to retrieve the object.",
    );
  }
  const source = sourceOf(customerKey, name, record.salt);
  const [expected, found] = [record.verifier, deriveVerifier(source)].map((text) => Buffer.from(text));
  if (expected?.length !== found?.length || !timingSafeEqual(expected as Buffer, found as Buffer)) {
    throw new S3Error("AccessDenied", "The key is not the one with which the object was stored.");
  }
  return new ObjectSeal(source, record, { kind: "customer", keyMd5: customerKey.md5 });
}
