/**
 * The extended log file format of the W3C (WD-logfile-960323), as CloudFront and IIS write it: a #Fields line names the
 * columns. `cs-bytes` is what the client sent, headers included.
 */
import type { Counted, LineReader, LogFormat, RecordSink } from "../sink.ts";
import { anyMs, bytesOf, isoMs } from "../time.ts";

const FIELDS = "#Fields:";
const UPLOAD_METHODS: ReadonlySet<string> = new Set(["PUT", "POST"]);

export const w3cLog: LogFormat = {
  name: "W3C extended log (CloudFront)",
  notes: [
    "Sizes are what clients sent with each PUT or POST (cs-bytes), so that they include the request's headers.",
    "Such logs are delivered as well as may be, so that some requests may be missing.",
  ],
  open: () => new W3cReader(),
};

interface Columns {
  readonly count: number;
  readonly method: number;
  readonly status: number;
  readonly bytes: number;
  readonly date: number;
  readonly time: number;
  readonly timestamp: number;
}

class W3cReader implements LineReader {
  #columns: Columns | null = null;

  read(line: string, sink: RecordSink): Counted {
    if (line.startsWith("#")) {
      if (line.startsWith(FIELDS)) this.#columns = columnsOf(line.slice(FIELDS.length).trim().split(/\s+/));
      return sink.passOver("lines of the heading");
    }
    const columns = this.#columns;
    if (columns === null) return sink.malformed("It comes before a #Fields line, which names the columns.");
    const { method, status, bytes } = columns;
    if (method < 0 || status < 0 || bytes < 0) {
      return sink.malformed("The #Fields line lacks cs-method, sc-status or cs-bytes.");
    }
    const cells = line.includes("\t") ? line.split("\t") : line.split(" ");
    if (cells.length < columns.count) {
      return sink.malformed(`It has ${cells.length} columns, and the #Fields line names ${columns.count}.`);
    }
    if (!UPLOAD_METHODS.has(cells[method] ?? "")) return sink.passOver("requests other than uploads");
    if (!(cells[status] ?? "").startsWith("2")) return sink.passOver("failed uploads");
    const atMs =
      columns.timestamp >= 0
        ? anyMs(cells[columns.timestamp])
        : isoMs(`${cells[columns.date]}T${cells[columns.time]}`);
    if (atMs === null) return sink.malformed("Its time is none.");
    const size = bytesOf(cells[bytes]);
    if (size === null) return sink.malformed("An upload has no cs-bytes.");
    return sink.upload(atMs, size);
  }
}

const columnsOf = (names: readonly string[]): Columns => ({
  count: names.length,
  method: names.indexOf("cs-method"),
  status: names.indexOf("sc-status"),
  bytes: names.indexOf("cs-bytes"),
  date: names.indexOf("date"),
  time: names.indexOf("time"),
  timestamp: Math.max(names.indexOf("timestamp"), names.indexOf("timestamp(ms)")),
});
