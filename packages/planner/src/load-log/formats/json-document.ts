/**
 * Reads a whole JSON document with a list of objects, such as the answer of list-objects-v2, of `b2 ls --json` or a
 * file of CloudTrail. It may be of any size and on one line, so it is not parsed whole: the entries of lists are cut
 * out of it as they come, and each is parsed separately.
 */
import type { Counted, RecordSink } from "../sink.ts";
import { readJsonRecord } from "./json-record.ts";

const ENTRY_CHARACTERS_MAX = 1_048_576;

/** Takes the text in pieces of any length. */
export class JsonDocumentReader {
  readonly #onEntry: () => void;
  /** Stack of open brackets: "[" or "{". */
  readonly #open: string[] = [];
  #isInText = false;
  #isEscaped = false;
  /** Part of the current entry read so far, and the number of open brackets around it. */
  #entry: string | null = null;
  #entryDepth = 0;
  #isTooLong = false;

  /** Called before each entry is read. */
  constructor(onEntry: () => void) {
    this.#onEntry = onEntry;
  }

  push(text: string, sink: RecordSink): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) this.#isInText = false;
        continue;
      }
      if (code === QUOTE) this.#isInText = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (code === OPEN_BRACE && this.#entry === null && this.#open.at(-1) === "[") {
          this.#entry = "";
          this.#entryDepth = this.#open.length;
          from = at;
        }
        this.#open.push(code === OPEN_BRACE ? "{" : "[");
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        this.#open.pop();
        if (this.#entry !== null && this.#open.length === this.#entryDepth) {
          this.#keep(text, from, at + 1);
          this.#finish(sink);
        }
      }
    }
    if (this.#entry !== null) this.#keep(text, from, text.length);
  }

  /** A document that ends within an entry was cut off. */
  end(sink: RecordSink): void {
    if (this.#open.length > 0) sink.malformed("The document ends before it is complete.");
  }

  #keep(text: string, from: number, to: number): void {
    if (this.#isTooLong) return;
    this.#entry += text.slice(from, to);
    this.#isTooLong = (this.#entry?.length ?? 0) > ENTRY_CHARACTERS_MAX;
    if (this.#isTooLong) this.#entry = "";
  }

  #finish(sink: RecordSink): Counted {
    const entry = this.#entry ?? "";
    const isTooLong = this.#isTooLong;
    this.#entry = null;
    this.#isTooLong = false;
    this.#onEntry();
    if (isTooLong) return sink.malformed("An entry is longer than a MiB.");
    return readJsonRecord(entry, sink);
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
