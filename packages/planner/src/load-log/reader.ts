/**
 * Reads access logs and listings for a plan's load: one file after the other, each in pieces of text as they arrive. At
 * the end it returns the plan's figures. It keeps counts and no lines.
 *
 *     startFile --push...--> format known --push...--> endFile --> startFile ... --> summary
 */
import { detectFormat, HEAD_CHARACTERS } from "./detect.ts";
import { JsonDocumentReader } from "./formats/json-document.ts";
import type { LineReader } from "./sink.ts";
import { type ImportedLoad, type ReadFile, summarise } from "./summary.ts";
import { LoadTally } from "./tally.ts";

/** Maximum length of a buffered line; user agents and keys are far shorter. */
const LINE_CHARACTERS_MAX = 1_048_576;

const NO_ENTRIES =
  "This JSON document has no list of objects. Run aws s3api list-objects-v2 --bucket BUCKET > listing.json.";

type Shape =
  | { readonly type: "unknown yet"; head: string }
  | { readonly type: "lines"; readonly reader: LineReader }
  | { readonly type: "document"; readonly reader: JsonDocumentReader }
  | { readonly type: "unreadable" };

export class LoadReader {
  readonly #tally: LoadTally;
  readonly #files: ReadFile[] = [];
  readonly #notes = new Set<string>();
  #shape: Shape = { type: "unreadable" };
  /** Beginning of a line whose end has not arrived. */
  #carry = "";
  #isSkipping = false;

  /** Uploads of at most this size are small and go through the stash. */
  constructor({ smallBytesMax }: { readonly smallBytesMax: number }) {
    this.#tally = new LoadTally(smallBytesMax);
  }

  get lineCount(): number {
    return this.#tally.lineCount;
  }

  startFile(name: string): void {
    this.#shape = { type: "unknown yet", head: "" };
    this.#carry = "";
    this.#isSkipping = false;
    this.#tally.fileName = name;
    this.#tally.lineNumber = 0;
    this.#files.push({ name, format: null, problem: null });
  }

  push(text: string): void {
    const shape = this.#shape;
    if (shape.type === "lines") this.#lines(text, shape.reader);
    else if (shape.type === "document") shape.reader.push(text, this.#tally);
    else if (shape.type === "unknown yet") {
      shape.head += text;
      if (shape.head.length >= HEAD_CHARACTERS) this.#begin(shape.head);
    }
  }

  endFile(): void {
    if (this.#shape.type === "unknown yet") this.#begin(this.#shape.head);
    const shape = this.#shape;
    if (shape.type === "lines" && this.#carry !== "") this.#line(this.#carry, shape.reader, false);
    if (shape.type === "document") {
      shape.reader.end(this.#tally);
      if (this.#tally.lineNumber === 0) this.failFile(NO_ENTRIES);
    }
    this.#carry = "";
    this.#shape = { type: "unreadable" };
  }

  /** Called if the rest of a file is missing. */
  failFile(problem: string): void {
    this.#tellFile({ problem });
    this.#shape = { type: "unreadable" };
  }

  summary(): ImportedLoad {
    return summarise(this.#tally, this.#files, [...this.#notes]);
  }

  #begin(head: string): void {
    const detected = detectFormat(head);
    if (detected.type === "unknown") {
      this.failFile(detected.message);
      return;
    }
    const text = head.replace(/^\ufeff/, "");
    if (detected.type === "document") {
      const reader = new JsonDocumentReader(() => this.#count());
      this.#tellFile({ format: "JSON document" });
      this.#shape = { type: "document", reader };
      reader.push(text, this.#tally);
      return;
    }
    const { format } = detected;
    this.#tellFile({ format: format.name });
    for (const note of format.notes) this.#notes.add(note);
    const reader = format.open();
    this.#shape = { type: "lines", reader };
    this.#lines(text, reader);
  }

  #tellFile(told: Partial<ReadFile>): void {
    const last = this.#files.length - 1;
    const file = this.#files[last];
    if (file !== undefined) this.#files[last] = { ...file, ...told };
  }

  #lines(text: string, reader: LineReader): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const part = text.slice(from, end);
      from = end + 1;
      if (this.#isSkipping) this.#isSkipping = false;
      else this.#line(this.#carry === "" ? part : this.#carry + part, reader, true);
      this.#carry = "";
    }
    if (this.#isSkipping) return;
    this.#carry += text.slice(from);
    if (this.#carry.length <= LINE_CHARACTERS_MAX) return;
    this.#carry = "";
    this.#isSkipping = true;
    this.#count();
    this.#tally.malformed("It is longer than a MiB.");
  }

  #line(withReturn: string, reader: LineReader, hasEnd: boolean): void {
    const line = withReturn.endsWith("\r") ? withReturn.slice(0, -1) : withReturn;
    this.#count();
    if (line.trim() === "") this.#tally.passOver("empty lines");
    else reader.read(line, this.#tally, hasEnd);
  }

  #count(): void {
    this.#tally.lineCount += 1;
    this.#tally.lineNumber += 1;
  }
}
