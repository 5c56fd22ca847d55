/**
 * Reads one JSON object about an upload or a kept object: events of B2, audit logs of MinIO, CloudTrail, and entries of
 * listings. Each writes its fields under other names, so the first name found counts.
 */
import type { Counted, RecordSink } from "../sink.ts";
import { anyMs, parseBytes } from "../time.ts";

type Fields = Readonly<Record<string, unknown>>;

const EVENT_TIMES = ["eventTimestamp", "eventTime", "timestamp", "@timestamp", "time", "Time", "date"];
/** Names of time fields in listings. */
const KEPT_TIMES = ["LastModified", "lastModified", "last_modified", "LastModifiedDate"].concat([
  "last_modified_date",
  "uploadTimestamp",
]);
const SIZES = ["objectSize", "object_size", "Size", "size", "contentLength", "content_length"].concat([
  "bytesTransferredIn",
  "inputBytes",
  "rx",
  "bytes_received",
  "bytes",
]);
const OPERATIONS = ["eventType", "eventName", "action", "operation", "method", "verb"];
const STATUSES = ["statusCode", "status_code", "http_status", "httpStatus", "status"];
/** Names of nested objects with the record's data. */
const INNER = ["api", "additionalEventData", "object", "s3", "request", "response"];

/** Words in names of operations that store an object; names of reads and deletes contain none of them. */
const UPLOAD = /^(put|post)$|put[_.]?object(?!acl|tag|retention|legal|lock)|objectcreated|upload/i;
const PART = /part$/i;
const NOT_UPLOAD = /start|hide|folder|copy|copied|abort|initiate|(create|new)multipart|list|acl$|tagging$/i;

const NO_SIZE = "It has no size in bytes under a known name, such as size, objectSize or contentLength.";

export function readJsonRecord(text: string, sink: RecordSink): Counted {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return sink.malformed("It is not JSON.");
  }
  if (!isFields(value)) return sink.malformed("It is not a JSON object.");
  // In a listing, `name` is the name of the object.
  const operation = isFields(value.api) ? value.api.name : find(value, OPERATIONS);
  if (typeof operation === "string" && !isUpload(operation)) {
    return sink.passOver(PART.test(operation) ? "parts of large uploads" : "requests other than uploads");
  }
  const status = Number(find(value, STATUSES) ?? 200);
  if ((Number.isFinite(status) && (status < 200 || status > 299)) || typeof value.errorCode === "string") {
    return sink.passOver("failed uploads");
  }
  const bytes = parseBytes(find(value, SIZES));
  if (bytes === null) return sink.malformed(NO_SIZE);
  const eventTime = find(value, EVENT_TIMES);
  const time = eventTime ?? find(value, KEPT_TIMES);
  const atMs = time === undefined ? null : anyMs(time);
  if (time !== undefined && atMs === null) return sink.malformed("Its time is not valid.");
  return eventTime === undefined ? sink.listed(atMs, bytes) : sink.upload(atMs, bytes);
}

const isUpload = (operation: string): boolean =>
  UPLOAD.test(operation) && !PART.test(operation) && !NOT_UPLOAD.test(operation);

/** Returns the first of these fields, searching the record itself before nested objects. */
function find(record: Fields, names: readonly string[], depth = 0): unknown {
  for (const name of names) {
    const value = record[name];
    if (value !== undefined && value !== null && typeof value !== "object") return value;
  }
  if (depth >= 2) return undefined;
  for (const name of INNER) {
    const inner = record[name];
    const found = isFields(inner) ? find(inner, names, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
