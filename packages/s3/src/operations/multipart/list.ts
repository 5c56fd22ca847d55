/** ListParts and ListMultipartUploads. */

import { checksumElement } from "../../checksum/algorithms.ts";
import { getInteger } from "../../request/query.ts";
import type { MultipartUpload, StoredPart } from "../../store.ts";
import { element, optional, type XmlElement, xmlDocument } from "../../xml/write.ts";
import { type BucketCall, isoTime, type ObjectCall, quoteEtag, type S3Reply, xmlReply } from "../call.ts";
import { abortHeaders, lookUpRules } from "../lifecycle-headers.ts";
import { ownerElement, readNameEncoding } from "../list-objects.ts";
import { uploadNameOf } from "./upload.ts";
import { listUploadsPage, type UploadsWish } from "./uploads-page.ts";

export async function listParts(call: ObjectCall): Promise<S3Reply> {
  const { store, context, query, limits } = call;
  const name = uploadNameOf(call);
  const max = limits.listedKeyCountMax;
  const partCountMax = getInteger(query, "max-parts", { min: 1, max, otherwise: max });
  const marker = { min: 0, max: limits.partCountMax, otherwise: 0 };
  const afterPartNumber = getInteger(query, "part-number-marker", marker);
  const rules = lookUpRules(call);
  const upload = await store.findMultipartUpload(context, name);
  const { parts, isTruncated } = await store.listParts(context, { ...name, afterPartNumber, partCountMax });
  return xmlReply(
    xmlDocument(
      "ListPartsResult",
      element("Bucket", name.bucket),
      element("Key", name.key),
      element("UploadId", name.uploadId),
      ownerElement("Initiator", call),
      ownerElement("Owner", call),
      element("StorageClass", "STANDARD"),
      element("PartNumberMarker", afterPartNumber),
      isTruncated ? element("NextPartNumberMarker", parts.at(-1)?.partNumber ?? afterPartNumber) : null,
      element("MaxParts", partCountMax),
      element("IsTruncated", isTruncated),
      ...checksumElements(upload),
      ...parts.map(partElement),
    ),
    abortHeaders(await rules, upload),
  );
}

function partElement({ partNumber, modifiedMs, etag, sizeBytes, checksum }: StoredPart): XmlElement {
  return element(
    "Part",
    element("PartNumber", partNumber),
    element("LastModified", isoTime(modifiedMs)),
    element("ETag", quoteEtag(etag)),
    element("Size", sizeBytes),
    checksum && element(checksumElement(checksum.algorithm), checksum.value),
  );
}

export async function listMultipartUploads(call: BucketCall): Promise<S3Reply> {
  const { query, limits, bucket } = call;
  const max = limits.listedKeyCountMax;
  const wish: UploadsWish = {
    prefix: query.get("prefix") ?? "",
    delimiter: query.get("delimiter") ?? "",
    keyMarker: query.get("key-marker") ?? "",
    uploadIdMarker: query.get("upload-id-marker") ?? "",
    itemCountMax: getInteger(query, "max-uploads", { min: 1, max, otherwise: max }),
  };
  const { encode, element: encodingElement } = readNameEncoding(query);
  const { items, isTruncated } = await listUploadsPage(call, wish);
  const last = isTruncated ? items.at(-1) : undefined;
  return xmlReply(
    xmlDocument(
      "ListMultipartUploadsResult",
      element("Bucket", bucket),
      element("KeyMarker", encode(wish.keyMarker)),
      element("UploadIdMarker", wish.uploadIdMarker),
      optional("NextKeyMarker", last && encode(last.kind === "upload" ? last.upload.key : last.prefix)),
      optional("NextUploadIdMarker", last && (last.kind === "upload" ? last.upload.uploadId : "")),
      element("Prefix", encode(wish.prefix)),
      wish.delimiter === "" ? null : element("Delimiter", encode(wish.delimiter)),
      encodingElement,
      element("MaxUploads", wish.itemCountMax),
      element("IsTruncated", isTruncated),
      ...items.map((item) =>
        item.kind === "upload"
          ? uploadElement(call, item.upload, encode)
          : element("CommonPrefixes", element("Prefix", encode(item.prefix))),
      ),
    ),
  );
}

function uploadElement(
  call: BucketCall,
  upload: MultipartUpload,
  encode: (name: string) => string,
): XmlElement {
  return element(
    "Upload",
    element("Key", encode(upload.key)),
    element("UploadId", upload.uploadId),
    ownerElement("Initiator", call),
    ownerElement("Owner", call),
    element("StorageClass", "STANDARD"),
    element("Initiated", isoTime(upload.initiatedMs)),
    ...checksumElements(upload),
  );
}

function checksumElements({ checksum }: MultipartUpload): readonly (XmlElement | null)[] {
  return [
    checksum && element("ChecksumAlgorithm", checksum.algorithm),
    checksum && element("ChecksumType", checksum.type),
  ];
}
