/** Headers of server-side encryption, in requests and in the answers that confirm them. */
import { createHash, timingSafeEqual } from "node:crypto";
import { S3Error } from "../errors.ts";
import { NO_KEY_SERVICE } from "../refusals.ts";
import type { RequestHeaders } from "../request/headers.ts";
import type { AppliedEncryption, CustomerKey, EncryptionRequest } from "../store.ts";

const MANAGED = "x-amz-server-side-encryption";
const CUSTOMER = "x-amz-server-side-encryption-customer-";
const ALGORITHM = "AES256";
const KEY_BYTES = 32;
const MD5_BYTES = 16;

/** Reads the encryption that a write requests. */
export function readEncryptionRequest(headers: RequestHeaders): EncryptionRequest {
  const managed = headers.get(MANAGED);
  const customerKey = readCustomerKey(headers);
  if (customerKey !== null && managed !== undefined) {
    throw new S3Error(
      "InvalidArgument",
      "Server-side encryption is either by the vault's keys or by the client's, not by both.",
    );
  }
  if (customerKey !== null) return { kind: "customer", key: customerKey };
  if (managed === undefined) return { kind: "default" };
  checkAlgorithm(managed);
  return { kind: "managed" };
}

/** Rejects every algorithm but AES256; for those of a key service it explains why. */
export function checkAlgorithm(algorithm: string): void {
  if (algorithm === ALGORITHM) return;
  if (algorithm.startsWith("aws:")) throw new S3Error("NotImplemented", NO_KEY_SERVICE);
  throw new S3Error("InvalidArgument", `The encryption method "${algorithm}" is not supported; use AES256.`);
}

/** Reads the SSE-C key of the object, or with the prefix that of a copy's source. Null if the request has none. */
export function readCustomerKey(
  headers: RequestHeaders,
  prefix: "" | "copy-source-" = "",
): CustomerKey | null {
  const start = prefix === "" ? CUSTOMER : CUSTOMER.replace("x-amz-", `x-amz-${prefix}`);
  const algorithm = headers.get(`${start}algorithm`);
  const key = headers.get(`${start}key`);
  const md5 = headers.get(`${start}key-md5`);
  if (algorithm === undefined && key === undefined && md5 === undefined) return null;
  if (algorithm === undefined) throw lacking("provide a valid encryption algorithm", `${start}algorithm`);
  if (algorithm !== ALGORITHM) throw new S3Error("InvalidEncryptionAlgorithmError");
  if (key === undefined) throw lacking("provide an appropriate secret key", `${start}key`);
  if (md5 === undefined)
    throw lacking("provide the client calculated MD5 of the secret key", `${start}key-md5`);
  const bytes = decode(key, KEY_BYTES);
  if (bytes === null)
    throw new S3Error("InvalidArgument", "The secret key is not the base64 form of 32 bytes.");
  const digest = decode(md5, MD5_BYTES);
  if (digest === null || !timingSafeEqual(digest, createHash("md5").update(bytes).digest())) {
    throw new S3Error(
      "InvalidArgument",
      "The calculated MD5 hash of the key did not match the hash that was provided.",
    );
  }
  return { bytes, md5: digest.toString("base64") };
}

/**
 * Reads the SSE-C key of a request that cannot choose an encryption, because its object or upload already has one.
 */
export function readKeyOnly(headers: RequestHeaders): CustomerKey | null {
  if (headers.get(MANAGED) !== undefined) {
    throw new S3Error("InvalidArgument", `The header ${MANAGED} is not supported by this operation.`);
  }
  return readCustomerKey(headers);
}

function lacking(what: string, header: string): S3Error {
  return new S3Error(
    "InvalidArgument",
    `A request with a key for server-side encryption must ${what}; it lacks the header ${header}.`,
  );
}

function decode(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === length && bytes.toString("base64") === text ? bytes : null;
}

/** Headers that confirm a request for encryption, which the store fulfils or refuses; none if it leaves the choice open. */
export function requestedEncryptionHeaders(request: EncryptionRequest): Record<string, string> {
  if (request.kind === "default") return {};
  if (request.kind === "managed") return encryptionHeaders({ kind: "managed" });
  return encryptionHeaders({ kind: "customer", keyMd5: request.key.md5 });
}

/** Headers that confirm how an object is encrypted. */
export function encryptionHeaders(applied: AppliedEncryption): Record<string, string> {
  if (applied.kind === "none") return {};
  if (applied.kind === "managed") return { [MANAGED]: ALGORITHM };
  if (applied.keyMd5 === null) return {};
  return { [`${CUSTOMER}algorithm`]: ALGORITHM, [`${CUSTOMER}key-md5`]: applied.keyMd5 };
}
