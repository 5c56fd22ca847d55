/**
 * Decodes multipart/form-data (RFC 7578), fed in pieces of any size:
 *
 *     body      = [preamble CRLF] delimiter part *(CRLF delimiter part) CRLF delimiter "--" epilogue
 *     delimiter = "--" boundary, and then blanks and CRLF
 *     part      = *(header CRLF) CRLF data
 *
 * Data is released as it arrives, and an error is thrown only after all data before it was released, so the result does
 * not depend on where the body is cut into pieces. Only the headers of a part, and bytes at the end of a piece that may
 * begin a delimiter, are buffered.
 */
import { S3Error } from "../../errors.ts";
import type { S3Limits } from "../../limits.ts";

export type FormEvent =
  /** The headers of a part, one byte per character; its data follows. */
  | { readonly kind: "part"; readonly head: string }
  /** May refer to the piece itself. */
  | { readonly kind: "data"; readonly bytes: Buffer };

type State = "preamble" | "delimiter" | "head" | "data" | "epilogue";

const CR = 13;
const CRLF = Buffer.from("\r\n");
const END_OF_HEAD = Buffer.from("\r\n\r\n");
/** A part has one or two headers; a file's name may take most of them. */
const HEAD_BYTES_MAX = 8192;
const PADDING_BYTES_MAX = 64;

type FormLimits = Pick<S3Limits, "formFieldBytesMax">;

export class FormDecoder {
  readonly #delimiter: Buffer;
  readonly #limits: FormLimits;
  #state: State = "preamble";
  /** Bytes that cannot be classified before more arrive; at first the line break before the body's first delimiter. */
  #held: Buffer = CRLF;
  #framingBytes = 0;

  constructor(boundary: string, limits: FormLimits) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
    this.#limits = limits;
  }

  /** Bytes so far that are not data of a part. */
  get framingBytes(): number {
    return this.#framingBytes;
  }

  /** True once the last delimiter has come. */
  get isComplete(): boolean {
    return this.#state === "epilogue";
  }

  /** The caller reads the result to its end before it pushes the next piece. */
  *push(piece: Buffer): Generator<FormEvent, void, undefined> {
    const bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    for (let at: number | null = 0; at !== null; ) {
      const events: FormEvent[] = [];
      at = this.#step(bytes, at, events);
      if (this.#framingBytes > this.#limits.formFieldBytesMax) throw tooManyFields(this.#limits);
      yield* events;
    }
  }

  /** Takes one step in `bytes` from `at`. Returns null when it needs more bytes; undecided ones are then held. */
  #step(bytes: Buffer, at: number, events: FormEvent[]): number | null {
    switch (this.#state) {
      case "preamble":
      case "data":
        return this.#findDelimiter(bytes, at, events);
      case "delimiter":
        return this.#endDelimiter(bytes, at);
      case "head":
        return this.#takeHead(bytes, at, events);
      case "epilogue":
        this.#framingBytes += bytes.length - at;
        return this.#hold(bytes, bytes.length);
    }
  }

  #findDelimiter(bytes: Buffer, from: number, events: FormEvent[]): number | null {
    const found = bytes.indexOf(this.#delimiter, from);
    const end = found === -1 ? this.#undecidedFrom(bytes, from) : found;
    if (this.#state === "preamble") this.#framingBytes += end - from;
    else if (end > from) events.push({ kind: "data", bytes: bytes.subarray(from, end) });
    if (found === -1) return this.#hold(bytes, end);
    this.#state = "delimiter";
    this.#framingBytes += this.#delimiter.length;
    return found + this.#delimiter.length;
  }

  /** A delimiter has one carriage return, so it can only begin at the last one. */
  #undecidedFrom(bytes: Buffer, from: number): number {
    const start = Math.max(from, bytes.length - this.#delimiter.length + 1);
    const last = start + bytes.subarray(start).lastIndexOf(CR);
    if (last < start) return bytes.length;
    const isBeginning = this.#delimiter.subarray(0, bytes.length - last).equals(bytes.subarray(last));
    return isBeginning ? last : bytes.length;
  }

  #endDelimiter(bytes: Buffer, from: number): number | null {
    if (bytes.length - from < 2) return this.#hold(bytes, from);
    if (bytes.toString("latin1", from, from + 2) === "--") {
      this.#state = "epilogue";
      this.#framingBytes += 2;
      return from + 2;
    }
    const end = bytes.indexOf(CRLF, from);
    const padding = bytes.toString("latin1", from, Math.min(end === -1 ? bytes.length : end, from + 100));
    const isPadding = (end === -1 ? /^[ \t]*\r?$/ : /^[ \t]*$/).test(padding);
    if (!isPadding || padding.length > PADDING_BYTES_MAX) {
      throw malformed("a delimiter is not followed by a line break");
    }
    if (end === -1) return this.#hold(bytes, from);
    this.#state = "head";
    this.#framingBytes += end - from;
    // Keeps the line break, because in a part without headers it is the first half of END_OF_HEAD.
    return end;
  }

  #takeHead(bytes: Buffer, from: number, events: FormEvent[]): number | null {
    const end = bytes.indexOf(END_OF_HEAD, from);
    // Does not count bytes at the end that may begin END_OF_HEAD.
    if ((end === -1 ? bytes.length - END_OF_HEAD.length + 1 : end) - from > HEAD_BYTES_MAX) {
      throw malformed(`the headers of a part are longer than ${HEAD_BYTES_MAX} bytes`);
    }
    if (end === -1) return this.#hold(bytes, from);
    events.push({ kind: "part", head: bytes.toString("latin1", Math.min(end, from + CRLF.length), end) });
    this.#state = "data";
    this.#framingBytes += end + END_OF_HEAD.length - from;
    return end + END_OF_HEAD.length;
  }

  #hold(bytes: Buffer, from: number): null {
    this.#held = bytes.subarray(from);
    return null;
  }
}

export function malformed(what: string): S3Error {
  return new S3Error("MalformedPOSTRequest", `The body is not well-formed multipart/form-data: ${what}.`, {
    closesConnection: true,
  });
}

export function tooManyFields({ formFieldBytesMax }: FormLimits): S3Error {
  return new S3Error("MaxPostPreDataLengthExceeded", undefined, {
    details: { MaxPostPreDataLengthBytes: String(formFieldBytesMax) },
    closesConnection: true,
  });
}
