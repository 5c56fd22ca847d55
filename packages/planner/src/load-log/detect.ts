/** Detects the format of a file by its beginning. */
import { csvListing } from "./formats/csv.ts";
import { jsonLines } from "./formats/json-lines.ts";
import { isFields } from "./formats/json-record.ts";
import { s3AccessLog } from "./formats/s3-access-log.ts";
import { isRoundedS3Ls, isS3Ls, s3Ls } from "./formats/s3-ls.ts";
import { w3cLog } from "./formats/w3c.ts";
import type { LogFormat, RecordSink } from "./sink.ts";

/** Characters of a file that are examined. */
export const HEAD_CHARACTERS = 65_536;
/** Number of lines to examine, because a truncated log may begin within a line. */
const LINES_LOOKED_AT = 20;

export type Detected =
  | { readonly type: "lines"; readonly format: LogFormat }
  | { readonly type: "document" }
  | { readonly type: "unknown"; readonly message: string };

const READABLE =
  "Stashlight reads S3 server access logs, W3C extended logs such as CloudFront's, JSON lines, and listings: aws s3 ls, list-objects JSON and S3 Inventory as CSV.";
const LIST_COMMAND = "aws s3 ls --recursive s3://BUCKET > listing.txt";
const INVENTORY_AS_CSV =
  'Have S3 Inventory write CSV ("Format": "CSV" in aws s3api put-bucket-inventory-configuration), or run';

const ACCESS_LOG = /^\S+ \S+ \[\d{2}\/[A-Z][a-z]{2}\/\d{4}:/;
/** The common and the combined log format of web servers. */
const WEB_SERVER_LOG = /^\S+ \S+ \S+ \[\d{2}\/[A-Z][a-z]{2}\/\d{4}:[^\]]*\] "/;

/** First bytes of binary files that users may take for a log, and the advice for converting them to text. */
const binaries: readonly (readonly [begin: string, message: string])[] = [
  [
    "PAR1",
    `This is Parquet, but only text is read. ${INVENTORY_AS_CSV} duckdb -c "COPY (SELECT size, last_modified_date FROM 'FILE.parquet') TO 'listing.csv'".`,
  ],
  ["ORC", `This is ORC, but only text is read. ${INVENTORY_AS_CSV} orc-tools data FILE.orc > listing.jsonl.`],
  [
    "PK\u0003\u0004",
    "This is a zip archive, but only text and gzip files are read. Run unzip -p FILE.zip > log.txt.",
  ],
  [
    "(\ufffd/\ufffd",
    "This is compressed with zstd, but only text and gzip files are read. Run zstd -d FILE.zst.",
  ],
  ["\ufffd7zXZ", "This is compressed with xz, but only text and gzip files are read. Run unxz -k FILE.xz."],
  ["BZh", "This is compressed with bzip2, but only text and gzip files are read. Run bunzip2 -k FILE.bz2."],
];

export function detectFormat(head: string): Detected {
  const text = head.replace(/^\ufeff/, "").trimStart();
  if (text === "") {
    return { type: "unknown", message: `The file is empty. For a listing run ${LIST_COMMAND}.` };
  }
  const binary = binaries.find(([begin]) => text.startsWith(begin));
  if (binary !== undefined) return { type: "unknown", message: binary[1] };
  if (text.startsWith("{") || text.startsWith("[")) return detectJson(text);
  const lines = text.split("\n", LINES_LOOKED_AT).map((line) => line.trimEnd());
  if (lines.some((line) => /^#(Version|Fields):/.test(line))) return { type: "lines", format: w3cLog };
  if (lines.some((line) => ACCESS_LOG.test(line))) return { type: "lines", format: s3AccessLog };
  if (lines.some(isRoundedS3Ls)) return { type: "unknown", message: ROUNDED };
  if (lines.some(isS3Ls)) return { type: "lines", format: s3Ls };
  if (isCsv(lines)) return { type: "lines", format: csvListing };
  return {
    type: "unknown",
    message: lines.some((line) => WEB_SERVER_LOG.test(line)) ? OF_WEB_SERVER : other(lines),
  };
}

const ROUNDED = `This is aws s3 ls with --human-readable, which rounds sizes to a tenth of a KiB or MiB. Run it without: ${LIST_COMMAND}.`;
const OF_WEB_SERVER =
  'This is the access log of a web server, whose sizes are those of answers, not of uploads. In nginx, log what clients send as JSON lines: log_format uploads escape=json \'{"time":"$time_iso8601","method":"$request_method","status":"$status","bytes":"$content_length"}\';';
const BEGIN_SHOWN = 40;

function other([first = ""]: readonly string[]): string {
  const begin = first.replace(/[^ -~]/g, "?");
  const shown = begin.length > BEGIN_SHOWN ? `${begin.slice(0, BEGIN_SHOWN)}...` : begin;
  return `It begins with ${JSON.stringify(shown)}, which matches no format that can be read. ${READABLE} For a listing run ${LIST_COMMAND}.`;
}

/** An API response is one object with a list; JSON lines are objects without one. */
function detectJson(text: string): Detected {
  const lineEnd = text.indexOf("\n");
  const first = lineEnd < 0 ? text : text.slice(0, lineEnd);
  try {
    const value: unknown = JSON.parse(first);
    const hasList =
      isFields(value) && Object.values(value).some((part) => Array.isArray(part) && isFields(part[0]));
    if (isFields(value) && !hasList) return { type: "lines", format: jsonLines };
  } catch {
    // The object continues on the next line.
  }
  return { type: "document" };
}

function isCsv(lines: readonly string[]): boolean {
  let found = false;
  const sink: RecordSink = {
    upload: () => "counted",
    listed: () => {
      found = true;
      return "counted";
    },
    passOver: () => "counted",
    malformed: () => "counted",
  };
  const reader = csvListing.open();
  for (const line of lines.filter((each) => each.includes(","))) reader.read(line, sink, true);
  return found;
}
