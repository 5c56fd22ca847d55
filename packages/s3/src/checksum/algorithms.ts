/** The checksums that a client may send with a body, and which are stored with the object. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { crc32c } from "@stashlight/checksum";
import { createWasmHash } from "./wasm-hash.ts";

export const CHECKSUM_ALGORITHMS = [
  "CRC32",
  "CRC32C",
  "CRC64NVME",
  "MD5",
  "SHA1",
  "SHA256",
  "SHA512",
  "XXHASH3",
  "XXHASH64",
  "XXHASH128",
] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** Scope of a multipart upload's checksum: over all bytes, or over the checksums of its parts. */
export type ChecksumType = "FULL_OBJECT" | "COMPOSITE";

export interface ObjectChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: ChecksumType;
  /** Base64; a composite checksum ends with "-" and the number of parts. */
  readonly value: string;
}

export interface Hasher {
  update(bytes: Uint8Array): void;
  digest(): Buffer;
}

/** AWS combines only the CRCs of parts; the types of the others follow its table of 2026. */
interface Algorithm {
  readonly digestBytes: number;
  /** Returns a promise for algorithms that are loaded on first use. */
  readonly create: () => Hasher | Promise<Hasher>;
  /** The types a multipart upload may have, the default first. */
  readonly types: readonly [ChecksumType, ...ChecksumType[]];
}

export const checksumAlgorithms: Readonly<Record<ChecksumAlgorithm, Algorithm>> = {
  CRC32: { digestBytes: 4, create: () => createCrc(crc32), types: ["COMPOSITE", "FULL_OBJECT"] },
  CRC32C: { digestBytes: 4, create: () => createCrc(crc32c), types: ["COMPOSITE", "FULL_OBJECT"] },
  CRC64NVME: { digestBytes: 8, create: () => createWasmHash("createCRC64"), types: ["FULL_OBJECT"] },
  MD5: { digestBytes: 16, create: () => createHash("md5"), types: ["COMPOSITE"] },
  SHA1: { digestBytes: 20, create: () => createHash("sha1"), types: ["COMPOSITE"] },
  SHA256: { digestBytes: 32, create: () => createHash("sha256"), types: ["COMPOSITE"] },
  SHA512: { digestBytes: 64, create: () => createHash("sha512"), types: ["COMPOSITE"] },
  XXHASH3: { digestBytes: 8, create: () => createWasmHash("createXXHash3"), types: ["COMPOSITE"] },
  XXHASH64: { digestBytes: 8, create: () => createWasmHash("createXXHash64"), types: ["COMPOSITE"] },
  XXHASH128: { digestBytes: 16, create: () => createWasmHash("createXXHash128"), types: ["COMPOSITE"] },
};

function createCrc(update: (bytes: Uint8Array, previous: number) => number): Hasher {
  let crc = 0;
  return {
    update: (bytes) => {
      crc = update(bytes, crc);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(crc);
      return bytes;
    },
  };
}

/** Returns null for an unknown algorithm. */
export function parseAlgorithm(text: string): ChecksumAlgorithm | null {
  const upper = text.toUpperCase();
  return CHECKSUM_ALGORITHMS.find((algorithm) => algorithm === upper) ?? null;
}

export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** Name of the checksum's XML element, such as ChecksumCRC32. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`;
}

/** True for canonical base64 of exactly the digest's length. */
export function isChecksumValue(algorithm: ChecksumAlgorithm, value: string): boolean {
  const bytes = Buffer.from(value, "base64");
  return bytes.length === checksumAlgorithms[algorithm].digestBytes && bytes.toString("base64") === value;
}

/**
 * True if the header holds the checksum of the body. In a presigned address the parameter means nothing: an SDK that
 * signs an address before it knows the body sends the checksum of an empty one, and AWS does not compare it with the
 * body either.
 */
export function isChecksumOfBody(name: string): boolean {
  return name === "x-amz-sdk-checksum-algorithm" || /^x-amz-checksum-(?!algorithm$|mode$|type$)/.test(name);
}
