/** Tags of objects and buckets within AWS's limits: read from XML and from the header x-amz-tagging, and written as XML. */
import { S3Error } from "../errors.ts";
import type { RequestHeaders } from "../request/headers.ts";
import { utf8OfBytes } from "../request/percent.ts";
import { parseQuery, type QueryParameter } from "../request/query.ts";
import type { Tag } from "../store.ts";
import { readXml, type XmlReader } from "../xml/request-xml.ts";
import { element, xmlDocument } from "../xml/write.ts";

export const TAGGING_ROOT = "Tagging";
/** Lengths in UTF-16 units, as AWS counts them. */
const KEY_LENGTH_MAX = 128;
const VALUE_LENGTH_MAX = 256;
const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const RESERVED = /^aws:/i;

interface TagLimit {
  readonly countMax: number;
  readonly tooMany: string;
}

export const OBJECT_TAGS: TagLimit = { countMax: 10, tooMany: "Object tags cannot be greater than 10" };
export const BUCKET_TAGS: TagLimit = { countMax: 50, tooMany: "Bucket tag count cannot be greater than 50" };

/** Reads the tags of a bucket from the document that a client wrote. */
export function parseBucketTags(text: string): readonly Tag[] {
  return readTagging(readXml(text, TAGGING_ROOT), BUCKET_TAGS);
}

export function readTagging(body: XmlReader, limit: TagLimit): readonly Tag[] {
  const [set, ...others] = body.children("TagSet");
  const isWhole = set !== undefined && others.length === 0 && body.names.every((name) => name === "TagSet");
  if (!isWhole || !set.names.every((name) => name === "Tag")) {
    throw new S3Error("MalformedXML", "Tagging must have one TagSet, which holds tags only.");
  }
  const tags = set.children("Tag").map(readTag);
  checkTags(tags, limit);
  if (new Set(tags.map(({ key }) => key)).size < tags.length) {
    throw new S3Error("InvalidTag", "Cannot provide multiple Tags with the same key");
  }
  return tags;
}

/** Reads an element that must hold one Key and one Value, and nothing else. */
export function readTag(tag: XmlReader): Tag {
  const key = tag.text("Key");
  const value = tag.text("Value");
  if (key === undefined || value === undefined || tag.names.length !== 2) {
    throw new S3Error("MalformedXML", "A tag must have one Key and one Value.");
  }
  return { key, value };
}

/** Reads the tags of x-amz-tagging, which is encoded like a query. An empty header has no tags. */
export function readTaggingHeader(headers: RequestHeaders): readonly Tag[] {
  const raw = headers.get("x-amz-tagging") ?? "";
  if (raw === "") return [];
  const tags = parsePairs(raw).map(({ name, value }) => ({
    key: decodeUtf8(name),
    value: decodeUtf8(value),
  }));
  checkTags(tags, OBJECT_TAGS);
  if (new Set(tags.map(({ key }) => key)).size < tags.length) throw badHeader();
  return tags;
}

function parsePairs(raw: string): readonly QueryParameter[] {
  try {
    return parseQuery(raw).parameters;
  } catch (error) {
    throw badHeader(error);
  }
}

function decodeUtf8(bytes: string): string {
  const text = utf8OfBytes(bytes);
  if (text === null) throw badHeader();
  return text;
}

function badHeader(cause?: unknown): S3Error {
  return new S3Error(
    "InvalidArgument",
    "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
    { cause, details: { ArgumentName: "x-amz-tagging" } },
  );
}

function checkTags(tags: readonly Tag[], { countMax, tooMany }: TagLimit): void {
  if (tags.length > countMax) throw new S3Error("BadRequest", tooMany);
  for (const tag of tags) checkTag(tag);
}

export function checkTag({ key, value }: Tag): void {
  if (key === "" || key.length > KEY_LENGTH_MAX || !ALLOWED.test(key)) {
    throw new S3Error("InvalidTag", "The TagKey you have provided is invalid");
  }
  if (RESERVED.test(key)) throw new S3Error("InvalidTag", "Your TagKey cannot be prefixed with aws:");
  if (value.length > VALUE_LENGTH_MAX || !ALLOWED.test(value)) {
    throw new S3Error("InvalidTag", "The TagValue you have provided is invalid");
  }
}

export function writeTagging(tags: readonly Tag[]): string {
  return xmlDocument(
    TAGGING_ROOT,
    element(
      "TagSet",
      tags.map(({ key, value }) => element("Tag", element("Key", key), element("Value", value))),
    ),
  );
}
