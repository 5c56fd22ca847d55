/** GetObjectAttributes: size, ETag, checksum and parts of an object without its content. */
import { checksumElement, type ObjectChecksum } from "../checksum/algorithms.ts";
import { S3Error } from "../errors.ts";
import type { ObjectReader } from "../store.ts";
import { element, optional, type XmlElement, xmlDocument } from "../xml/write.ts";
import { httpTime, type ObjectCall, type S3Reply, xmlReply } from "./call.ts";
import { encryptionHeaders, readKeyOnly } from "./encryption.ts";

const ATTRIBUTES = ["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"] as const;
type Attribute = (typeof ATTRIBUTES)[number];

export async function getObjectAttributes(call: ObjectCall): Promise<S3Reply> {
  const { store, context, headers, bucket, key } = call;
  const asked = readAttributes(headers.joined("x-amz-object-attributes"));
  const page = readPage(call);
  const name = { bucket, key, customerKey: readKeyOnly(headers) };
  // Only a full read returns the parts.
  const reader = asked.has("ObjectParts") ? await store.getObject(context, name) : null;
  const info = reader?.info ?? (await store.headObject(context, name));
  const write: Readonly<Record<Attribute, XmlElement | null>> = {
    ETag: element("ETag", info.etag),
    Checksum: info.checksum && checksumOf(info.checksum),
    ObjectParts: reader && partsOf(reader, page),
    StorageClass: element("StorageClass", "STANDARD"),
    ObjectSize: element("ObjectSize", info.sizeBytes),
  };
  const elements = ATTRIBUTES.filter((attribute) => asked.has(attribute)).map(
    (attribute) => write[attribute],
  );
  return xmlReply(xmlDocument("GetObjectAttributesResponse", ...elements), {
    "last-modified": httpTime(info.modifiedMs),
    ...encryptionHeaders(info.encryption),
  });
}

function readAttributes(text: string | undefined): ReadonlySet<Attribute> {
  const names = (text ?? "").split(",").map((name) => name.trim());
  const known = ATTRIBUTES.filter((attribute) => names.includes(attribute));
  if (known.length > 0 && names.every((name) => known.some((attribute) => attribute === name))) {
    return new Set(known);
  }
  throw new S3Error("InvalidArgument", `x-amz-object-attributes must name some of ${ATTRIBUTES.join(", ")}.`);
}

interface PartsPage {
  readonly partCountMax: number;
  readonly afterPartNumber: number;
}

function readPage({ headers, limits }: ObjectCall): PartsPage {
  const read = (name: string, otherwise: number) => {
    const text = headers.get(name);
    if (text === undefined) return otherwise;
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw new S3Error("InvalidArgument", `${name} must be a number.`);
  };
  const max = limits.listedKeyCountMax;
  return {
    partCountMax: Math.min(max, read("x-amz-max-parts", max)),
    afterPartNumber: read("x-amz-part-number-marker", 0),
  };
}

function checksumOf({ algorithm, value, type }: ObjectChecksum): XmlElement {
  return element("Checksum", element(checksumElement(algorithm), value), element("ChecksumType", type));
}

/** Returns null for an object that was not uploaded in parts. */
function partsOf(
  { info, partSizesBytes: sizesBytes, partChecksums }: ObjectReader,
  { partCountMax, afterPartNumber }: PartsPage,
): XmlElement | null {
  if (sizesBytes === null) return null;
  const end = Math.min(sizesBytes.length, afterPartNumber + partCountMax);
  const parts = sizesBytes.slice(afterPartNumber, end).map((sizeBytes, i) => {
    const checksum = partChecksums?.[afterPartNumber + i];
    return element(
      "Part",
      element("PartNumber", afterPartNumber + i + 1),
      element("Size", sizeBytes),
      info.checksum && optional(checksumElement(info.checksum.algorithm), checksum),
    );
  });
  return element(
    "ObjectParts",
    element("PartsCount", sizesBytes.length),
    element("PartNumberMarker", afterPartNumber),
    element("NextPartNumberMarker", Math.max(afterPartNumber, end)),
    element("MaxParts", partCountMax),
    element("IsTruncated", end < sizesBytes.length),
    parts,
  );
}
