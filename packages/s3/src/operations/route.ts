/** Finds the operation that a request asks for. An unknown one is refused, because silence would look like consent. */
import { S3Error } from "../errors.ts";
import type { RequestHeaders } from "../request/headers.ts";
import { checkKey } from "../request/names.ts";
import type { Query } from "../request/query.ts";
import type { RequestTarget } from "../request/target.ts";
import type { ObjectName } from "../store.ts";
import { checkAskedHeaders } from "./asked/headers.ts";
import { checkOperation, checkVersion, findConfiguration, OBJECT_TAGGING } from "./asked/query.ts";
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

export interface RoutedRequest {
  readonly method: string;
  readonly target: Pick<RequestTarget, "bucket" | "key" | "query">;
  readonly headers: RequestHeaders;
  /** The owner of the access key. */
  readonly owner: string;
}

export function route({ method, target, headers, owner }: RoutedRequest): Route {
  const { bucket, key, query } = target;
  const level = key === null ? "bucket" : "object";
  const configuration = findConfiguration(query, level);
  checkOperation(method, query, level);
  checkVersion(query);
  checkAskedHeaders(headers, query, owner);
  if (bucket === null) {
    if (configuration !== null) throw new S3Error("MethodNotAllowed", "A configuration belongs to a bucket.");
    if (method === "GET") return { level: "service", name: "ListBuckets" };
    throw notAllowed(method);
  }
  if (configuration !== null) {
    const verb = configurationVerb(method);
    if (key === null) return { level: "bucket", name: `${verb}BucketConfiguration`, bucket };
    if (configuration === OBJECT_TAGGING)
      return { level: "object", name: `${verb}ObjectTagging`, bucket, key };
    // AWS can delete the tags of an object, but no other configuration.
    if (verb === "Delete") throw notAllowed(method);
    return { level: "object", name: `${verb}ObjectConfiguration`, bucket, key };
  }
  if (key === null) return { level: "bucket", name: bucketOperation(method, query), bucket };
  const name = objectOperation(method, query, headers.get("x-amz-copy-source") !== undefined);
  return { level: "object", name, bucket, key };
}

/** Routes the upload of a form, whose key is one of its fields. */
export function routeForm({
  target,
  headers,
  owner,
  bucket,
  key,
}: Omit<RoutedRequest, "method"> & ObjectName): Route {
  if (findConfiguration(target.query, "bucket") !== null) throw notAllowed("POST");
  checkOperation("POST", target.query, "bucket");
  checkAskedHeaders(headers, target.query, owner);
  checkKey(key);
  return { level: "object", name: "PostObject", bucket, key };
}

function configurationVerb(method: string): "Get" | "Put" | "Delete" {
  if (method === "GET") return "Get";
  if (method === "PUT") return "Put";
  if (method === "DELETE") return "Delete";
  throw notAllowed(method);
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
      throw new S3Error("PreconditionFailed", undefined, {
        details: { Condition: "Bucket POST must be of the enclosure-type multipart/form-data" },
      });
    default:
      throw notAllowed(method);
  }
}

function objectOperation(method: string, query: Query, isCopy: boolean): ObjectOperationName {
  const isOfUpload = query.has("uploadId");
  switch (method) {
    case "GET":
      if (query.has("attributes")) return "GetObjectAttributes";
      return isOfUpload ? "ListParts" : "GetObject";
    case "HEAD":
      return "HeadObject";
    case "PUT":
      if (query.has("partNumber") && !isOfUpload) {
        throw new S3Error("InvalidArgument", "A part needs the uploadId of its multipart upload.");
      }
      if (isOfUpload) return isCopy ? "UploadPartCopy" : "UploadPart";
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

function notAllowed(method: string): S3Error {
  const isKnown = ["GET", "HEAD", "PUT", "POST", "DELETE"].includes(method);
  return new S3Error(isKnown ? "MethodNotAllowed" : "NotImplemented");
}
