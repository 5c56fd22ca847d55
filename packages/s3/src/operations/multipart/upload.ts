/** Creates and aborts multipart uploads, and stores their parts. */

import { readMultipartChecksum } from "../../body/checksum/declared.ts";
import { bodyOfCopy } from "../../body/receive.ts";
import { S3Error } from "../../errors.ts";
import type { MultipartUpload, UploadBody, UploadName } from "../../store.ts";
import { element, xmlDocument } from "../../xml/write.ts";
import { checksumHeaders, readAttributes } from "../attributes.ts";
import { emptyReply, type ObjectCall, quoteEtag, type S3Reply, writeHeaders, xmlReply } from "../call.ts";
import { copyResult, openCopySource, readCopySource } from "../copy.ts";
import { encryptionHeaders, readEncryptionRequest, readKeyOnly } from "../encryption.ts";
import { replyInTime } from "../late-reply.ts";
import { abortHeaders, lookUpRules } from "../lifecycle-headers.ts";
import { resolveCopyRange } from "../range.ts";
import { digestsOf } from "../write-object.ts";

export async function createMultipartUpload(call: ObjectCall): Promise<S3Reply> {
  const { store, context, limits, headers, bucket, key } = call;
  const attributes = readAttributes(headers, limits);
  const checksum = readMultipartChecksum(headers);
  const request = { bucket, key, attributes, checksum, encryption: readEncryptionRequest(headers) };
  const rules = lookUpRules(call);
  const { uploadId, initiatedMs, encryption } = await store.createMultipartUpload(context, request);
  return xmlReply(
    xmlDocument(
      "InitiateMultipartUploadResult",
      element("Bucket", bucket),
      element("Key", key),
      element("UploadId", uploadId),
    ),
    {
      ...abortHeaders(await rules, { key, initiatedMs }),
      ...encryptionHeaders(encryption),
      ...(checksum && {
        "x-amz-checksum-algorithm": checksum.algorithm,
        "x-amz-checksum-type": checksum.type,
      }),
    },
  );
}

export async function uploadPart(call: ObjectCall): Promise<S3Reply> {
  const { store, context, body } = call;
  const customerKey = readKeyOnly(call.headers);
  const { upload, name, partNumber } = await findPart(call);
  checkPartAlgorithm(upload, body.declaredChecksum?.algorithm ?? null);
  const received: UploadBody = await body.receive(upload.checksum?.algorithm ?? null);
  const result = await store.putPart(context, { ...name, partNumber, customerKey, body: received });
  const { etag, checksum } = await digestsOf(received);
  const headers = checksumHeaders(checksum);
  // A part's checksum is over all its bytes; the type for the whole upload is reported on completion.
  delete headers["x-amz-checksum-type"];
  return emptyReply(200, {
    etag: quoteEtag(result.etag ?? etag),
    ...headers,
    ...encryptionHeaders(result.encryption),
    ...writeHeaders(result),
  });
}

export async function uploadPartCopy(call: ObjectCall): Promise<S3Reply> {
  const { store, context, limits, headers } = call;
  const source = readCopySource(headers);
  const customerKey = readKeyOnly(headers);
  const { upload, name, partNumber } = await findPart(call);
  const reader = await openCopySource(call, source);
  const range = resolveCopyRange(headers.get("x-amz-copy-source-range"), reader.info.sizeBytes);
  const sizeBytes = range.end - range.start;
  if (sizeBytes > limits.uploadBytesMax) {
    throw new S3Error("InvalidRequest", `A copied part may have ${limits.uploadBytesMax} bytes at most.`);
  }
  const algorithm = upload.checksum?.algorithm ?? null;
  const copy = async () => {
    const body = await bodyOfCopy(reader.read(range), sizeBytes, { algorithm, limits });
    const result = await store.putPart(context, { ...name, partNumber, customerKey, body });
    const { etag, checksum } = await digestsOf(body);
    const content = copyResult({ etag: result.etag ?? etag, checksum, modifiedMs: result.modifiedMs });
    return xmlReply(xmlDocument("CopyPartResult", ...content), {
      ...encryptionHeaders(result.encryption),
      ...writeHeaders(result),
    });
  };
  const known = customerKey === null ? {} : encryptionHeaders({ kind: "customer", keyMd5: customerKey.md5 });
  return await replyInTime(copy(), limits, known);
}

export async function abortMultipartUpload(call: ObjectCall): Promise<S3Reply> {
  await call.store.abortMultipartUpload(call.context, uploadNameOf(call));
  return emptyReply(204);
}

export function uploadNameOf({ query, bucket, key }: ObjectCall): UploadName {
  return { bucket, key, uploadId: query.get("uploadId") ?? "" };
}

async function findPart(
  call: ObjectCall,
): Promise<{ upload: MultipartUpload; name: UploadName; partNumber: number }> {
  const text = call.query.get("partNumber") ?? "";
  const partNumber = Number(text);
  const { partCountMax } = call.limits;
  if (!/^\d{1,6}$/.test(text) || partNumber < 1 || partNumber > partCountMax) {
    throw new S3Error("InvalidArgument", `partNumber must be an integer from 1 to ${partCountMax}.`);
  }
  const name = uploadNameOf(call);
  return { upload: await call.store.findMultipartUpload(call.context, name), name, partNumber };
}

function checkPartAlgorithm({ checksum }: MultipartUpload, sent: string | null): void {
  if (checksum === null || sent === null || checksum.algorithm === sent) return;
  throw new S3Error(
    "InvalidRequest",
    `The upload was created with the checksum ${checksum.algorithm}; the part has ${sent}.`,
  );
}
