/** PutObject, DeleteObject and DeleteObjects. */
import { S3Error, toS3Error } from "../errors.ts";
import { checkKey } from "../request/names.ts";
import type { BodyDigests, UploadBody, WritePrecondition } from "../store.ts";
import { readXml, type XmlReader } from "../xml/request-xml.ts";
import { element, type XmlElement, xmlDocument } from "../xml/write.ts";
import { checksumHeaders, readAttributes } from "./attributes.ts";
import {
  type BucketCall,
  emptyReply,
  type ObjectCall,
  quoteEtag,
  type S3Reply,
  unquoteEtag,
  writeHeaders,
  xmlReply,
} from "./call.ts";
import { readWritePrecondition } from "./conditions.ts";
import { encryptionHeaders, readEncryptionRequest } from "./encryption.ts";
import { expirationHeaders, lookUpRules } from "./lifecycle-headers.ts";

const DELETES_AT_A_TIME = 16;

export async function putObject(call: ObjectCall): Promise<S3Reply> {
  const { store, context, limits, headers, bucket, key, body } = call;
  const attributes = readAttributes(headers, limits);
  const precondition = readWritePrecondition(headers);
  const encryption = readEncryptionRequest(headers);
  const received = await body.receive(null);
  const request = { bucket, key, attributes, precondition, encryption, body: received };
  const sizeBytes = received.kind === "whole" ? received.bytes.length : received.sizeBytesMax;
  const rules = lookUpRules(call);
  const result = await store.putObject(context, request);
  const { etag, checksum } = await digestsOf(received);
  const { modifiedMs } = result;
  const { tags } = attributes;
  return emptyReply(200, {
    etag: quoteEtag(result.etag ?? etag),
    ...checksumHeaders(checksum),
    ...encryptionHeaders(result.encryption),
    ...writeHeaders(result),
    ...expirationHeaders(await rules, { key, sizeBytes, modifiedMs, tags }),
  });
}

/** Returns the digests of a stored body; for a stream the store has already waited for its check. */
export async function digestsOf(body: UploadBody): Promise<BodyDigests> {
  return body.kind === "whole" ? body.digests : await body.verify();
}

export async function deleteObject({ store, context, headers, bucket, key }: ObjectCall): Promise<S3Reply> {
  const precondition = readWritePrecondition(headers);
  return emptyReply(204, writeHeaders(await store.deleteObject(context, { bucket, key, precondition })));
}

interface Deletion {
  readonly key: string;
  readonly precondition: WritePrecondition;
  /** Reason for refusing the deletion in advance. */
  readonly refusal: S3Error | null;
}

export async function deleteObjects(call: BucketCall): Promise<S3Reply> {
  const root = readXml(await call.body.receiveText(), "Delete");
  const isQuiet = root.text("Quiet")?.trim().toLowerCase() === "true";
  const deletions = root.children("Object").map(readDeletion);
  if (deletions.length === 0 || deletions.length > call.limits.deletedKeyCountMax) {
    throw new S3Error("MalformedXML", `A request may delete 1 to ${call.limits.deletedKeyCountMax} keys.`);
  }
  const results: (XmlElement | null)[] = new Array(deletions.length).fill(null);
  let next = 0;
  const work = async () => {
    while (next < deletions.length) {
      const i = next++;
      results[i] = await deleteOne(call, deletions[i] as Deletion, isQuiet);
    }
  };
  await Promise.all(Array.from({ length: DELETES_AT_A_TIME }, work));
  return xmlReply(
    xmlDocument(
      "DeleteResult",
      results.filter((result) => result !== null),
    ),
  );
}

function readDeletion(object: XmlReader): Deletion {
  const key = object.text("Key");
  if (key === undefined || key === "") throw new S3Error("MalformedXML", "An object to delete has no key.");
  const etag = object.text("ETag");
  const versionId = object.text("VersionId");
  const isPlain =
    (versionId ?? "null") === "null" &&
    object.text("Size") === undefined &&
    object.text("LastModifiedTime") === undefined;
  const unquoted = etag === undefined ? null : unquoteEtag(etag);
  return {
    key,
    precondition:
      unquoted === null ? { kind: "none" } : { kind: "matches", etag: unquoted === "*" ? null : unquoted },
    refusal: isPlain
      ? null
      : new S3Error("NotImplemented", "Deleting by version, size or time is not implemented."),
  };
}

async function deleteOne(
  { store, context, bucket, reportError }: BucketCall,
  { key, precondition, refusal }: Deletion,
  isQuiet: boolean,
): Promise<XmlElement | null> {
  try {
    if (refusal) throw refusal;
    checkKey(key);
    await store.deleteObject(context, { bucket, key, precondition });
    return isQuiet ? null : element("Deleted", element("Key", key));
  } catch (thrown) {
    const error = toS3Error(thrown);
    reportError(error);
    return element(
      "Error",
      element("Key", key),
      element("Code", error.code),
      element("Message", error.message),
    );
  }
}
