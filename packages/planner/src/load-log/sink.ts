/** What a format makes of the lines of a file. One call a line, without an object for it: a log has millions. */

/** What each of them returns, so that a reader which forgets a line does not compile. */
export type Counted = "counted";

export interface RecordSink {
  /** An upload that was acknowledged. `atMs` is null where the line has no time. */
  upload(atMs: number | null, bytes: number): Counted;
  /** An object that a listing has, and when it was last written. */
  listed(atMs: number | null, bytes: number): Counted;
  /** A line that is right and tells of no upload, such as a download; counted by the reason. */
  passOver(reason: string): Counted;
  /** A line that the format cannot read, with a sentence why. */
  malformed(message: string): Counted;
}

/** Reads one file, line by line. */
export interface LineReader {
  /**
   * `line` has no line end; empty lines do not come. `hasEnd` is false for a last line whose end was missing, so that a
   * figure at its end may be cut.
   */
  read(line: string, sink: RecordSink, hasEnd: boolean): Counted;
}

export interface LogFormat {
  /** As people call it: "S3 server access log". */
  readonly name: string;
  /** What the figures of such a file leave out or add, in sentences. */
  readonly notes: readonly string[];
  open(): LineReader;
}
