/** Checks the names of buckets and objects. */
import { S3Error } from "../errors.ts";

const KEY_BYTES_MAX = 1024;
const RESERVED_PREFIXES = ["xn--", "sthree-", "amzn-s3-demo-"];
const RESERVED_SUFFIXES = ["-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"];

/** S3's rules for general purpose buckets. */
export function isBucketName(name: string): boolean {
  return (
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
    !name.includes("..") &&
    !/^\d+\.\d+\.\d+\.\d+$/.test(name) &&
    !RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix)) &&
    !RESERVED_SUFFIXES.some((suffix) => name.endsWith(suffix))
  );
}

export function checkBucketName(name: string): void {
  if (isBucketName(name)) return;
  throw new S3Error(
    "InvalidBucketName",
    "A bucket name has 3 to 63 lower-case letters, digits, dots and hyphens, and begins and ends with a letter or digit.",
  );
}

export function checkKey(key: string): void {
  const keyBytes = Buffer.byteLength(key, "utf8");
  if (keyBytes > KEY_BYTES_MAX) {
    throw new S3Error("KeyTooLongError", undefined, {
      details: { Size: String(keyBytes), MaxSizeAllowed: String(KEY_BYTES_MAX) },
    });
  }
}
