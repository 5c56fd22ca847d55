/** The chain of signatures over a chunked body: each signs its chunk and the signature before it. */
import type { KeyObject } from "node:crypto";
import { S3Error } from "../errors.ts";
import { scopeText, sha256Hex } from "./canonical.ts";
import type { CredentialScope } from "./claim.ts";
import { isSameSignature, sign } from "./signing-key.ts";

export interface ChunkSignatures {
  /** Throws unless `signature` is that of the next chunk. */
  checkChunk(chunk: Uint8Array, signature: string): void;
  /**
   * Takes `signature` for that of the next chunk, whose bytes are not all here yet. Returns a function that throws
   * unless it is, given their SHA-256.
   */
  checkLater(signature: string): (sha256Hex: string) => void;
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
  const check = (kind: "PAYLOAD" | "TRAILER", before: string, hashes: string, given: string) => {
    const text = `AWS4-HMAC-SHA256-${kind}\n${timestamp}\n${scopeText(scope)}\n${before}\n${hashes}`;
    if (!isSameSignature(sign(signingKey, text), given)) {
      const part = kind === "PAYLOAD" ? "a chunk of the body" : "the trailer";
      throw new S3Error("SignatureDoesNotMatch", `The signature of ${part} does not match.`, {
        closesConnection: true,
      });
    }
  };
  const checkLater = (given: string) => {
    const before = previous;
    previous = given;
    return (chunkSha256Hex: string) =>
      check("PAYLOAD", before, `${SHA256_OF_NOTHING}\n${chunkSha256Hex}`, given);
  };
  return {
    checkLater,
    checkChunk: (chunk, given) => checkLater(given)(sha256Hex(chunk)),
    checkTrailer: (trailer, given) => check("TRAILER", previous, sha256Hex(trailer), given),
  };
}
