/** Reads content headers and user metadata from a request, and writes them to an answer. */

import { checksumHeader, type ObjectChecksum } from "../checksum/algorithms.ts";
import { S3Error } from "../errors.ts";
import type { S3Limits } from "../limits.ts";
import { checkHeader, type RequestHeaders } from "../request/headers.ts";
import { bytesOfUtf8 } from "../request/percent.ts";
import type { Query } from "../request/query.ts";
import { CONTENT_HEADERS, type ContentHeader, type ObjectAttributes, type ObjectInfo } from "../store.ts";
import { readTaggingHeader } from "../tags/tags.ts";
import { httpTime, quoteEtag } from "./call.ts";

const METADATA_PREFIX = "x-amz-meta-";
const DEFAULT_CONTENT_TYPE = "binary/octet-stream";

export function readAttributes(headers: RequestHeaders, limits: S3Limits): ObjectAttributes {
  const contentType = headers.get("content-type") || DEFAULT_CONTENT_TYPE;
  const contentHeaders: Partial<Record<ContentHeader, string>> = {};
  for (const name of CONTENT_HEADERS) {
    const value = name === "content-encoding" ? readContentEncoding(headers) : headers.joined(name);
    if (value !== undefined && value !== "") contentHeaders[name] = value;
  }
  const contentBytes = [contentType, ...Object.values(contentHeaders)].join("").length;
  if (contentBytes > limits.contentHeaderBytesMax) {
    throw new S3Error(
      "InvalidRequest",
      `The content headers may have ${limits.contentHeaderBytesMax} bytes at most.`,
    );
  }
  const userMetadata = readUserMetadata(headers, limits);
  return { contentType, contentHeaders, userMetadata, tags: readTaggingHeader(headers) };
}

/** Removes "aws-chunked", which describes how the body was sent; the rest is stored byte for byte. */
function readContentEncoding(headers: RequestHeaders): string | undefined {
  const codings = headers.joined("content-encoding")?.split(",");
  const kept = codings?.filter((coding) => coding.trim().toLowerCase() !== "aws-chunked");
  return kept?.join(",").trim();
}

function readUserMetadata(headers: RequestHeaders, limits: S3Limits): Record<string, string> {
  const metadata: Record<string, string> = Object.create(null);
  let bytes = 0;
  for (const name of headers.names) {
    if (!name.startsWith(METADATA_PREFIX) || name === METADATA_PREFIX) continue;
    const value = headers.joined(name) as string;
    metadata[name.slice(METADATA_PREFIX.length)] = value;
    bytes += name.length - METADATA_PREFIX.length + value.length;
  }
  if (bytes > limits.userMetadataBytesMax) {
    throw new S3Error("MetadataTooLarge", undefined, {
      details: { Size: String(bytes), MaxSizeAllowed: String(limits.userMetadataBytesMax) },
    });
  }
  return metadata;
}

/** Headers that describe an object in the answer to a GET or HEAD. */
export function objectHeaders(info: ObjectInfo): Record<string, string> {
  const { contentType, contentHeaders, userMetadata, tags } = info.attributes;
  const headers: Record<string, string> = {
    ...contentHeaders,
    "content-type": contentType,
    "last-modified": httpTime(info.modifiedMs),
    etag: quoteEtag(info.etag),
    "accept-ranges": "bytes",
  };
  for (const [name, value] of Object.entries(userMetadata)) headers[METADATA_PREFIX + name] = value;
  if (tags.length > 0) headers["x-amz-tagging-count"] = String(tags.length);
  return headers;
}

export function checksumHeaders(checksum: ObjectChecksum | null): Record<string, string> {
  if (checksum === null) return {};
  return { [checksumHeader(checksum.algorithm)]: checksum.value, "x-amz-checksum-type": checksum.type };
}

const OVERRIDES: readonly (readonly [parameter: string, header: string])[] = [
  ["response-content-type", "content-type"],
  ["response-content-language", "content-language"],
  ["response-expires", "expires"],
  ["response-cache-control", "cache-control"],
  ["response-content-disposition", "content-disposition"],
  ["response-content-encoding", "content-encoding"],
];

/** Reads the headers of the answer that the query overrides, such as response-content-type. */
export function overrideHeaders(query: Query): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [parameter, header] of OVERRIDES) {
    const text = query.get(parameter);
    if (text === undefined) continue;
    const value = bytesOfUtf8(text);
    checkHeader(parameter, value);
    headers[header] = value;
  }
  return headers;
}
