/** CopyObject, and reading the source of a copy, which UploadPartCopy also uses. */

import { bodyOfCopy } from "../body/receive.ts";
import {
  type ChecksumAlgorithm,
  checksumElement,
  type ObjectChecksum,
  parseAlgorithm,
} from "../checksum/algorithms.ts";
import { S3Error } from "../errors.ts";
import { NO_VERSIONS } from "../refusals.ts";
import type { RequestHeaders } from "../request/headers.ts";
import { checkBucketName, checkKey } from "../request/names.ts";
import { percentDecode, utf8OfBytes } from "../request/percent.ts";
import type { EncryptionRequest, ObjectAttributes, ObjectName, ObjectReader } from "../store.ts";
import { readTaggingHeader } from "../tags/tags.ts";
import { element, type XmlElement, xmlDocument } from "../xml/write.ts";
import { readAttributes } from "./attributes.ts";
import { authorize, checkExpectedOwner } from "./authorize.ts";
import { isoTime, type ObjectCall, quoteEtag, type S3Reply, writeHeaders, xmlReply } from "./call.ts";
import { checkReadConditions, readWritePrecondition } from "./conditions.ts";
import { BUCKET_ENCRYPTION } from "./configuration/bucket-encryption.ts";
import {
  encryptionHeaders,
  readCustomerKey,
  readEncryptionRequest,
  requestedEncryptionHeaders,
} from "./encryption.ts";
import { replyInTime } from "./late-reply.ts";
import { expirationHeaders, lookUpRules } from "./lifecycle-headers.ts";
import { digestsOf } from "./write-object.ts";

export async function copyObject(call: ObjectCall): Promise<S3Reply> {
  const { store, context, limits, headers, bucket, key } = call;
  const source = readCopySource(headers);
  const directive = readDirective(headers, "x-amz-metadata-directive");
  const taggingDirective = readDirective(headers, "x-amz-tagging-directive");
  const encryption = readEncryptionRequest(headers);
  const isInPlace = source.bucket === bucket && source.key === key;
  if (isInPlace && directive === "COPY" && !(await mayChangeInPlace(call, encryption))) {
    throw new S3Error(
      "InvalidRequest",
      "An object can be copied onto itself only with new metadata (REPLACE), a storage class or another encryption.",
    );
  }
  const precondition = readWritePrecondition(headers);
  const wantedAlgorithm = readCopyAlgorithm(headers);
  const reader = await openCopySource(call, source);
  const { sizeBytes, attributes: sourceAttributes, checksum } = reader.info;
  if (sizeBytes > limits.uploadBytesMax) {
    throw new S3Error(
      "InvalidRequest",
      `An object above ${limits.uploadBytesMax} bytes must be copied in parts.`,
    );
  }
  const algorithm = wantedAlgorithm ?? checksum?.algorithm ?? null;
  const attributes: ObjectAttributes = {
    ...(directive === "COPY" ? sourceAttributes : readAttributes(headers, limits)),
    tags: taggingDirective === "COPY" ? sourceAttributes.tags : readTaggingHeader(headers),
  };
  const copy = async () => {
    const read = reader.read({ start: 0, end: sizeBytes });
    const body = await bodyOfCopy(read, sizeBytes, { algorithm, limits });
    const request = { bucket, key, attributes, precondition, encryption, body };
    const rules = lookUpRules(call);
    const result = await store.putObject(context, request);
    const { etag, checksum } = await digestsOf(body);
    const { modifiedMs } = result;
    const copied = { etag: result.etag ?? etag, checksum, modifiedMs };
    const stored = { key, sizeBytes, modifiedMs, tags: attributes.tags };
    return xmlReply(xmlDocument("CopyObjectResult", ...copyResult(copied)), {
      ...encryptionHeaders(result.encryption),
      ...writeHeaders(result),
      ...expirationHeaders(await rules, stored),
    });
  };
  return await replyInTime(copy(), limits, requestedEncryptionHeaders(encryption));
}

