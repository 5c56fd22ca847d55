/**
 * Reads the extended log file format of the W3C (WD-logfile-960323), as CloudFront and IIS write it: a #Fields line
 * names the columns. `cs-bytes` counts the client's bytes, headers included.
 */
import type { Counted, LineReader, LogFormat, RecordSink } from "../sink.ts";
import { anyMs, isoMs, parseBytes } from "../time.ts";

const FIELDS = "#Fields:";
const UPLOAD_METHODS: ReadonlySet<string> = new Set(["PUT", "POST"]);

export const w3cLog: LogFormat = {
  name: "W3C extended log (CloudFront)",
  notes: [
    "Sizes are what clients sent with each PUT or POST (cs-bytes), so they include the request's headers.",
    "Such logs are delivered on a best-effort basis, so some requests may be missing.",
  ],
  open: () => new W3cReader(),
};

interface Columns {
  readonly count: number;
  /** Names of required columns that are missing, for a sentence. */
  readonly missing: string;
  /** True if the last column is used, so that a truncated line could contain a wrong figure. */
  readonly endsWithFigure: boolean;
  readonly method: number;
  readonly status: number;
  readonly bytes: number;
  readonly date: number;
  readonly time: number;
  readonly timestamp: number;
}

class W3cReader implements LineReader {
  #columns: Columns | null = null;

  read(line: string, sink: RecordSink, hasEnd: boolean): Counted {
    if (line.startsWith("#")) {
      if (line.startsWith(FIELDS)) this.#columns = findColumns(line.slice(FIELDS.length).trim().split(/\s+/));
      return sink.passOver("lines of the heading");
    }
    const columns = this.#columns;
    if (columns === null) return sink.malformed("It comes before a #Fields line, which names the columns.");
    const { method, status, bytes } = columns;
    if (columns.missing !== "") return sink.malformed(missingColumns(columns.missing));
    const cells = line.includes("\t") ? line.split("\t") : line.split(" ");
    if (cells.length < columns.count) {
      return sink.malformed(`It has ${cells.length} columns, and the #Fields line names ${columns.count}.`);
    }
    if (!hasEnd && columns.endsWithFigure) {
      return sink.malformed("It has no line end, so its last column may be cut off.");
    }
    if (!UPLOAD_METHODS.has(cells[method] ?? "")) return sink.passOver("requests other than uploads");
    if (!(cells[status] ?? "").startsWith("2")) return sink.passOver("failed uploads");
    const atMs =
      columns.timestamp >= 0
        ? anyMs(cells[columns.timestamp])
        : isoMs(`${cells[columns.date]}T${cells[columns.time]}`);
    if (atMs === null) return sink.malformed("Its time is not valid.");
    const size = parseBytes(cells[bytes]);
    if (size === null) return sink.malformed("An upload has no cs-bytes.");
    return sink.upload(atMs, size);
  }
}

const missingColumns = (names: string): string =>
  `The #Fields line has no ${names}, without which no upload has a size. CloudFront's standard logs have it; for IIS run appcmd set config -section:system.applicationHost/sites -siteDefaults.logFile.logExtFileFlags:"Date,Time,Method,HttpStatus,BytesRecv" and import a log written after it.`;

function findColumns(names: readonly string[]): Columns {
  const found = {
    method: names.indexOf("cs-method"),
    status: names.indexOf("sc-status"),
    bytes: names.indexOf("cs-bytes"),
    date: names.indexOf("date"),
    time: names.indexOf("time"),
    timestamp: Math.max(names.indexOf("timestamp"), names.indexOf("timestamp(ms)")),
  };
  return {
    ...found,
    count: names.length,
    missing: ["cs-method", "sc-status", "cs-bytes"].filter((name) => !names.includes(name)).join(", "),
    endsWithFigure: Object.values(found).includes(names.length - 1),
  };
}
