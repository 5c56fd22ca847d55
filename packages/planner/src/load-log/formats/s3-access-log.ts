/**
 * Server access logs of S3, which Backblaze B2 and others write alike (Amazon S3 User Guide, "Amazon S3 server access
 * log format"):
 *
 *     owner bucket [time] ip requester request-id operation key "request-uri" status error sent object-size ...
 *
 * Keys are URL-encoded, so blanks divide the fields; those behind the sizes may hold anything and are not read.
 */
import type { Counted, LogFormat, RecordSink } from "../sink.ts";
import { bytesOf, createClfClock } from "../time.ts";

/** A completed multipart upload tells the size of the whole object; its parts are told before, and would count twice. */
const UPLOADS: ReadonlySet<string> = new Set(["REST.PUT.OBJECT", "REST.POST.OBJECT", "REST.POST.UPLOAD"]);
const COPIES: ReadonlySet<string> = new Set(["REST.COPY.OBJECT", "REST.COPY.PART"]);
/** Between the time and the operation stand the address, the requester and the request's id. */
const FIELDS_BEFORE_OPERATION = 3;

export const s3AccessLog: LogFormat = {
  name: "S3 server access log",
  notes: [
    "Access logs are delivered as well as may be, so that some requests may be missing.",
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
  let at = timeEnd + 2;
  for (let skipped = 0; skipped < FIELDS_BEFORE_OPERATION; skipped += 1) {
    at = line.indexOf(" ", at) + 1;
    if (at === 0) return sink.malformed("It ends before the operation.");
  }
  const operationEnd = line.indexOf(" ", at);
  if (operationEnd < 0) return sink.malformed("It ends after the operation.");
  const operation = line.slice(at, operationEnd);
  if (!UPLOADS.has(operation)) return sink.passOver(reasonOf(operation));
  const uriAt = line.indexOf(' "', operationEnd + 1);
  const uriEnd = line.indexOf('" ', uriAt + 2);
  if (uriAt < 0 || uriEnd < 0) return sink.malformed("It has no request in quotation marks.");
  const [status = "", , , size] = line.slice(uriEnd + 2, uriEnd + 2 + SIZES_LENGTH_MAX).split(" ", 4);
  if (!status.startsWith("2")) {
    return /^\d{3}$/.test(status) ? sink.passOver("failed uploads") : sink.malformed("It has no status.");
  }
  const atMs = clock(line.slice(timeAt + 2, timeEnd));
  if (atMs === null) return sink.malformed("Its time is none.");
  const bytes = bytesOf(size);
  if (bytes === null) return sink.malformed("An upload has no object size.");
  return sink.upload(atMs, bytes);
}

/** Status, error code and two sizes. */
const SIZES_LENGTH_MAX = 200;

function reasonOf(operation: string): string {
  if (operation === "REST.PUT.PART") return "parts of large uploads";
  if (COPIES.has(operation)) return "copies within the store";
  return "requests other than uploads";
}
