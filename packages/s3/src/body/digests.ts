/** The digests of a body as it comes, and at its end the comparison with all that was announced. */
import { createHash } from "node:crypto";
import { type ChecksumAlgorithm, checksumAlgorithms, type Hasher } from "../checksum/algorithms.ts";
import { S3Error } from "../errors.ts";
import type { BodyDigests } from "../store.ts";

export interface ExpectedDigests {
  /** From x-amz-content-sha256. */
  readonly sha256Hex: string | null;
  /** From Content-MD5, hex. */
  readonly md5Hex: string | null;
  /** The checksum to compute, compare where it was announced, and keep. */
  readonly algorithm: ChecksumAlgorithm | null;
}

export interface RunningDigests {
  update(bytes: Uint8Array): void;
  /** `checksum` is the announced value in base64, if any. Throws where something differs. */
  finish(checksum: string | null): BodyDigests;
}

export function createDigests(expected: ExpectedDigests): RunningDigests {
  const md5 = createHash("md5");
  const sha256 = expected.sha256Hex === null ? null : createHash("sha256");
  const { algorithm } = expected;
  const isShared = algorithm === "SHA256" && sha256 !== null;
  const hasher: Hasher | null = algorithm && !isShared ? checksumAlgorithms[algorithm].create() : null;
  return {
    update: (bytes) => {
      md5.update(bytes);
      sha256?.update(bytes);
      hasher?.update(bytes);
    },
    finish: (checksum) => {
      const etag = md5.digest("hex");
      const sha256Bytes = sha256?.digest() ?? null;
      if (sha256Bytes !== null && sha256Bytes.toString("hex") !== expected.sha256Hex) {
        throw new S3Error("XAmzContentSHA256Mismatch");
      }
      if (expected.md5Hex !== null && etag !== expected.md5Hex) {
        throw badDigest("Content-MD5", base64OfHex(expected.md5Hex), base64OfHex(etag));
      }
      if (algorithm === null) return { etag, checksum: null };
      const value = (isShared ? sha256Bytes : hasher?.digest())?.toString("base64") as string;
      if (checksum !== null && value !== checksum) {
        throw badDigest(algorithm, checksum, value);
      }
      return { etag, checksum: { algorithm, type: "FULL_OBJECT", value } };
    },
  };
}

/** `name` is an algorithm, or the header with the digest; both digests are in base64. */
export function badDigest(name: string, expected: string, calculated: string): S3Error {
  return new S3Error("BadDigest", `The ${name} you specified did not match the calculated checksum.`, {
    details: { ExpectedDigest: expected, CalculatedDigest: calculated },
  });
}

function base64OfHex(hex: string): string {
  return Buffer.from(hex, "hex").toString("base64");
}

/** Content-MD5 as hex; null when the header is absent. */
export function parseContentMd5(header: string | undefined): string | null {
  if (header === undefined) return null;
  const bytes = Buffer.from(header, "base64");
  if (bytes.length !== 16 || bytes.toString("base64") !== header.trim()) throw new S3Error("InvalidDigest");
  return bytes.toString("hex");
}
