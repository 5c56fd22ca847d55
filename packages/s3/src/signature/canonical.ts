/**
 * The canonical request and string to sign of AWS Signature Version 4, as S3 forms them: the path is encoded once,
 * never twice, and neither dot segments nor doubled slashes are removed. All texts are byte strings.
 */
import { hash } from "node:crypto";
import type { RequestHeaders } from "../request/headers.ts";
import { percentDecode, percentEncode, percentEncodePath } from "../request/percent.ts";
import type { QueryParameter } from "../request/query.ts";
import { ALGORITHM, type CredentialScope } from "./claim.ts";

export interface CanonicalInput {
  readonly method: string;
  readonly path: string;
  readonly query: readonly QueryParameter[];
  readonly headers: RequestHeaders;
  readonly signedHeaders: readonly string[];
  /** Hex SHA-256 of the body, or the placeholder for it. */
  readonly payload: string;
}

export function canonicalRequest(input: CanonicalInput): string {
  const lines = input.signedHeaders.map(
    (name) => `${name}:${canonicalValue(input.headers.joined(name) ?? "")}\n`,
  );
  return [
    input.method,
    input.path,
    canonicalQuery(input.query),
    lines.join(""),
    input.signedHeaders.join(";"),
    input.payload,
  ].join("\n");
}

/** Encodes the query again, sorted by name, then value, without the signature itself. */
export function canonicalQuery(parameters: readonly QueryParameter[]): string {
  return parameters
    .filter((parameter) => parameter.name !== "X-Amz-Signature")
    .map(({ name, value }) => ({ name: percentEncode(name), value: percentEncode(value) }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value))
    .map(({ name, value }) => `${name}=${value}`)
    .join("&");
}

/**
 * Forms of a path that a client may have signed: the bytes as sent, and, if they contain a bare parenthesis or
 * asterisk, the same in S3's own encoding. Both name the same key.
 */
export function canonicalPaths(rawPath: string): readonly string[] {
  const encoded = percentEncodePath(percentDecode(rawPath));
  return encoded === rawPath ? [rawPath] : [rawPath, encoded];
}

/** Trims only spaces and tabs: `trim` would also remove the last byte of an "à". */
function canonicalValue(value: string): string {
  return value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "");
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function scopeText({ date, region, service }: CredentialScope): string {
  return `${date}/${region}/${service}/aws4_request`;
}

export function textToSign(timestamp: string, scope: CredentialScope, request: string): string {
  return `${ALGORITHM}\n${timestamp}\n${scopeText(scope)}\n${sha256Hex(request)}`;
}

export function sha256Hex(bytes: string | Uint8Array): string {
  return hash("sha256", typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes, "hex");
}
