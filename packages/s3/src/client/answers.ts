/** Reads the answers of an S3 endpoint. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { percentDecode, utf8OfBytes } from "../request/percent.ts";
import { readXml, type XmlReader } from "../xml/request-xml.ts";
import { bytesOf } from "./connection.ts";
import { S3ClientError } from "./errors.ts";

export interface ObjectHead {
  readonly sizeBytes: number;
  /** ETag without quotes. */
  readonly etag: string;
  readonly modifiedMs: number;
  readonly contentType: string | null;
  readonly userMetadata: Readonly<Record<string, string>>;
}

export interface ListedKey {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
}

export interface ListPage {
  readonly objects: readonly ListedKey[];
  /** Token that requests the next page; null on the last one. */
  readonly nextToken: string | null;
}

const META_PREFIX = "x-amz-meta-";

/** Reads an error answer to its end; its body is a document, or empty after HEAD. */
export async function errorOf(incoming: IncomingMessage): Promise<S3ClientError> {
  const status = incoming.statusCode ?? 0;
  const text = (await bytesOf(incoming)).toString("utf8");
  const xml = text === "" ? null : tryReadXml(text, "Error");
  const code = xml?.text("Code") ?? CODE_OF_STATUS[status] ?? `Http${status}`;
  const requestId = xml?.text("RequestId") ?? singleHeader(incoming.headers, "x-amz-request-id");
  const message = xml?.text("Message") ?? `The S3 endpoint answered with status ${status}.`;
  const { headers } = incoming;
  return new S3ClientError("answered", message, {
    code,
    status,
    headers,
    ...(requestId ? { requestId } : {}),
  });
}

/** Codes for answers to HEAD, which have no body that could name the code. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  403: "AccessDenied",
  404: "NotFound",
  412: "PreconditionFailed",
  503: "SlowDown",
};

function tryReadXml(text: string, root: string): XmlReader | null {
  try {
    return readXml(text, root);
  } catch {
    return null;
  }
}

export function headOf({ headers }: IncomingMessage): ObjectHead {
  const userMetadata: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(META_PREFIX) || typeof value !== "string") continue;
    userMetadata[name.slice(META_PREFIX.length)] = utf8OfBytes(value) ?? value;
  }
  return {
    sizeBytes: Number(headers["content-length"] ?? 0),
    etag: etagOf(headers),
    modifiedMs: Date.parse(headers["last-modified"] ?? ""),
    contentType: headers["content-type"] ?? null,
    userMetadata,
  };
}

export function etagOf(headers: IncomingHttpHeaders): string {
  return unquote(headers.etag ?? "");
}

export function singleHeader(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

export function readBucketNames(text: string): string[] {
  const xml = tryReadXml(text, "ListAllMyBucketsResult");
  if (xml === null) throw malformed("is not a list of buckets");
  const buckets = xml.children("Buckets").flatMap((list) => list.children("Bucket"));
  return buckets.map((bucket) => need(bucket, "Name"));
}

/** Reads the answer to a ListObjectsV2 request with URL-encoded names. */
export function readListPage(text: string): ListPage {
  const xml = tryReadXml(text, "ListBucketResult");
  if (xml === null) throw malformed("is not a list of objects");
  const objects = xml.children("Contents").map((entry) => ({
    key: decodeName(need(entry, "Key")),
    sizeBytes: Number(need(entry, "Size")),
    etag: unquote(need(entry, "ETag")),
    modifiedMs: Date.parse(need(entry, "LastModified")),
  }));
  const isTruncated = xml.text("IsTruncated") === "true";
  return { objects, nextToken: isTruncated ? need(xml, "NextContinuationToken") : null };
}

function need(xml: XmlReader, name: string): string {
  const text = xml.text(name);
  if (text === undefined) throw malformed(`has no ${name}`);
  return text;
}

function decodeName(name: string): string {
  // Some servers write a space as a plus sign, as forms do; a plus sign itself is always encoded.
  const text = utf8OfBytes(percentDecode(name.replaceAll("+", " ")));
  if (text === null) throw malformed("has a key that is not UTF-8");
  return text;
}

function unquote(etag: string): string {
  return etag.replace(/^"|"$/g, "");
}

function malformed(what: string): S3ClientError {
  return new S3ClientError("malformed", `The answer of the S3 endpoint ${what}.`, {
    code: "MalformedAnswer",
  });
}
