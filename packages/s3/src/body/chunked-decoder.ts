/**
 * Decodes a body framed as aws-chunked, fed in pieces of any size:
 *
 *     body    = *(header CRLF data CRLF) last-header CRLF trailer
 *     header  = hex-size [";chunk-signature=" 64 hex digits]
 *     trailer = what follows the chunk of size 0, up to the end of the HTTP body: lines "name:value", or nothing
 *
 * Signed chunks are released only after their signature is verified, so they are buffered until complete and their size
 * is limited; unsigned ones are released as they arrive. After an error the framing is lost.
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

/** 16 hex digits, ";chunk-signature=", 64 digits, CR. */
const HEADER_BYTES_MAX = 16 + 17 + 64 + 1;

type State = "header" | "data" | "data-end" | "trailer";

export class ChunkedDecoder {
  readonly #options: ChunkedDecoderOptions;
  #state: State = "header";
  #line = "";
  #remainingBytes = 0;
  #receivedBytes = 0;
  #signature = "";
  #held: Buffer[] = [];

  constructor(options: ChunkedDecoderOptions) {
    this.#options = options;
  }

  /** Returns the data that these bytes complete; the result may refer to `piece` itself. */
  push(piece: Buffer): readonly Buffer[] {
    const output: Buffer[] = [];
    for (let at = 0; at < piece.length; ) {
      if (this.#state === "data") at = this.#takeData(piece, at, output);
      else if (this.#state === "trailer") at = this.#takeTrailer(piece, at);
      else at = this.#takeLine(piece, at);
    }
    return output;
  }

  /** Called at the end of the HTTP body; returns the text after the last chunk. */
  end(): string {
    if (this.#state !== "trailer") throw framing("The body ended within a chunk.", "IncompleteBody");
    if (this.#receivedBytes !== this.#options.decodedBytes) {
      throw framing("The body is shorter than x-amz-decoded-content-length.", "IncompleteBody");
    }
    return this.#line;
  }

  #takeLine(piece: Buffer, from: number): number {
    const feed = piece.indexOf(10, from);
    const end = feed === -1 ? piece.length : feed;
    if (this.#line.length + end - from > HEADER_BYTES_MAX)
      throw framing("The header of a chunk is too long.");
    this.#line += piece.toString("latin1", from, end);
    if (feed === -1) return end;
    if (!this.#line.endsWith("\r")) throw framing("The header of a chunk does not end with CR LF.");
    const text = this.#line.slice(0, -1);
    this.#line = "";
    if (this.#state === "header") this.#beginChunk(text);
    else if (text === "") this.#state = "header";
    else throw framing("The data of a chunk is not followed by CR LF.");
    return feed + 1;
  }

  #beginChunk(header: string): void {
    const { signatures, decodedBytes, signedChunkBytesMax } = this.#options;
    const { sizeBytes, signature } = parseHeader(header, signatures !== null);
    this.#receivedBytes += sizeBytes;
    if (this.#receivedBytes > decodedBytes) {
      throw framing("The body is longer than x-amz-decoded-content-length.", "IncompleteBody");
    }
    if (signatures && sizeBytes > signedChunkBytesMax) {
      throw framing(`A signed chunk may have ${signedChunkBytesMax} bytes at most.`, "EntityTooLarge");
    }
    this.#signature = signature;
    this.#remainingBytes = sizeBytes;
    this.#state = sizeBytes > 0 ? "data" : "trailer";
    if (sizeBytes === 0) signatures?.checkChunk(Buffer.alloc(0), signature);
  }

  #takeData(piece: Buffer, from: number, output: Buffer[]): number {
    const { signatures } = this.#options;
    const data = piece.subarray(from, from + this.#remainingBytes);
    this.#remainingBytes -= data.length;
    if (signatures === null) output.push(data);
    else this.#held.push(data);
    if (this.#remainingBytes === 0) {
      this.#state = "data-end";
      if (signatures) {
        const chunk = this.#held.length === 1 ? data : Buffer.concat(this.#held);
        this.#held = [];
        signatures.checkChunk(chunk, this.#signature);
        output.push(chunk);
      }
    }
    return from + data.length;
  }

  #takeTrailer(piece: Buffer, from: number): number {
    if (this.#line.length + piece.length - from > this.#options.trailerBytesMax) {
      throw framing("The trailer of the body is too long.");
    }
    this.#line += piece.toString("latin1", from);
    return piece.length;
  }
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
