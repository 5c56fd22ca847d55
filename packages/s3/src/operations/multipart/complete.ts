/** CompleteMultipartUpload: compares the client's list with the stored parts. */
import { createHash } from "node:crypto";
import { readObjectChecksum } from "../../body/checksum/declared.ts";
import { compositeEtag, multipartChecksum } from "../../body/checksum/multipart.ts";
import { badDigest } from "../../body/digests.ts";
import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  checksumElement,
  type ObjectChecksum,
} from "../../checksum/algorithms.ts";
import { S3Error } from "../../errors.ts";
import type { RequestHeaders } from "../../request/headers.ts";
import type { CustomerKey, ObjectInfo, StoredBody, StoredPart, WritePrecondition } from "../../store.ts";
import { readXml } from "../../xml/request-xml.ts";
import { element, xmlDocument } from "../../xml/write.ts";
import { type ObjectCall, quoteEtag, type S3Reply, unquoteEtag, writeHeaders, xmlReply } from "../call.ts";
import { readWritePrecondition } from "../conditions.ts";
import { encryptionHeaders, readKeyOnly } from "../encryption.ts";
import { replyInTime } from "../late-reply.ts";
import { expirationHeaders, lookUpRules, ruledObject } from "../lifecycle-headers.ts";
import { uploadNameOf } from "./upload.ts";

interface ListedPart {
  readonly partNumber: number;
  readonly etag: string;
  readonly checksum: { readonly algorithm: ChecksumAlgorithm; readonly value: string } | null;
}

export async function completeMultipartUpload(call: ObjectCall): Promise<S3Reply> {
  const precondition = readWritePrecondition(call.headers);
  const customerKey = readKeyOnly(call.headers);
  const { uploadId } = uploadNameOf(call);
  const text = await call.body.receiveText({ checksumIsOf: "object" });
  const listed = readPartList(text, call.limits.partCountMax);
  const completion = completionOf(uploadId, listed);
  return await replyInTime(complete(call, { listed, completion, precondition, customerKey }), call.limits);
}

async function complete(call: ObjectCall, request: Completion): Promise<S3Reply> {
  try {
    const reply = await completeFirst(call, request);
    return { ...reply, headers: { ...reply.headers, ...(await expirationOfStored(call)) } };
  } catch (error) {
    const earlier = mayBeRepeated(error) ? await findEarlier(call, request.completion) : null;
    if (earlier === null) throw error;
    checkAnnounced(call.headers, earlier);
    return completedReply(call, earlier, { path: "direct", encryption: earlier.encryption });
  }
}

/** A completion does not know the tags of its object, so they are read if the bucket has rules. */
async function expirationOfStored(call: ObjectCall): Promise<Record<string, string>> {
  const { store, context, bucket, key } = call;
  const rules = await lookUpRules(call);
  if (rules.length === 0) return {};
  const info = await store.headObject(context, { bucket, key, customerKey: null }).catch(() => null);
  return info === null ? {} : expirationHeaders(rules, ruledObject(key, info));
}

interface Completion {
  readonly listed: readonly ListedPart[];
  readonly completion: string;
  readonly precondition: WritePrecondition;
  readonly customerKey: CustomerKey | null;
}

async function completeFirst(call: ObjectCall, { listed, ...completion }: Completion): Promise<S3Reply> {
  const { store, context, headers, limits } = call;
  const name = uploadNameOf(call);
  const upload = await store.findMultipartUpload(context, name);
  const stored = await loadParts(call);
  const parts = listed.map((part) => matchPart(part, stored));
  checkSizes(parts, limits.partBytesMin);
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  const etag = compositeEtag(parts.map((part) => part.etag));
  const checksum = upload.checksum && (await multipartChecksum(upload.checksum, parts));
  const object = { sizeBytes, etag, checksum };
  checkAnnounced(headers, object);
  const request = { ...name, ...object, ...completion, parts };
  return completedReply(call, object, await store.completeMultipartUpload(context, request));
}

function completedReply(
  { bucket, key, writeAddress }: ObjectCall,
  { etag, checksum }: Pick<ObjectInfo, "etag" | "checksum">,
  result: Pick<StoredBody, "path" | "timings" | "encryption">,
): S3Reply {
  return xmlReply(
    xmlDocument(
      "CompleteMultipartUploadResult",
      element("Location", writeAddress({ bucket, key })),
      element("Bucket", bucket),
      element("Key", key),
      element("ETag", quoteEtag(etag)),
      checksum && element(checksumElement(checksum.algorithm), checksum.value),
      checksum && element("ChecksumType", checksum.type),
    ),
    { ...encryptionHeaders(result.encryption), ...writeHeaders(result) },
  );
}

/**
 * A client that lost the answer repeats its request. By then the upload is gone, but the object records the request
 * that made it, so any coordinator can repeat the answer until that object is replaced or deleted. After that the
 * answer is NoSuchUpload, because the client must not mistake another object for its own.
 */
