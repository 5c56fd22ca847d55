/**
 * Metadata needed to decrypt an object. The header of an encrypted object also has LARGE_SIZE, because the stored bytes
 * differ from the client's; coordinators of earlier versions therefore look for a list of pieces and fail, instead of
 * sending ciphertext.
 *
 *   :encryption "1 s w KEYID SALT" the vault's keys; KEYID names the bucket's key
 *                 "1 c p VERIFIER SALT"  a key of the client's; w: the body is stored whole, p: in pieces
 *   :sealed user metadata and content headers, encrypted
 */
import { LARGE_SIZE } from "@stashlight/node-runtime/objects";
import { type AppliedEncryption, S3Error } from "@stashlight/s3";

const ENCRYPTION = ":encryption";
const SEALED = ":sealed";

type StoredMetadata = Readonly<Record<string, string>>;

export type EncryptionRecord = {
  readonly layout: "whole" | "pieces";
  /** In base64url. */
  readonly salt: string;
} & (
  | { readonly kind: "managed"; readonly keyId: string }
  | { readonly kind: "customer"; readonly verifier: string }
);

export function packEncryption(record: EncryptionRecord): StoredMetadata {
  const [kind, named] = record.kind === "managed" ? ["s", record.keyId] : ["c", record.verifier];
  const layout = record.layout === "whole" ? "w" : "p";
  return { [ENCRYPTION]: ["1", kind, layout, named, record.salt].join(" ") };
}

/** Returns null for an unencrypted object. Throws an S3Error for the format of a later version. */
export function unpackEncryption(metadata: StoredMetadata): EncryptionRecord | null {
  const text = metadata[ENCRYPTION];
  if (text === undefined) return null;
  const [, kind, layout, named = "", salt = ""] = /^1 ([sc]) ([wp]) (\S+) (\S+)$/.exec(text) ?? [];
  if (kind === undefined) {
    throw new S3Error(
      "NotImplemented",
      "The object is encrypted in a form that a later version of Stashlight writes; update the coordinators.",
    );
  }
  const common = { layout: layout === "w" ? "whole" : "pieces", salt } as const;
  return kind === "s"
    ? { ...common, kind: "managed", keyId: named }
    : { ...common, kind: "customer", verifier: named };
}

/** Reads an object's encryption from its metadata. Throws an S3Error. */
export function describeEncryption(metadata: StoredMetadata): AppliedEncryption {
  const record = unpackEncryption(metadata);
  if (record === null) return { kind: "none" };
  return record.kind === "managed" ? { kind: "managed" } : { kind: "customer", keyMd5: null };
}

export function packSealed(text: string): StoredMetadata {
  return { [SEALED]: text };
}

export function unpackSealed(metadata: StoredMetadata): string | null {
  return metadata[SEALED] ?? null;
}

/** Metadata of a multipart upload that is needed to decrypt the finished object. */
export function encryptionEntries(metadata: StoredMetadata): StoredMetadata {
  const entries = Object.entries(metadata).filter(([name]) => name === ENCRYPTION || name === SEALED);
  return Object.fromEntries(entries);
}

/** True if the stored body is a list of pieces. */
export function isInPieces({ userMetadata }: { readonly userMetadata: StoredMetadata }): boolean {
  return userMetadata[LARGE_SIZE] !== undefined && !/^\d+ . w /.test(userMetadata[ENCRYPTION] ?? "");
}
