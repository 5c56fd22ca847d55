/**
 * Target of a request: bucket, key and query. The path is read byte by byte, because dot segments and doubled slashes
 * are part of a key; the URL class would remove them.
 */
import { S3Error } from "../errors.ts";
import { bucketOfHost, type EndpointNames } from "./host.ts";
import { checkBucketName, checkKey } from "./names.ts";
import { percentDecode, utf8OfBytes } from "./percent.ts";
import { parseQuery, type Query } from "./query.ts";

export interface RequestTarget {
  /** The path exactly as it was sent. */
  readonly rawPath: string;
  readonly query: Query;
  /** Null for operations on the service itself (ListBuckets). */
  readonly bucket: string | null;
  readonly key: string | null;
}

/**
 * Below a base domain, the bucket is the labels in front of it ("photos" in photos.s3.example.org); for any other host,
 * and for a name of the endpoint itself, it is the first segment of the path.
 */
export function parseTarget(url: string, host: string | undefined, names: EndpointNames): RequestTarget {
  const local = withoutOrigin(url, host);
  if (!local.startsWith("/") || local.includes("#")) {
    throw new S3Error("InvalidURI", "The address of the request must be a path that begins with a slash.");
  }
  const question = local.indexOf("?");
  const rawPath = question === -1 ? local : local.slice(0, question);
  const query = parseQuery(question === -1 ? "" : local.slice(question + 1));
  const path = utf8OfBytes(percentDecode(rawPath));
  if (path === null) throw new S3Error("InvalidURI", "The path of the request is not UTF-8.");
  const { bucket, key } = splitPath(path, bucketOfHost(host, names));
  if (bucket !== null) checkBucketName(bucket);
  if (key !== null) checkKey(key);
  return { rawPath, query, bucket, key };
}

/** Captures the authority, and the path with the query. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Accepts the absolute form ("http://host/path"), which clients send to proxies and which RFC 9112, 3.2.2 asks of every
 * server. Its host must be that of the Host header, because the client signed that one.
 */
function withoutOrigin(url: string, host: string | undefined): string {
  const [, authority, local = ""] = ABSOLUTE.exec(url) ?? [];
  if (authority === undefined) return url;
  if (authority.toLowerCase() !== host?.toLowerCase()) {
    throw new S3Error("InvalidURI", "The host in the address of the request differs from its Host header.");
  }
  return local.startsWith("/") ? local : `/${local}`;
}

function splitPath(path: string, hostBucket: string | null): { bucket: string | null; key: string | null } {
  if (hostBucket !== null) return { bucket: hostBucket, key: emptyToNull(path.slice(1)) };
  const slash = path.indexOf("/", 1);
  if (slash === -1) return { bucket: emptyToNull(path.slice(1)), key: null };
  const bucket = path.slice(1, slash);
  return { bucket, key: emptyToNull(path.slice(slash + 1)) };
}

function emptyToNull(text: string): string | null {
  return text === "" ? null : text;
}