async function findEarlier(
  { store, context, bucket, key }: ObjectCall,
  completion: string,
): Promise<ObjectInfo | null> {
  try {
    const info = await store.findObject(context, { bucket, key });
    return info.completion === completion ? info : null;
  } catch (error) {
    if (error instanceof S3Error && error.code === "NoSuchKey") return null;
    throw error;
  }
}

/** True for errors that a repeated request may get because its upload was already completed or is being cleaned up. */
function mayBeRepeated(error: unknown): boolean {
  return (
    error instanceof S3Error && ["NoSuchUpload", "InvalidPart", "PreconditionFailed"].includes(error.code)
  );
}

/** Identifies an upload and the client's list of parts by 64 hex digits. */
function completionOf(uploadId: string, listed: readonly ListedPart[]): string {
  const hash = createHash("sha256").update(uploadId);
  for (const { partNumber, etag } of listed) hash.update(`\n${partNumber} ${etag}`);
  return hash.digest("hex");
}

function readPartList(text: string, partCountMax: number): readonly ListedPart[] {
  const elements = readXml(text, "CompleteMultipartUpload").children("Part");
  if (elements.length === 0 || elements.length > partCountMax) {
    throw new S3Error("MalformedXML", `The list must name 1 to ${partCountMax} parts.`);
  }
  let previous = 0;
  return elements.map((part) => {
    const number = part.text("PartNumber")?.trim() ?? "";
    const etag = part.text("ETag");
    if (!/^\d{1,6}$/.test(number) || etag === undefined) {
      throw new S3Error("MalformedXML", "A part of the list needs a PartNumber and an ETag.");
    }
    const partNumber = Number(number);
    if (partNumber <= previous) throw new S3Error("InvalidPartOrder");
    previous = partNumber;
    const algorithm = CHECKSUM_ALGORITHMS.find((one) => part.text(checksumElement(one)) !== undefined);
    const value = algorithm && part.text(checksumElement(algorithm))?.trim();
    return {
      partNumber,
      etag: unquoteEtag(etag),
      checksum: algorithm && value ? { algorithm, value } : null,
    };
  });
}

async function loadParts(call: ObjectCall): Promise<ReadonlyMap<number, StoredPart>> {
  const found = new Map<number, StoredPart>();
  const partCountMax = call.limits.listedKeyCountMax;
  for (let afterPartNumber = 0; ; ) {
    const request = { ...uploadNameOf(call), afterPartNumber, partCountMax };
    const { parts, isTruncated } = await call.store.listParts(call.context, request);
    for (const part of parts) found.set(part.partNumber, part);
    const last = parts.at(-1);
    if (!isTruncated || last === undefined) return found;
    afterPartNumber = last.partNumber;
  }
}

function matchPart(listed: ListedPart, stored: ReadonlyMap<number, StoredPart>): StoredPart {
  const part = stored.get(listed.partNumber);
  const isSame =
    part !== undefined &&
    part.etag === listed.etag &&
    (listed.checksum === null ||
      part.checksum?.algorithm !== listed.checksum.algorithm ||
      part.checksum.value === listed.checksum.value);
  if (isSame) return part;
  throw new S3Error("InvalidPart", undefined, { details: { PartNumber: String(listed.partNumber) } });
}

function checkSizes(parts: readonly StoredPart[], partBytesMin: number): void {
  const small = parts.slice(0, -1).find((part) => part.sizeBytes < partBytesMin);
  if (small === undefined) return;
  throw new S3Error("EntityTooSmall", undefined, {
    details: {
      PartNumber: String(small.partNumber),
      ProposedSize: String(small.sizeBytes),
      MinSizeAllowed: String(partBytesMin),
      ETag: small.etag,
    },
  });
}

/** Checks the size and checksum that the client announced for the whole object, if any. */
function checkAnnounced(
  headers: RequestHeaders,
  { sizeBytes, checksum }: { sizeBytes: number; checksum: ObjectChecksum | null },
): void {
  const size = headers.get("x-amz-mp-object-size");
  if (size !== undefined && size !== String(sizeBytes)) {
    throw new S3Error(
      "InvalidRequest",
      `x-amz-mp-object-size is ${size}, but the parts have ${sizeBytes} bytes.`,
    );
  }
  const type = headers.get("x-amz-checksum-type")?.toUpperCase();
  if (type !== undefined && type !== checksum?.type) {
    throw new S3Error("InvalidRequest", "x-amz-checksum-type is not the type the upload was created with.");
  }
  const announced = readObjectChecksum(headers, checksum);
  if (announced === null) return;
  if (checksum?.algorithm !== announced.algorithm) {
    throw new S3Error(
      "InvalidRequest",
      `The upload was not created with the checksum algorithm ${announced.algorithm}, so the checksum cannot be compared.`,
    );
  }
  if (announced.value !== checksum.value) {
    throw badDigest(checksum.algorithm, announced.value, checksum.value);
  }
}
