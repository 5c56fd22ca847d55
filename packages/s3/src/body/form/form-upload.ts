/** Reads a browser's form up to its file: fields first, then the bytes of the file as a stream. */
import type { Readable } from "node:stream";
import { S3Error } from "../../errors.ts";
import type { S3Limits } from "../../limits.ts";
import { utf8OfBytes } from "../../request/percent.ts";
import { readPaced } from "../paced.ts";
import { FormDecoder, type FormEvent, malformed, tooManyFields } from "./form-decoder.ts";

export interface FormUpload {
  /** Values by names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** File name without a path; empty if the client sent none. */
  readonly fileName: string;
  /** Bytes of the body so far that are not data of the file. */
  readonly fieldBytes: number;
  /** The bytes of the file; ends only after the whole form has proved valid. */
  readonly file: AsyncIterable<Buffer>;
  /** Stops reading; may be called at any time. */
  abandon(): Promise<void>;
}

export interface FormSource {
  readonly stream: Readable;
  readonly contentType: string;
  readonly limits: S3Limits;
  /** Called when the body is about to be read. */
  readonly onStart: () => void;
}

const FILE = "file";

export async function openForm({ stream, contentType, limits, onStart }: FormSource): Promise<FormUpload> {
  const decoder = new FormDecoder(readBoundary(contentType), limits);
  onStart();
  const events = readEvents(stream, decoder, limits);
  const abandon = async () => void (await events.return(undefined));
  try {
    const fields = new Map<string, string>();
    const fileName = await readFields(events, fields, limits);
    const file = readFile(events);
    return { fields, fileName, fieldBytes: decoder.framingBytes, file, abandon };
  } catch (error) {
    await abandon();
    throw error;
  }
}

async function* readEvents(
  stream: Readable,
  decoder: FormDecoder,
  limits: S3Limits,
): AsyncGenerator<FormEvent, void, undefined> {
  for await (const piece of readPaced(stream, limits)) {
    yield* decoder.push(piece);
  }
  if (decoder.isComplete) return;
  throw new S3Error("IncompleteBody", "The body ended before the last delimiter of the form.", {
    closesConnection: true,
  });
}

/** Reads all parts before the file, and returns the name of the file. */
async function readFields(
  events: AsyncGenerator<FormEvent>,
  fields: Map<string, string>,
  limits: S3Limits,
): Promise<string> {
  let name: string | null = null;
  let pieces: Buffer[] = [];
  let fieldBytes = 0;
  const endField = () => {
    if (name === null) return;
    if (fields.has(name)) throw malformed(`the field ${name} is given more than once`);
    fields.set(name, textOf(Buffer.concat(pieces).toString("latin1")));
    pieces = [];
  };
  for (;;) {
    const { value: event, done } = await events.next();
    if (done) throw new S3Error("IncorrectNumberOfFilesInPostRequest");
    if (event.kind === "data") {
      fieldBytes += event.bytes.length;
      if (fieldBytes > limits.formFieldBytesMax) throw tooManyFields(limits);
      pieces.push(event.bytes);
      continue;
    }
    endField();
    const part = readPartHead(event.head);
    if (part.name === FILE) return part.fileName ?? "";
    name = part.name;
  }
}

/** Drops fields after the file, such as the form's submit button. */
async function* readFile(events: AsyncGenerator<FormEvent>): AsyncGenerator<Buffer, void, undefined> {
  let isOfFile = true;
  for await (const event of events) {
    if (event.kind === "part") {
      isOfFile = false;
      if (readPartHead(event.head).name === FILE) throw new S3Error("IncorrectNumberOfFilesInPostRequest");
    } else if (isOfFile) {
      yield event.bytes;
    }
  }
}

interface PartHead {
  /** In lower case. */
  readonly name: string;
  readonly fileName: string | null;
}

function readPartHead(head: string): PartHead {
  const disposition = head
    .split("\r\n")
    .find((line) => line.toLowerCase().startsWith("content-disposition:"))
    ?.slice("content-disposition:".length);
  const parameters = disposition === undefined ? null : readParameters(disposition);
  const name = parameters?.get("name");
  if (name === undefined) throw malformed("a part has no Content-Disposition with a name");
  const fileName = readExtended(parameters?.get("filename*")) ?? parameters?.get("filename");
  return {
    name: textOf(name).toLowerCase(),
    // Some browsers send the path of the file on the user's machine.
    fileName: fileName === undefined ? null : textOf(fileName).replace(/^.*[/\\]/s, ""),
  };
}

const PARAMETER =
  /;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^";\s]*))[ \t]*/gy;

/** Reads the parameters of a header's value, with names in lower case; null if it is malformed. */
function readParameters(header: string): ReadonlyMap<string, string> | null {
  const semicolon = header.indexOf(";");
  const parameters = new Map<string, string>();
  if (semicolon === -1) return parameters;
  PARAMETER.lastIndex = semicolon;
  while (PARAMETER.lastIndex < header.length) {
    const match = PARAMETER.exec(header);
    if (match === null) return null;
    const [, name = "", quoted, token = ""] = match;
    // Browsers write a quote in a name as %22 and leave a backslash unchanged, so only an escaped quote is unescaped.
    parameters.set(name.toLowerCase(), quoted === undefined ? token : quoted.replaceAll('\\"', '"'));
  }
  return parameters;
}

/** Decodes a name in the form of RFC 8187, which some clients send beside or instead of a plain one. */
function readExtended(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? "")?.[1];
  if (encoded === undefined) return undefined;
  return encoded.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

export function isFormContent(contentType: string | undefined): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(contentType?.trim() ?? "");
}

function readBoundary(contentType: string): string {
  const boundary = readParameters(contentType.trim())?.get("boundary");
  // RFC 2046 allows up to 70 characters that mail gateways leave unchanged.
  if (boundary !== undefined && /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/.test(boundary)) {
    return boundary;
  }
  throw malformed("its Content-Type has no valid boundary");
}

function textOf(bytes: string): string {
  const text = utf8OfBytes(bytes);
  if (text === null) throw malformed("a field is not UTF-8");
  return text;
}