/**
 * As on AWS, naming a storage class or encryption counts as a change even if the object has it already, and so does the
 * bucket's default encryption: the copy then encrypts existing data.
 */
async function mayChangeInPlace(
  { store, context, headers, bucket }: ObjectCall,
  encryption: EncryptionRequest,
): Promise<boolean> {
  const named = ["x-amz-storage-class", "x-amz-copy-source-server-side-encryption-customer-key"];
  if (encryption.kind !== "default" || named.some((name) => headers.get(name) !== undefined)) return true;
  return (await store.readBucketSetting(context, { bucket, name: BUCKET_ENCRYPTION.name })) !== null;
}

function readDirective(
  headers: RequestHeaders,
  name: "x-amz-metadata-directive" | "x-amz-tagging-directive",
): "COPY" | "REPLACE" {
  const directive = headers.get(name)?.toUpperCase() ?? "COPY";
  if (directive === "COPY" || directive === "REPLACE") return directive;
  throw new S3Error("InvalidArgument", `${name} must be COPY or REPLACE.`);
}

export function copyResult({
  etag,
  checksum,
  modifiedMs,
}: {
  etag: string;
  checksum: ObjectChecksum | null;
  modifiedMs: number;
}): readonly (XmlElement | null)[] {
  return [
    element("LastModified", isoTime(modifiedMs)),
    element("ETag", quoteEtag(etag)),
    checksum && element(checksumElement(checksum.algorithm), checksum.value),
    checksum && element("ChecksumType", checksum.type),
  ];
}

/** Opens one version of the source and checks its conditions; the client must be allowed to read it. */
export async function openCopySource(
  { store, context, headers }: ObjectCall,
  source: ObjectName,
): Promise<ObjectReader> {
  checkExpectedOwner({ context }, headers.get("x-amz-source-expected-bucket-owner"));
  await authorize({ store, context }, { verb: "read", bucket: source.bucket });
  const customerKey = readCustomerKey(headers, "copy-source-");
  const reader = await store.getObject(context, { ...source, customerKey });
  if (checkReadConditions(headers, reader.info, "x-amz-copy-source-") === "not modified") {
    throw new S3Error("PreconditionFailed");
  }
  return reader;
}

/** Reads x-amz-copy-source: `/bucket/key`, percent-encoded, a plus sign for a space; the first slash is optional. */
export function readCopySource(headers: RequestHeaders): ObjectName {
  const raw = headers.get("x-amz-copy-source") ?? "";
  const [path, version] = raw.split("?versionId=", 2) as [string, string | undefined];
  if (version !== undefined && version !== "null") {
    throw new S3Error("NotImplemented", NO_VERSIONS);
  }
  if (/^\/?arn(:|%3A)/i.test(path)) {
    throw new S3Error(
      "NotImplemented",
      "A source is named by bucket and key; access points are not implemented.",
    );
  }
  const text = utf8OfBytes(percentDecode(path.replaceAll("+", " ")))?.replace(/^\//, "") ?? "";
  const slash = text.indexOf("/");
  if (slash < 1 || slash === text.length - 1) {
    throw new S3Error(
      "InvalidArgument",
      "x-amz-copy-source must be of the form /bucket/key, percent-encoded.",
    );
  }
  const source = { bucket: text.slice(0, slash), key: text.slice(slash + 1) };
  checkBucketName(source.bucket);
  checkKey(source.key);
  return source;
}

function readCopyAlgorithm(headers: RequestHeaders): ChecksumAlgorithm | null {
  const name = headers.get("x-amz-checksum-algorithm");
  if (name === undefined) return null;
  const algorithm = parseAlgorithm(name);
  if (algorithm === null)
    throw new S3Error("InvalidRequest", `The checksum algorithm "${name}" is not known.`);
  return algorithm;
}
