/** ListObjects, versions 1 and 2. */
import { S3Error } from "../errors.ts";
import { bytesOfUtf8, percentEncodePath } from "../request/percent.ts";
import { getInteger, type Query } from "../request/query.ts";
import type { ListedObject } from "../store.ts";
import { element, escapeXml, optional, type XmlElement, xmlDocument } from "../xml/write.ts";
import { type BucketCall, isoTime, OWNER_ID, quoteEtag, type S3Reply, xmlReply } from "./call.ts";
import { formatToken, type ListedItem, listPage, parseToken } from "./listing.ts";

interface ListQuery {
  readonly prefix: string;
  readonly delimiter: string;
  readonly itemCountMax: number;
  readonly encoding: NameEncoding;
}

/** How names are written: as they are, or percent-encoded, because XML 1.0 has no way to say some characters. */
export interface NameEncoding {
  readonly encode: (name: string) => string;
  readonly element: XmlElement | null;
}

export async function listObjectsV1(call: BucketCall): Promise<S3Reply> {
  const wish = readListQuery(call);
  const marker = call.query.get("marker") ?? "";
  const { items, nextAfter } = await listPage(call, { ...wish, after: marker });
  const { encode } = wish.encoding;
  return xmlReply(
    xmlDocument(
      "ListBucketResult",
      ...heading(call.bucket, wish, nextAfter !== null),
      element("Marker", encode(marker)),
      optional("NextMarker", nextAfter === null ? null : encode(nextAfter)),
      ...items.map((item) => itemElement(item, wish.encoding, true)),
    ),
  );
}

export async function listObjectsV2(call: BucketCall): Promise<S3Reply> {
  const { query } = call;
  const wish = readListQuery(call);
  const startAfter = query.get("start-after");
  const token = query.get("continuation-token");
  const after = token === undefined ? (startAfter ?? "") : parseToken(token);
  if (after === null) throw new S3Error("InvalidArgument", "The continuation token is not valid.");
  const { items, nextAfter } = await listPage(call, { ...wish, after });
  const { encode } = wish.encoding;
  const withOwner = query.get("fetch-owner") === "true";
  return xmlReply(
    xmlDocument(
      "ListBucketResult",
      ...heading(call.bucket, wish, nextAfter !== null),
      element("KeyCount", items.length),
      optional("StartAfter", startAfter === undefined ? null : encode(startAfter)),
      optional("ContinuationToken", token),
      optional("NextContinuationToken", nextAfter === null ? null : formatToken(nextAfter)),
      ...items.map((item) => itemElement(item, wish.encoding, withOwner)),
    ),
  );
}

function readListQuery({ query, limits }: BucketCall): ListQuery {
  const { listedKeyCountMax: max } = limits;
  return {
    prefix: query.get("prefix") ?? "",
    delimiter: query.get("delimiter") ?? "",
    itemCountMax: getInteger(query, "max-keys", { min: 0, max, otherwise: max }),
    encoding: readNameEncoding(query),
  };
}

const NEEDS_NO_ENCODING = /^[A-Za-z0-9\-._~/]*$/;

export function readNameEncoding(query: Query): NameEncoding {
  const type = query.get("encoding-type");
  if (type === undefined) return { encode: (name) => name, element: null };
  if (type !== "url") throw new S3Error("InvalidArgument", "encoding-type must be url.");
  return {
    encode: (name) => (NEEDS_NO_ENCODING.test(name) ? name : percentEncodePath(bytesOfUtf8(name))),
    element: element("EncodingType", "url"),
  };
}

function heading(bucket: string, wish: ListQuery, isTruncated: boolean): readonly (XmlElement | null)[] {
  const { encode } = wish.encoding;
  return [
    element("Name", bucket),
    element("Prefix", encode(wish.prefix)),
    wish.delimiter === "" ? null : element("Delimiter", encode(wish.delimiter)),
    element("MaxKeys", wish.itemCountMax),
    wish.encoding.element,
    element("IsTruncated", isTruncated),
  ];
}

function itemElement(item: ListedItem, { encode }: NameEncoding, withOwner: boolean): XmlElement {
  if (item.kind === "prefix") return element("CommonPrefixes", element("Prefix", encode(item.prefix)));
  return objectElement(item.object, encode, withOwner);
}

function objectElement(
  object: ListedObject,
  encode: (name: string) => string,
  withOwner: boolean,
): XmlElement {
  const { key, modifiedMs, etag, checksum, sizeBytes } = object;
  const ofChecksum =
    checksum === null
      ? ""
      : element("ChecksumAlgorithm", checksum.algorithm).xml + element("ChecksumType", checksum.type).xml;
  // A page has a thousand of these, so its elements are not put together one by one.
  return {
    xml:
      `<Contents><Key>${escapeXml(encode(key))}</Key><LastModified>${isoTime(modifiedMs)}</LastModified>` +
      `<ETag>${escapeXml(quoteEtag(etag))}</ETag>${ofChecksum}<Size>${sizeBytes}</Size>` +
      `${withOwner ? ownerElement("Owner").xml : ""}<StorageClass>STANDARD</StorageClass></Contents>`,
  };
}

export function ownerElement(name: "Owner" | "Initiator"): XmlElement {
  return element(name, element("ID", OWNER_ID), element("DisplayName", OWNER_ID));
}
