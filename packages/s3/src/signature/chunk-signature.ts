/** The chain of signatures over a chunked body: each signs its chunk and the signature before it. */
import type { KeyObject } from "node:crypto";
import { S3Error } from "../errors.ts";
import { scopeText, sha256Hex } from "./canonical.ts";
import type { CredentialScope } from "./claim.ts";
import { isSameSignature, sign } from "./signing-key.ts";

export interface ChunkSignatures {
  /** Throws unless `signature` is that of the next chunk. */
  checkChunk(chunk: Uint8Array, signature: string): void;
  /** `canonicalTrailer` has a line `name:value` per trailing header, each ended by a line feed. */
  checkTrailer(canonicalTrailer: string, signature: string): void;
}

export interface SignatureSeed {
  readonly signingKey: KeyObject;
  readonly timestamp: string;
  readonly scope: CredentialScope;
  /** Signature of the request's headers. */
  readonly signature: string;
}

const SHA256_OF_NOTHING = sha256Hex("");

export function createChunkSignatures({
  signingKey,
  timestamp,
  scope,
  signature,
}: SignatureSeed): ChunkSignatures {
  let previous = signature;
  const check = (kind: "PAYLOAD" | "TRAILER", hashes: string, given: string) => {
    const text = `AWS4-HMAC-SHA256-${kind}\n${timestamp}\n${scopeText(scope)}\n${previous}\n${hashes}`;
    const expected = sign(signingKey, text);
    if (!isSameSignature(expected, given)) {
      const part = kind === "PAYLOAD" ? "a chunk of the body" : "the trailer";
      throw new S3Error("SignatureDoesNotMatch", `The signature of ${part} does not match.`, {
        closesConnection: true,
      });
    }
    previous = expected;
  };
  return {
    checkChunk: (chunk, given) => check("PAYLOAD", `${SHA256_OF_NOTHING}\n${sha256Hex(chunk)}`, given),
    checkTrailer: (trailer, given) => check("TRAILER", sha256Hex(trailer), given),
  };
}
