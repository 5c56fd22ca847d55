/**
 * Server access logs of S3, which Backblaze B2 and others write alike (Amazon S3 User Guide, "Amazon S3 server access
 * log format"):
 *
 *     owner bucket [time] ip requester request-id operation key "request-uri" status error sent object-size ...
 *
 * Keys are URL-encoded, so blanks separate the fields; those after the sizes may hold anything and are not read.
 */
import type { Counted, LogFormat, RecordSink } from "../sink.ts";
import { createClfClock, parseBytes } from "../time.ts";

/**
 * A completed multipart upload has the size of the whole object; its parts are logged before and must not count twice.
 */
const UPLOADS: ReadonlySet<string> = new Set(["REST.PUT.OBJECT", "REST.POST.OBJECT", "REST.POST.UPLOAD"]);
/** S3 writes "-" for the size of an empty object; the completion of a multipart upload never has one. */
const NO_SIZE_IS_ZERO: ReadonlySet<string> = new Set(["REST.PUT.OBJECT", "REST.POST.OBJECT"]);
/** Matches "REST.PUT.OBJECT", "S3.EXPIRE.OBJECT", "BATCH.DELETE.OBJECT". */
const OPERATION = /[A-Z][A-Z0-9]*\.[A-Z]/y;
const COPIES: ReadonlySet<string> = new Set(["REST.COPY.OBJECT", "REST.COPY.PART"]);
/** Number of fields between the time and the operation: address, requester and request id. */
const FIELDS_BEFORE_OPERATION = 3;

export const s3AccessLog: LogFormat = {
  name: "S3 server access log",
  notes: [
    "Access logs are delivered on a best-effort basis, so some requests may be missing.",
    "Parts of large uploads are left out: their completion counts, with the size of the whole.",
  ],
  open: () => {
    const clock = createClfClock();
    return { read: (line, sink) => readLine(line, clock, sink) };
  },
};

function readLine(line: string, clock: (text: string) => number | null, sink: RecordSink): Counted {
  const timeAt = line.indexOf(" [");
  const timeEnd = line.indexOf("] ", timeAt);
  if (timeAt < 0 || timeEnd < 0) return sink.malformed("It has no time in square brackets.");
  const at = operationStart(line, timeEnd + 2);
  const operationEnd = at < 0 ? -1 : line.indexOf(" ", at);
  if (operationEnd < 0) return sink.malformed("It has no complete operation, such as REST.PUT.OBJECT.");
  const operation = line.slice(at, operationEnd);
  if (!UPLOADS.has(operation)) return sink.passOver(describeSkipped(operation));
  const uriAt = line.indexOf(" ", operationEnd + 1) + 1;
  const uriEnd = line.indexOf('" ', uriAt + 1);
  if (uriAt === 0 || line[uriAt] !== '"' || uriEnd < 0) {
    return sink.malformed("It has no request in quotation marks.");
  }
  const sizes = line.slice(uriEnd + 2, uriEnd + 2 + SIZES_LENGTH_MAX).split(" ", FIELDS_TO_SIZE + 1);
  // The field after the size proves that the size is complete.
  if (sizes.length <= FIELDS_TO_SIZE) return sink.malformed("It ends before or within the object size.");
  const [status = "", , , size] = sizes;
  if (!status.startsWith("2")) {
    return /^\d{3}$/.test(status) ? sink.passOver("failed uploads") : sink.malformed("It has no status.");
  }
  const atMs = clock(line.slice(timeAt + 2, timeEnd));
  if (atMs === null) return sink.malformed("Its time is not valid.");
  const bytes = size === "-" && NO_SIZE_IS_ZERO.has(operation) ? 0 : parseBytes(size);
  if (bytes === null) return sink.malformed("An upload has no object size.");
  return sink.upload(atMs, bytes);
}

/**
 * Returns -1 if there is none. A requester name with blanks spans several fields, so the operation is found by its
 * form.
 */
function operationStart(line: string, from: number): number {
  let at = from;
  for (let skipped = 0; skipped < FIELDS_BEFORE_OPERATION; skipped += 1) {
    at = line.indexOf(" ", at) + 1;
    if (at === 0) return -1;
  }
  while (!isOperation(line, at)) {
    at = line.indexOf(" ", at) + 1;
    if (at === 0 || line[at] === '"') return -1;
  }
  return at;
}

function isOperation(line: string, at: number): boolean {
  OPERATION.lastIndex = at;
  return OPERATION.test(line);
}

/** Maximum length of the status, the error code and two sizes. */
const SIZES_LENGTH_MAX = 200;
const FIELDS_TO_SIZE = 4;

function describeSkipped(operation: string): string {
  if (operation === "REST.PUT.PART") return "parts of large uploads";
  if (COPIES.has(operation)) return "copies within the store";
  return "requests other than uploads";
}
