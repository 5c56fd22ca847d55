/** Callbacks of a format for the lines of a file. One call per line, without an object for it: a log has millions. */

/** Return value of each callback, so that a reader that forgets a line does not compile. */
export type Counted = "counted";

export interface RecordSink {
  /** Acknowledged upload. `atMs` is null if the line has no time. */
  upload(atMs: number | null, bytes: number): Counted;
  /** Object in a listing, and the time when it was last written. */
  listed(atMs: number | null, bytes: number): Counted;
  /** Valid line without an upload, such as a download; counted by the reason. */
  passOver(reason: string): Counted;
  /** Line that the format cannot read, with a sentence that explains why. */
  malformed(message: string): Counted;
}

/** Reads one file, line by line. */
export interface LineReader {
  /**
   * `line` has no line end; empty lines are skipped. `hasEnd` is false for a last line without a line end, so that a
   * figure at its end may be cut off.
   */
  read(line: string, sink: RecordSink, hasEnd: boolean): Counted;
}

export interface LogFormat {
  /** Common name: "S3 server access log". */
  readonly name: string;
  /** Sentences about omissions and additions in the figures of this format. */
  readonly notes: readonly string[];
  open(): LineReader;
}
