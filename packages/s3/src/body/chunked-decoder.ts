/**
 * Decodes a body framed as aws-chunked, fed in pieces of any size:
 *
 *     body    = *(header CRLF data CRLF) last-header CRLF trailer
 *     header  = hex-size [";chunk-signature=" 64 hex digits]
 *     trailer = what follows the chunk of size 0, up to the end of the HTTP body: lines "name:value", or nothing
 *
 * Signed chunks are given out once their signature was checked, so they are held until complete and have a greatest
 * size; unsigned ones are given out as they come. An error means that the framing is lost.
 */
import { S3Error, type S3ErrorCode } from "../errors.ts";
import type { ChunkSignatures } from "../signature/chunk-signature.ts";

export interface ChunkedDecoderOptions {
  /** Null for unsigned chunks. */
  readonly signatures: ChunkSignatures | null;
  /** x-amz-decoded-content-length */
  readonly decodedBytes: number;
  readonly signedChunkBytesMax: number;
  readonly trailerBytesMax: number;
}

export interface ChunkedDecoder {
  /** The data that these bytes complete; it may refer to `piece` itself. */
  push(piece: Buffer): readonly Buffer[];
  /** At the end of the HTTP body: the text after the last chunk. */
  end(): string;
}

/** 16 hex digits, ";chunk-signature=", 64 digits, CR. */
const HEADER_BYTES_MAX = 16 + 17 + 64 + 1;

type State = "header" | "data" | "data-end" | "trailer";

export function createChunkedDecoder(options: ChunkedDecoderOptions): ChunkedDecoder {
  let state: State = "header";
  let line = "";
  let remainingBytes = 0;
  let receivedBytes = 0;
  let signature = "";
  let held: Buffer[] = [];

  /** Takes bytes up to a line feed; the line without its CR LF once it is there, else null. */
  const takeLine = (piece: Buffer, from: number): { next: number; text: string | null } => {
    const feed = piece.indexOf(10, from);
    const end = feed === -1 ? piece.length : feed;
    if (line.length + end - from > HEADER_BYTES_MAX) throw framing("The header of a chunk is too long.");
    line += piece.toString("latin1", from, end);
    if (feed === -1) return { next: end, text: null };
    if (!line.endsWith("\r")) throw framing("The header of a chunk does not end with CR LF.");
    const text = line.slice(0, -1);
    line = "";
    return { next: feed + 1, text };
  };

  const beginChunk = (header: string) => {
    const parsed = parseHeader(header, options.signatures !== null);
    receivedBytes += parsed.sizeBytes;
    if (receivedBytes > options.decodedBytes) {
      throw framing("The body is longer than x-amz-decoded-content-length says.", "IncompleteBody");
    }
    if (options.signatures && parsed.sizeBytes > options.signedChunkBytesMax) {
      throw framing(
        `A signed chunk may have ${options.signedChunkBytesMax} bytes at most.`,
        "EntityTooLarge",
      );
    }
    ({ signature } = parsed);
    remainingBytes = parsed.sizeBytes;
    if (remainingBytes > 0) {
      state = "data";
      return;
    }
    options.signatures?.checkChunk(Buffer.alloc(0), signature);
    state = "trailer";
  };

  const takeData = (piece: Buffer, from: number, output: Buffer[]): number => {
    const data = piece.subarray(from, from + remainingBytes);
    remainingBytes -= data.length;
    if (options.signatures === null) output.push(data);
    else held.push(data);
    if (remainingBytes === 0) {
      if (options.signatures) {
        const chunk = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
        held = [];
        options.signatures.checkChunk(chunk, signature);
        output.push(chunk);
      }
      state = "data-end";
    }
    return from + data.length;
  };

  const push = (piece: Buffer): readonly Buffer[] => {
    const output: Buffer[] = [];
    let at = 0;
    while (at < piece.length) {
      if (state === "data") {
        at = takeData(piece, at, output);
      } else if (state === "trailer") {
        line += piece.toString("latin1", at);
        if (line.length > options.trailerBytesMax) throw framing("The trailer of the body is too long.");
        at = piece.length;
      } else {
        const { next, text } = takeLine(piece, at);
        at = next;
        if (text === null) continue;
        if (state === "header") beginChunk(text);
        else if (text === "") state = "header";
        else throw framing("The data of a chunk is not followed by CR LF.");
      }
    }
    return output;
  };

  const end = () => {
    if (state !== "trailer") throw framing("The body ended within a chunk.", "IncompleteBody");
    if (receivedBytes !== options.decodedBytes) {
      throw framing("The body is shorter than x-amz-decoded-content-length says.", "IncompleteBody");
    }
    return line;
  };
  return { push, end };
}

function parseHeader(header: string, isSigned: boolean): { sizeBytes: number; signature: string } {
  const semicolon = header.indexOf(";");
  const hex = semicolon === -1 ? header : header.slice(0, semicolon);
  const extension = semicolon === -1 ? "" : header.slice(semicolon + 1);
  const prefix = "chunk-signature=";
  if (!/^[0-9a-fA-F]{1,12}$/.test(hex)) throw framing("The size of a chunk is not a hexadecimal number.");
  if (isSigned !== extension.startsWith(prefix) || (!isSigned && extension !== "")) {
    throw framing(isSigned ? "A chunk has no chunk-signature." : "A chunk has an unknown extension.");
  }
  return { sizeBytes: Number.parseInt(hex, 16), signature: extension.slice(prefix.length) };
}

function framing(message: string, code: S3ErrorCode = "InvalidRequest"): S3Error {
  return new S3Error(code, message, { closesConnection: true });
}
