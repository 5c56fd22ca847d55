/** Encoding and signing of a request's body, from the header x-amz-content-sha256. */
import { S3Error } from "../errors.ts";

export type PayloadMode =
  /** The SHA-256 of the body is part of the signature. */
  | { readonly kind: "hashed"; readonly sha256Hex: string }
  | { readonly kind: "unsigned" }
  /** The body is framed as aws-chunked: chunks are signed or not, and a trailer may follow the last one. */
  | { readonly kind: "chunked"; readonly isSigned: boolean; readonly hasTrailer: boolean };

const modes: ReadonlyMap<string, PayloadMode> = new Map<string, PayloadMode>([
  ["UNSIGNED-PAYLOAD", { kind: "unsigned" }],
  ["STREAMING-AWS4-HMAC-SHA256-PAYLOAD", { kind: "chunked", isSigned: true, hasTrailer: false }],
  ["STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", { kind: "chunked", isSigned: true, hasTrailer: true }],
  ["STREAMING-UNSIGNED-PAYLOAD-TRAILER", { kind: "chunked", isSigned: false, hasTrailer: true }],
]);

/** `word` is the value of the header or query parameter; a presigned address may omit it. */
export function readPayloadMode(
  word: string | undefined,
  carrier: "header" | "query",
): { readonly mode: PayloadMode; readonly word: string } {
  if (word === undefined) {
    if (carrier === "query") return { mode: { kind: "unsigned" }, word: "UNSIGNED-PAYLOAD" };
    throw new S3Error("InvalidRequest", "The header x-amz-content-sha256 is missing.");
  }
  const mode = modes.get(word) ?? hashedMode(word);
  if (carrier === "query" && mode.kind === "chunked") {
    throw new S3Error("InvalidRequest", "A presigned address cannot be used with a chunked body.");
  }
  return { mode, word };
}

function hashedMode(word: string): PayloadMode {
  if (/^[0-9a-f]{64}$/.test(word)) return { kind: "hashed", sha256Hex: word };
  if (word.startsWith("STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD")) {
    throw new S3Error("NotImplemented", "Signature Version 4A is not implemented.");
  }
  throw new S3Error(
    "InvalidArgument",
    "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING-… word or the hex SHA-256 of the body.",
  );
}
