/** The format of a file, by how it begins. */
import { csvListing } from "./formats/csv.ts";
import { jsonLines } from "./formats/json-lines.ts";
import { isFields } from "./formats/json-record.ts";
import { s3AccessLog } from "./formats/s3-access-log.ts";
import { isS3Ls, s3Ls } from "./formats/s3-ls.ts";
import { w3cLog } from "./formats/w3c.ts";
import type { LogFormat, RecordSink } from "./sink.ts";

/** So many characters of a file are looked at. */
export const HEAD_CHARACTERS = 65_536;
/** A log that was cut begins within a line. */
const LINES_LOOKED_AT = 20;

export type Detected =
  | { readonly type: "lines"; readonly format: LogFormat }
  | { readonly type: "document" }
  | { readonly type: "unknown"; readonly message: string };

const READABLE =
  "Stashlight reads S3 server access logs, W3C extended logs such as CloudFront's, JSON lines, and listings: aws s3 ls, list-objects JSON and S3 Inventory as CSV.";

const ACCESS_LOG = /^\S+ \S+ \[\d{2}\/[A-Z][a-z]{2}\/\d{4}:/;

/** How binary files begin that people may take for a log. */
const binaries: readonly (readonly [begin: string, message: string])[] = [
  ["PAR1", "This is Parquet. Have S3 Inventory write CSV instead."],
  ["ORC", "This is ORC. Have S3 Inventory write CSV instead."],
  ["PK\u0003\u0004", "This is a zip archive. Unpack it first."],
  ["(\ufffd/\ufffd", "This is compressed with zstd. Unpack it first; gz is unpacked here."],
];

export function detectFormat(head: string): Detected {
  const text = head.replace(/^\ufeff/, "").trimStart();
  if (text === "") return { type: "unknown", message: "The file is empty." };
  const binary = binaries.find(([begin]) => text.startsWith(begin));
  if (binary !== undefined) return { type: "unknown", message: binary[1] };
  if (text.startsWith("{") || text.startsWith("[")) return jsonOf(text);
  const lines = text.split("\n", LINES_LOOKED_AT).map((line) => line.trimEnd());
  if (lines.some((line) => /^#(Version|Fields):/.test(line))) return { type: "lines", format: w3cLog };
  if (lines.some((line) => ACCESS_LOG.test(line))) return { type: "lines", format: s3AccessLog };
  if (lines.some(isS3Ls)) return { type: "lines", format: s3Ls };
  if (isCsv(lines)) return { type: "lines", format: csvListing };
  return { type: "unknown", message: `It is none of the formats that can be read. ${READABLE}` };
}

/** The answer of an interface is one object with a list; JSON lines are objects without. */
function jsonOf(text: string): Detected {
  const lineEnd = text.indexOf("\n");
  const first = lineEnd < 0 ? text : text.slice(0, lineEnd);
  try {
    const value: unknown = JSON.parse(first);
    const hasList =
      isFields(value) && Object.values(value).some((part) => Array.isArray(part) && isFields(part[0]));
    if (isFields(value) && !hasList) return { type: "lines", format: jsonLines };
  } catch {
    // The object goes on in the next line.
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
  for (const line of lines.filter((each) => each.includes(","))) reader.read(line, sink);
  return found;
}
