/** Signs requests and bodies as clients do, for tests that must be wrong in one exact place. */
import { createHash } from "node:crypto";
import type { SignatureSeed } from "../signature/chunk-signature.ts";
import { sign } from "../signature/signing-key.ts";

export { type RequestToSign, type SignedHeaders, signHeaders, signUrl } from "../client/sign.ts";

/** Encodes a body in signed chunks; `trailer` is a line without its line break, signed too. */
export function encodeSignedChunks(
  { signingKey, timestamp, scope, signature }: SignatureSeed,
  chunks: readonly Buffer[],
  trailer: string | null = null,
): Buffer {
  const scopeText = `${scope.date}/${scope.region}/${scope.service}/aws4_request`;
  const hash = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
  let previous = signature;
  const pieces: Buffer[] = [];
  for (const chunk of [...chunks, Buffer.alloc(0)]) {
    const text = `AWS4-HMAC-SHA256-PAYLOAD\n${timestamp}\n${scopeText}\n${previous}\n${hash("")}\n${hash(chunk)}`;
    previous = sign(signingKey, text);
    pieces.push(Buffer.from(`${chunk.length.toString(16)};chunk-signature=${previous}\r\n`), chunk);
    if (chunk.length > 0) pieces.push(Buffer.from("\r\n"));
  }
  if (trailer !== null) {
    const text = `AWS4-HMAC-SHA256-TRAILER\n${timestamp}\n${scopeText}\n${previous}\n${hash(`${trailer}\n`)}`;
    pieces.push(Buffer.from(`${trailer}\r\nx-amz-trailer-signature:${sign(signingKey, text)}\r\n`));
  }
  pieces.push(Buffer.from("\r\n"));
  return Buffer.concat(pieces);
}

export function encodeUnsignedChunks(chunks: readonly Buffer[], trailer: string): Buffer {
  const pieces = chunks.map((chunk) =>
    Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]),
  );
  return Buffer.concat([...pieces, Buffer.from(`0\r\n${trailer}\r\n\r\n`)]);
}
