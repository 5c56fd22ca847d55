/**
 * Prepares requests to Azure Blob Storage as bytes: signed with Shared Key, or with a shared access signature in the
 * query.
 */

import { type EndpointCredentials, parseSharedAccessSignature } from "@stashlight/contracts/endpoint";
import { bytesOfUtf8, percentEncode, percentEncodePath } from "@stashlight/s3/client";
import type { RequestBody } from "../../endpoint/driver.ts";
import { splitRequest } from "../../endpoint/request-parts.ts";
import { type EndpointTarget, hostHeader } from "../../endpoint/target.ts";
import type { WireRequest } from "../../wire/connection.ts";
import { signSharedKey } from "./shared-key.ts";

/** Protocol version named by every request. */
const AZURE_API_VERSION = "2024-11-04";

export interface BlobRequest {
  readonly method: WireRequest["method"];
  /** Absent for requests about the container. */
  readonly blob?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly keepsBody?: boolean;
}

/** `nowMs` is milliseconds since 1970; the store's clock must be within 15 minutes of it. */
export function createBlobPreparer(
  target: EndpointTarget,
  { accessKeyId: account, secretAccessKey }: EndpointCredentials,
  nowMs: () => number,
): (request: BlobRequest) => WireRequest {
  const host = hostHeader(target);
  const accountPath = target.addressing === "path" ? `/${account}` : "";
  const containerPath = `${accountPath}/${percentEncodePath(target.bucket)}`;
  const token = parseSharedAccessSignature(secretAccessKey);
  const accountKey = Buffer.from(secretAccessKey, "base64");

  return ({ method, blob, query = {}, headers = {}, body, keepsBody = false }) => {
    const path =
      blob === undefined ? containerPath : `${containerPath}/${percentEncodePath(bytesOfUtf8(blob))}`;
    const toSign: Record<string, string> = {
      ...headers,
      ...(body === undefined ? {} : { "content-length": String(body.bytes.length) }),
      "x-ms-date": new Date(nowMs()).toUTCString(),
      "x-ms-version": AZURE_API_VERSION,
    };
    const authorization =
      token === null
        ? { authorization: signSharedKey({ method, account, path, query, headers: toSign }, accountKey) }
        : {};
    const lines = Object.entries({ host, ...toSign, ...authorization }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const url = `${path}${encodeQuery(query, token)}`;
    const head = Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1");
    return { method, ...splitRequest(head, body?.bytes ?? null), keepsBody };
  };
}

function encodeQuery(query: Readonly<Record<string, string>>, token: string | null): string {
  const parts = Object.entries(query).map(
    ([name, value]) => `${percentEncode(bytesOfUtf8(name))}=${percentEncode(bytesOfUtf8(value))}`,
  );
  if (token !== null) parts.push(token);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}
