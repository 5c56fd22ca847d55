/** Finds the operation that a request asks for. An unknown one is refused: silence would be taken for consent. */
import { S3Error } from "../errors.ts";
import type { RequestHeaders } from "../request/headers.ts";
import type { Query } from "../request/query.ts";
import type { RequestTarget } from "../request/target.ts";
import { LEFT_OUT, NO_ACCESS_LISTS, NO_VERSIONS } from "./left-out.ts";
import type { BucketOperationName, ObjectOperationName } from "./registry.ts";

export type Route =
  | { readonly level: "service"; readonly name: "ListBuckets" }
  | { readonly level: "bucket"; readonly name: BucketOperationName; readonly bucket: string }
  | {
      readonly level: "object";
      readonly name: ObjectOperationName;
      readonly bucket: string;
      readonly key: string;
    };

/** Parameters that make another operation of a request; none of these operations is here. */
const OTHER_SUBRESOURCES = [
  ..."abac accelerate acl analytics attributes cors encryption intelligent-tiering inventory legal-hold".split(
    " ",
  ),
  ..."lifecycle logging metadataConfiguration metadataInventoryTable metadataJournalTable metadataTable".split(
    " ",
  ),
  ..."metrics notification object-lock ownershipControls policy policyStatus publicAccessBlock renameObject".split(
    " ",
  ),
  ..."replication requestPayment restore retention select session tagging torrent versioning".split(" "),
  "website",
];

const KNOWN_HEADERS = new Set([
  "x-amz-acl",
  "x-amz-checksum-algorithm",
  "x-amz-checksum-crc32",
  "x-amz-checksum-crc32c",
  "x-amz-checksum-crc64nvme",
  "x-amz-checksum-mode",
  "x-amz-checksum-sha1",
  "x-amz-checksum-sha256",
  "x-amz-checksum-type",
  "x-amz-content-sha256",
  "x-amz-copy-source",
  "x-amz-copy-source-if-match",
  "x-amz-copy-source-if-modified-since",
  "x-amz-copy-source-if-none-match",
  "x-amz-copy-source-if-unmodified-since",
  "x-amz-copy-source-range",
  "x-amz-date",
  "x-amz-decoded-content-length",
  "x-amz-metadata-directive",
  "x-amz-mp-object-size",
  "x-amz-request-payer",
  "x-amz-sdk-checksum-algorithm",
  "x-amz-storage-class",
  "x-amz-trailer",
  "x-amz-user-agent",
]);

/** Whoever owns everything needs no access list; these say nothing else. */
const OWNERS_ACLS = ["private", "bucket-owner-full-control", "bucket-owner-read"];

export function route(method: string, { bucket, key, query }: RequestTarget, headers: RequestHeaders): Route {
  checkSubresources(query);
  checkHeaders(headers);
  if (bucket === null) {
    if (method === "GET") return { level: "service", name: "ListBuckets" };
    throw notAllowed(method);
  }
  if (key === null) return { level: "bucket", name: bucketOperation(method, query), bucket };
  const name = objectOperation(method, query, headers.get("x-amz-copy-source") !== undefined);
  return { level: "object", name, bucket, key };
}

function bucketOperation(method: string, query: Query): BucketOperationName {
  switch (method) {
    case "GET":
      if (query.has("location")) return "GetBucketLocation";
      if (query.has("uploads")) return "ListMultipartUploads";
      if (query.has("versions")) return "ListObjectVersions";
      return query.get("list-type") === "2" ? "ListObjectsV2" : "ListObjects";
    case "HEAD":
      return "HeadBucket";
    case "PUT":
      return "CreateBucket";
    case "DELETE":
      return "DeleteBucket";
    case "POST":
      if (query.has("delete")) return "DeleteObjects";
      throw new S3Error("NotImplemented", "Uploads by a browser's form are not implemented here.");
    default:
      throw notAllowed(method);
  }
}

function objectOperation(method: string, query: Query, isCopy: boolean): ObjectOperationName {
  const isOfUpload = query.has("uploadId");
  switch (method) {
    case "GET":
      return isOfUpload ? "ListParts" : "GetObject";
    case "HEAD":
      return "HeadObject";
    case "PUT":
      if (isOfUpload || query.has("partNumber")) return isCopy ? "UploadPartCopy" : "UploadPart";
      return isCopy ? "CopyObject" : "PutObject";
    case "DELETE":
      return isOfUpload ? "AbortMultipartUpload" : "DeleteObject";
    case "POST":
      if (query.has("uploads")) return "CreateMultipartUpload";
      if (isOfUpload) return "CompleteMultipartUpload";
      throw notAllowed(method);
    default:
      throw notAllowed(method);
  }
}

function checkSubresources(query: Query): void {
  const other = OTHER_SUBRESOURCES.find((name) => query.has(name));
  if (other !== undefined) {
    const reason = LEFT_OUT.get(other) ?? `The subresource "${other}" is not implemented.`;
    throw new S3Error("NotImplemented", reason);
  }
  const version = query.get("versionId");
  if (version !== undefined && version !== "null") {
    throw new S3Error("NotImplemented", NO_VERSIONS);
  }
}

function checkHeaders(headers: RequestHeaders): void {
  for (const name of headers.names) {
    const isUnknown =
      name.startsWith("x-amz-") && !name.startsWith("x-amz-meta-") && !KNOWN_HEADERS.has(name);
    if (isUnknown)
      throw new S3Error("NotImplemented", `The header ${name} asks for a feature that is not implemented.`);
  }
  const acl = headers.get("x-amz-acl");
  if (acl !== undefined && !OWNERS_ACLS.includes(acl)) {
    throw new S3Error("NotImplemented", NO_ACCESS_LISTS);
  }
  const storageClass = headers.get("x-amz-storage-class");
  if (storageClass !== undefined && storageClass !== "STANDARD") throw new S3Error("InvalidStorageClass");
}

function notAllowed(method: string): S3Error {
  const isKnown = ["GET", "HEAD", "PUT", "POST", "DELETE"].includes(method);
  return new S3Error(isKnown ? "MethodNotAllowed" : "NotImplemented");
}
