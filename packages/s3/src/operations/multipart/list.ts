/** ListParts and ListMultipartUploads. */

import { checksumElement } from "../../checksum/algorithms.ts";
import { S3Error } from "../../errors.ts";
import { getInteger } from "../../request/query.ts";
import type { MultipartUpload, StoredPart } from "../../store.ts";
import { element, optional, type XmlElement, xmlDocument } from "../../xml/write.ts";
import { type BucketCall, isoTime, type ObjectCall, quoteEtag, type S3Reply, xmlReply } from "../call.ts";
import { ownerElement, readNameEncoding } from "../list-objects.ts";
import { uploadNameOf } from "./upload.ts";

export async function listParts(call: ObjectCall): Promise<S3Reply> {
  const { store, context, query, limits } = call;
  const name = uploadNameOf(call);
  const max = limits.listedKeyCountMax;
  const partCountMax = getInteger(query, "max-parts", { min: 1, max, otherwise: max });
  const marker = { min: 0, max: limits.partCountMax, otherwise: 0 };
  const afterPartNumber = getInteger(query, "part-number-marker", marker);
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
  const { store, context, query, limits, bucket } = call;
  if (query.get("delimiter")) {
    throw new S3Error("NotImplemented", "A delimiter is not implemented for lists of multipart uploads.");
  }
  const max = limits.listedKeyCountMax;
  const uploadCountMax = getInteger(query, "max-uploads", { min: 1, max, otherwise: max });
  const prefix = query.get("prefix") ?? "";
  const keyMarker = query.get("key-marker") ?? "";
  const uploadIdMarker = query.get("upload-id-marker") ?? "";
  const { encode, element: encodingElement } = readNameEncoding(query);
  const wish = { bucket, prefix, keyMarker, uploadIdMarker, uploadCountMax };
  const { uploads, isTruncated } = await store.listMultipartUploads(context, wish);
  const last = isTruncated ? uploads.at(-1) : undefined;
  return xmlReply(
    xmlDocument(
      "ListMultipartUploadsResult",
      element("Bucket", bucket),
      element("KeyMarker", encode(keyMarker)),
      element("UploadIdMarker", uploadIdMarker),
      optional("NextKeyMarker", last && encode(last.key)),
      optional("NextUploadIdMarker", last?.uploadId),
      element("Prefix", encode(prefix)),
      encodingElement,
      element("MaxUploads", uploadCountMax),
      element("IsTruncated", isTruncated),
      ...uploads.map((upload) => uploadElement(call, upload, encode)),
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
