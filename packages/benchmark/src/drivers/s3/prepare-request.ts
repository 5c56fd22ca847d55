/** Prepares requests as bytes, signed and hashed, so that all this work is done before the clock starts. */
import { createHash } from "node:crypto";
import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import {
  bytesOfUtf8,
  createSigningKeys,
  percentEncode,
  percentEncodePath,
  signHeaders,
  timestampOf,
} from "@stashlight/s3/client";
import type { RequestBody } from "../../endpoint/driver.ts";
import { splitRequest } from "../../endpoint/request-parts.ts";
import { type EndpointTarget, hostHeader } from "../../endpoint/target.ts";
import type { WireRequest } from "../../wire/connection.ts";

export interface RequestToPrepare {
  readonly method: WireRequest["method"];
  /** Absent for requests about the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** Keeps the body of a successful response as well; that of an error is always kept. */
  readonly keepsBody?: boolean;
}

export type PrepareRequest = (request: RequestToPrepare) => WireRequest;

const SHA256_OF_NOTHING = createHash("sha256").update("").digest("hex");

/** `nowMs` is milliseconds since 1970; the store's clock must be within 15 minutes of it. */
export function createPreparer(
  target: EndpointTarget,
  credentials: EndpointCredentials,
  nowMs: () => number,
): PrepareRequest {
  const host = hostHeader(target);
  const bucketPath = target.addressing === "path" ? `/${percentEncodePath(target.bucket)}` : "";
  const key = { id: credentials.accessKeyId, secret: credentials.secretAccessKey };
  const signingKeys = createSigningKeys();
  const { region, payloadSigning, putHeaders } = target;

  return ({ method, key: objectKey, query = {}, headers = {}, body, keepsBody = false }) => {
    const object = objectKey === undefined ? "" : `/${percentEncodePath(bytesOfUtf8(objectKey))}`;
    const path = `${bucketPath}${object}` || "/";
    const url = `${path}${encodeQuery(query)}`;
    const toSign: Record<string, string> = {
      ...headers,
      ...(method === "PUT" && objectKey !== undefined ? putHeaders : {}),
      host,
      "x-amz-date": timestampOf(nowMs()),
      "x-amz-content-sha256": payloadWord(body, payloadSigning),
    };
    const timestamp = toSign["x-amz-date"] as string;
    const signed = signHeaders({ method, url, headers: toSign, key, region, timestamp }, signingKeys).headers;
    const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`);
    if (body !== undefined) lines.push(`content-length: ${body.bytes.length}`);
    const head = Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1");
    return { method, ...splitRequest(head, body?.bytes ?? null), keepsBody };
  };
}

function payloadWord(body: RequestBody | undefined, signing: EndpointTarget["payloadSigning"]): string {
  if (body === undefined) return SHA256_OF_NOTHING;
  return signing === "signed" ? body.sha256Hex : "UNSIGNED-PAYLOAD";
}

function encodeQuery(query: Readonly<Record<string, string>>): string {
  const parts = Object.entries(query).map(
    ([name, value]) => `${percentEncode(bytesOfUtf8(name))}=${percentEncode(bytesOfUtf8(value))}`,
  );
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}
