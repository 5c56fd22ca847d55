/** Signs requests with AWS Signature Version 4, over the same canonical form that the edge checks. */
import type { KeyObject } from "node:crypto";
import { createRequestHeaders } from "../request/headers.ts";
import { parseQuery } from "../request/query.ts";
import { canonicalRequest, textToSign } from "../signature/canonical.ts";
import type { SignatureSeed } from "../signature/chunk-signature.ts";
import { ALGORITHM, type CredentialScope } from "../signature/claim.ts";
import { deriveSigningKey, type SigningKeys, sign } from "../signature/signing-key.ts";

export interface SigningAccessKey {
  readonly id: string;
  readonly secret: string;
}

export interface RequestToSign {
  readonly method: string;
  /** Path and query as they go over the wire. */
  readonly url: string;
  /** Includes host and, except for presigned addresses, x-amz-date and x-amz-content-sha256. */
  readonly headers: Readonly<Record<string, string>>;
  readonly key: SigningAccessKey;
  /** Defaults to us-east-1. */
  readonly region?: string;
  /** YYYYMMDDTHHMMSSZ */
  readonly timestamp: string;
}

export interface SignedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Seed of the signatures of the chunks. */
  readonly seed: SignatureSeed;
}

const deriveAnew: SigningKeys = (_id, secret, scope) => deriveSigningKey(secret, scope);

/**
 * Signs all given headers and returns them together with Authorization. `signingKeys` may cache keys, which are valid
 * for a day.
 */
export function signHeaders(request: RequestToSign, signingKeys: SigningKeys = deriveAnew): SignedHeaders {
  const { key, headers, timestamp } = request;
  const scope = scopeOf(request);
  const names = Object.keys(headers).sort();
  const payload = headers["x-amz-content-sha256"] ?? "";
  const { signature, signingKey } = signatureOf(request, names, payload, signingKeys);
  const credential = `${key.id}/${scope.date}/${scope.region}/s3/aws4_request`;
  const authorization = `${ALGORITHM} Credential=${credential},SignedHeaders=${names.join(";")},Signature=${signature}`;
  return { headers: { ...headers, authorization }, seed: { signingKey, timestamp, scope, signature } };
}

/** Returns the address with the parameters of its signature. */
export function signUrl(request: RequestToSign, expiresSeconds: number): string {
  const { url, key, headers, timestamp } = request;
  const { date, region } = scopeOf(request);
  const names = Object.keys(headers).sort();
  const credential = encodeURIComponent(`${key.id}/${date}/${region}/s3/aws4_request`);
  const unsigned =
    `${url}${url.includes("?") ? "&" : "?"}X-Amz-Algorithm=${ALGORITHM}&X-Amz-Credential=${credential}` +
    `&X-Amz-Date=${timestamp}&X-Amz-Expires=${expiresSeconds}&X-Amz-SignedHeaders=${names.join("%3B")}`;
  const presigned = { ...request, url: unsigned };
  const { signature } = signatureOf(presigned, names, "UNSIGNED-PAYLOAD", deriveAnew);
  return `${unsigned}&X-Amz-Signature=${signature}`;
}

/** Formats the time of a request as YYYYMMDDTHHMMSSZ. */
export function timestampOf(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

function scopeOf({ timestamp, region = "us-east-1" }: RequestToSign): CredentialScope {
  return { date: timestamp.slice(0, 8), region, service: "s3" };
}

function signatureOf(
  request: RequestToSign,
  signedHeaders: readonly string[],
  payload: string,
  signingKeys: SigningKeys,
): { signature: string; signingKey: KeyObject } {
  const { method, url, headers, key, timestamp } = request;
  const [path = "", query = ""] = url.split("?", 2);
  const scope = scopeOf(request);
  const canonical = canonicalRequest({
    method,
    path,
    query: parseQuery(query).parameters,
    headers: createRequestHeaders(Object.entries(headers).flat()),
    signedHeaders,
    payload,
  });
  const signingKey = signingKeys(key.id, key.secret, scope);
  return { signature: sign(signingKey, textToSign(timestamp, scope, canonical)), signingKey };
}
