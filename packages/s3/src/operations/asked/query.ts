/**
 * Decides whether each query parameter that AWS documents is read by an operation, names another operation, or is
 * refused.
 */
import { S3Error } from "../../errors.ts";
import { NO_DIRECTORY_BUCKETS, NO_VERSIONS } from "../../refusals.ts";
import type { Query } from "../../request/query.ts";
import { bucketConfigurations } from "../configuration/of-buckets.ts";
import { objectConfigurations } from "../configuration/of-objects.ts";

const LISTS = ["GET bucket"];
const READS = ["GET object", "HEAD object"];
const PARTS = ["PUT object", "GET object", "POST object", "DELETE object"];

/**
 * Parameters that an operation reads, and those that select an operation, with the methods that accept them. Other
 * writes refuse them, so that `DELETE /bucket?prefix=logs/` never deletes the bucket.
 */
const READ_PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["attributes", ["GET object"]],
  ["bucket-region", LISTS],
  ["continuation-token", LISTS],
  ["delete", ["POST bucket"]],
  ["delimiter", LISTS],
  ["encoding-type", [...LISTS, "GET object"]],
  ["fetch-owner", LISTS],
  // A bucket may have several configurations of these kinds.
  ["id", ["GET bucket", "PUT bucket", "DELETE bucket"]],
  ["key-marker", LISTS],
  ["list-type", LISTS],
  ["location", LISTS],
  ["marker", LISTS],
  ["max-buckets", LISTS],
  ["max-keys", LISTS],
  ["max-parts", ["GET object"]],
  ["max-uploads", LISTS],
  ["part-number-marker", ["GET object"]],
  ["partNumber", [...READS, "PUT object"]],
  ["prefix", LISTS],
  ["response-cache-control", READS],
  ["response-content-disposition", READS],
  ["response-content-encoding", READS],
  ["response-content-language", READS],
  ["response-content-type", READS],
  ["response-expires", READS],
  ["start-after", LISTS],
  ["uploadId", PARTS],
  ["uploads", ["GET bucket", "POST object"]],
  ["upload-id-marker", LISTS],
  ["version-id-marker", LISTS],
  ["versionId", [...PARTS, "HEAD object"]],
  ["versions", LISTS],
]);

export const HONOURED_PARAMETERS: readonly string[] = [...READ_PARAMETERS.keys()];

/** SDKs repeat the name of the operation in this parameter. */
export const IGNORED_PARAMETERS: readonly string[] = ["x-id"];

const missing = (feature: string) => `${feature} not implemented.`;

/** Parameters that select an operation which is not implemented, with the reason. */
export const REFUSED_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ["annotation", missing("Annotations are")],
  ["append", NO_DIRECTORY_BUCKETS],
  ["metadataAnnotationTable", missing("Metadata tables are")],
  ["metadataConfiguration", missing("Metadata tables are")],
  ["metadataInventoryTable", missing("Metadata tables are")],
  ["metadataJournalTable", missing("Metadata tables are")],
  ["metadataTable", missing("Metadata tables are")],
  ["renameObject", NO_DIRECTORY_BUCKETS],
  ["restore", "No object is archived, so none can be restored."],
  ["select", missing("Queries of the content of objects are")],
  ["select-type", missing("Queries of the content of objects are")],
  ["session", NO_DIRECTORY_BUCKETS],
  ["torrent", missing("BitTorrent is")],
]);

/** Tags of an object have operations of their own. */
export const OBJECT_TAGGING = "tagging";

/**
 * Returns the configuration that a request reads or writes, such as "acl"; null for a request about a bucket or object
 * itself.
 */
export function findConfiguration(query: Query, level: "bucket" | "object"): string | null {
  let found: string | null = null;
  for (const { name } of query.parameters) {
    const refusal = REFUSED_PARAMETERS.get(name);
    if (refusal !== undefined) throw new S3Error("NotImplemented", refusal);
    if (!bucketConfigurations.has(name) && !objectConfigurations.has(name)) continue;
    if (found !== null && found !== name) {
      throw new S3Error("InvalidArgument", `A request cannot be for ${found} and ${name} at once.`);
    }
    found = name;
  }
  if (found === null) return null;
  const isThere =
    level === "bucket"
      ? bucketConfigurations.has(found)
      : objectConfigurations.has(found) || found === OBJECT_TAGGING;
  if (!isThere) throw new S3Error("MethodNotAllowed", `There is no ${found} of ${level}s.`);
  return found;
}

/** Parameters that select another operation, so they are refused in reads as well. */
const MAKING_OPERATIONS = [
  "attributes",
  "delete",
  "location",
  "partNumber",
  "uploadId",
  "uploads",
  "versions",
];

/**
 * Refuses a request with a parameter of another operation, which must not be mistaken for one about the bucket or
 * object itself. A write is refused for every unknown parameter, since that may be the name of an operation.
 */
export function checkOperation(method: string, query: Query, level: "bucket" | "object"): void {
  const changes = method !== "GET" && method !== "HEAD";
  for (const { name } of query.parameters) {
    const readers = READ_PARAMETERS.get(name);
    const isRead = readers?.includes(`${method} ${level}`) ?? true;
    if (!isRead && (changes || MAKING_OPERATIONS.includes(name))) {
      const article = level === "object" ? "an" : "a";
      throw new S3Error(
        "MethodNotAllowed",
        `The parameter ${name} is not for ${method} of ${article} ${level}.`,
      );
    }
    if (changes && !isKnown(name)) {
      throw new S3Error(
        "NotImplemented",
        `The parameter ${name} asks for something that is not implemented.`,
      );
    }
  }
}

/**
 * True for known names. Names that begin with "x-" belong to headers, signatures and clients, and are checked
 * elsewhere.
 */
function isKnown(name: string): boolean {
  return (
    /^x-/i.test(name) ||
    READ_PARAMETERS.has(name) ||
    bucketConfigurations.has(name) ||
    objectConfigurations.has(name)
  );
}

export function checkVersion(query: Query): void {
  const version = query.get("versionId");
  if (version !== undefined && version !== "null") throw new S3Error("NotImplemented", NO_VERSIONS);
}
