/** ListObjects, versions 1 and 2, and ListObjectVersions. */
import { S3Error } from "../errors.ts";
import { bytesOfUtf8, percentEncodePath } from "../request/percent.ts";
import { getInteger, type Query } from "../request/query.ts";
import type { ListedObject } from "../store.ts";
import { element, escapeXml, optional, type XmlElement, xmlDocument } from "../xml/write.ts";
import { type BucketCall, isoTime, quoteEtag, type S3Reply, type ServiceCall, xmlReply } from "./call.ts";
import { formatToken, type ListedItem, listPage, parseToken } from "./listing.ts";

interface ListQuery {
  readonly prefix: string;
  readonly delimiter: string;
  readonly itemCountMax: number;
  readonly encoding: NameEncoding;
}

/** Encoding of names: none, or percent-encoding for characters that XML 1.0 cannot represent. */
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
      ...items.map((item) =>
        itemElement(item, wish.encoding, { name: "Contents", owner: ownerElement("Owner", call) }),
      ),
    ),
  );
}

export async function listObjectsV2(call: BucketCall): Promise<S3Reply> {
  const { query } = call;
  const wish = readListQuery(call);
  const startAfter = query.get("start-after");
  const token = query.get("continuation-token");
  const after = token === undefined ? (startAfter ?? "") : parseToken(token);
  if (after === null) throw new S3Error("InvalidArgument", "The continuation token provided is incorrect.");
  const { items, nextAfter } = await listPage(call, { ...wish, after });
  const { encode } = wish.encoding;
  const owner = query.get("fetch-owner") === "true" ? ownerElement("Owner", call) : null;
  return xmlReply(
    xmlDocument(
      "ListBucketResult",
      ...heading(call.bucket, wish, nextAfter !== null),
      element("KeyCount", items.length),
      optional("StartAfter", startAfter === undefined ? null : encode(startAfter)),
      optional("ContinuationToken", token),
      optional("NextContinuationToken", nextAfter === null ? null : formatToken(nextAfter)),
      ...items.map((item) => itemElement(item, wish.encoding, { name: "Contents", owner })),
    ),
  );
}

/** Answers as S3 does for a bucket that never had versioning: every object has one version with the id "null". */
export async function listObjectVersions(call: BucketCall): Promise<S3Reply> {
  const { query, bucket } = call;
  const wish = readListQuery(call);
  const keyMarker = query.get("key-marker") ?? "";
  const versionIdMarker = query.get("version-id-marker");
  checkVersionIdMarker(versionIdMarker, keyMarker);
  const { items, nextAfter } = await listPage(call, { ...wish, after: keyMarker });
  const { encode } = wish.encoding;
  const isAfterObject = nextAfter !== null && items.at(-1)?.kind === "object";
  return xmlReply(
    xmlDocument(
      "ListVersionsResult",
      ...heading(bucket, wish, nextAfter !== null),
      element("KeyMarker", encode(keyMarker)),
      element("VersionIdMarker", versionIdMarker ?? ""),
      optional("NextKeyMarker", nextAfter === null ? null : encode(nextAfter)),
      optional("NextVersionIdMarker", isAfterObject ? NULL_VERSION : null),
      ...items.map((item) =>
        itemElement(item, wish.encoding, { name: "Version", owner: ownerElement("Owner", call) }),
      ),
    ),
  );
}

const NULL_VERSION = "null";

function checkVersionIdMarker(versionIdMarker: string | undefined, keyMarker: string): void {
  // Clients send an empty marker after a page that ended with a common prefix.
  if (versionIdMarker === undefined || versionIdMarker === "") return;
  if (keyMarker === "") {
    throw new S3Error("InvalidArgument", "A version-id-marker requires a key-marker.");
  }
  if (versionIdMarker === NULL_VERSION) return;
  throw new S3Error("InvalidArgument", `The only version-id-marker of this bucket is "${NULL_VERSION}".`);
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

interface ObjectForm {
  readonly name: "Contents" | "Version";
  readonly owner: XmlElement | null;
}

function itemElement(item: ListedItem, { encode }: NameEncoding, form: ObjectForm): XmlElement {
  if (item.kind === "prefix") return element("CommonPrefixes", element("Prefix", encode(item.prefix)));
  return objectElement(item.object, encode, form);
}

function objectElement(
  object: ListedObject,
  encode: (name: string) => string,
  { name, owner }: ObjectForm,
): XmlElement {
  const { key, modifiedMs, etag, checksum, sizeBytes } = object;
  const ofChecksum =
    checksum === null
      ? ""
      : element("ChecksumAlgorithm", checksum.algorithm).xml + element("ChecksumType", checksum.type).xml;
  const ofVersion =
    name === "Version" ? `<VersionId>${NULL_VERSION}</VersionId><IsLatest>true</IsLatest>` : "";
  // A page has a thousand entries, so the elements are not built one by one.
  return {
    xml:
      `<${name}><Key>${escapeXml(encode(key))}</Key>${ofVersion}<LastModified>${isoTime(modifiedMs)}</LastModified>` +
      `<ETag>${escapeXml(quoteEtag(etag))}</ETag>${ofChecksum}<Size>${sizeBytes}</Size>` +
      `${owner?.xml ?? ""}<StorageClass>STANDARD</StorageClass></${name}>`,
  };
}

/** Only the owner sees a bucket, so the caller is the owner of everything listed. */
export function ownerElement(name: "Owner" | "Initiator", { context }: ServiceCall): XmlElement {
  const { owner } = context.principal.accessKey;
  return element(name, element("ID", owner), element("DisplayName", owner));
}
