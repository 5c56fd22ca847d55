/** Computes the digests of a body as it arrives, and compares them with the announced ones at its end. */
import { type ChecksumAlgorithm, checksumAlgorithms, type Hasher } from "../checksum/algorithms.ts";
import { S3Error } from "../errors.ts";
import type { BodyDigests } from "../store.ts";
import type { BodyHash } from "./hash/body-hash.ts";

export interface ExpectedDigests {
  /** From x-amz-content-sha256. */
  readonly sha256Hex: string | null;
  /** From Content-MD5, hex. */
  readonly md5Hex: string | null;
  /** The checksum to compute, to compare if one was announced, and to store. */
  readonly algorithm: ChecksumAlgorithm | null;
}

/** Ends with one call of `finish` or `abandon`. */
export interface RunningDigests {
  update(bytes: Uint8Array): void;
  /** Rejects on a mismatch. `checksum` is the announced value in base64, if any. */
  finish(checksum: string | null): Promise<BodyDigests>;
  abandon(): void;
}

/** Calls `onHashed` with the time that hashing took, once it is done. */
export async function createDigests(
  expected: ExpectedDigests,
  hash: BodyHash,
  onHashed: (durationMs: number) => void = () => {},
): Promise<RunningDigests> {
  const { algorithm, sha256Hex, md5Hex } = expected;
  const isShared = algorithm === "MD5" || (algorithm === "SHA256" && sha256Hex !== null);
  const hasher: Hasher | null = algorithm && !isShared ? await checksumAlgorithms[algorithm].create() : null;
  let checksumMs = 0;
  const update = (bytes: Uint8Array): void => {
    hash.update(bytes);
    if (hasher === null) return;
    const startedMs = performance.now();
    hasher.update(bytes);
    checksumMs += performance.now() - startedMs;
  };
  const finish = async (checksum: string | null): Promise<BodyDigests> => {
    const { md5, sha256, busyMs } = await hash.digest();
    onHashed(busyMs + checksumMs);
    const etag = hexOf(md5);
    if (sha256 !== null && hexOf(sha256) !== sha256Hex) throw new S3Error("XAmzContentSHA256Mismatch");
    if (md5Hex !== null && etag !== md5Hex) {
      throw badDigest("Content-MD5", base64OfHex(md5Hex), base64OfHex(etag));
    }
    if (algorithm === null) return { etag, checksum: null };
    const digest = algorithm === "MD5" ? md5 : isShared ? sha256 : hasher?.digest();
    const value = Buffer.from(digest as Uint8Array).toString("base64");
    if (checksum !== null && value !== checksum) throw badDigest(algorithm, checksum, value);
    return { etag, checksum: { algorithm, type: "FULL_OBJECT", value } };
  };
  return { update, finish, abandon: () => hash.abandon() };
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

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
