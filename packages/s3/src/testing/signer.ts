/** Signs requests as a client does, for tests that must go wrong in one exact place. */
import { createHash } from "node:crypto";
import { createRequestHeaders } from "../request/headers.ts";
import { parseQuery } from "../request/query.ts";
import { canonicalRequest, textToSign } from "../signature/canonical.ts";
import type { SignatureSeed } from "../signature/chunk-signature.ts";
import type { CredentialScope } from "../signature/claim.ts";
import { deriveSigningKey, sign } from "../signature/signing-key.ts";

export interface RequestToSign {
  readonly method: string;
  /** Path and query as they go over the wire. */
  readonly url: string;
  /** With host and, but for presigned addresses, x-amz-date and x-amz-content-sha256. */
  readonly headers: Readonly<Record<string, string>>;
  readonly key: { readonly id: string; readonly secret: string };
  readonly region?: string;
  readonly timestamp: string;
}

export interface SignedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly seed: SignatureSeed;
}

function scopeOf({ timestamp, region = "us-east-1" }: RequestToSign): CredentialScope {
  return { date: timestamp.slice(0, 8), region, service: "s3" };
}

/** All headers given are signed; the result has Authorization beside them. */
export function signHeaders(request: RequestToSign): SignedHeaders {
  const { key, headers, timestamp } = request;
  const scope = scopeOf(request);
  const names = Object.keys(headers).sort();
  const payload = headers["x-amz-content-sha256"] ?? "";
  const { signature, signingKey } = signatureOf(request, names, payload);
  const credential = `${key.id}/${scope.date}/${scope.region}/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names.join(";")},Signature=${signature}`;
  return { headers: { ...headers, authorization }, seed: { signingKey, timestamp, scope, signature } };
}

/** The address with the parameters of its signature. */
export function signUrl(request: RequestToSign, expiresSeconds: number): string {
  const { url, key, headers, timestamp } = request;
  const { date, region } = scopeOf(request);
  const names = Object.keys(headers).sort();
  const credential = encodeURIComponent(`${key.id}/${date}/${region}/s3/aws4_request`);
  const unsigned =
    `${url}${url.includes("?") ? "&" : "?"}X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${credential}` +
    `&X-Amz-Date=${timestamp}&X-Amz-Expires=${expiresSeconds}&X-Amz-SignedHeaders=${names.join("%3B")}`;
  const { signature } = signatureOf({ ...request, url: unsigned }, names, "UNSIGNED-PAYLOAD");
  return `${unsigned}&X-Amz-Signature=${signature}`;
}

function signatureOf(
  request: RequestToSign,
  signedHeaders: readonly string[],
  payload: string,
): { signature: string; signingKey: Buffer } {
  const { method, url, headers, key, timestamp } = request;
  const [path = "", query = ""] = url.split("?", 2);
  const canonical = canonicalRequest({
    method,
    path,
    query: parseQuery(query).parameters,
    headers: createRequestHeaders(Object.entries(headers).flat()),
    signedHeaders,
    payload,
  });
  const signingKey = deriveSigningKey(key.secret, scopeOf(request));
  return { signature: sign(signingKey, textToSign(timestamp, scopeOf(request), canonical)), signingKey };
}

/** A body in signed chunks; `trailer` is a line without its end, signed too. */
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
