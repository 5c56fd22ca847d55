/** Reads a file's text in pieces, decompressed if its first bytes identify zstd or gzip, regardless of its name. */
import { Readable, type Transform } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import type { ImportLimits } from "./imported-run.ts";
import { RefusedFile } from "./refusal.ts";

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const GZIP = [0x1f, 0x8b];
/** Bytes read in one step. Only the text of one piece is in memory, at worst a hundred times as long. */
const PIECE_BYTES = 64 * 2 ** 10;

export interface TextPiece {
  readonly text: string;
  /** Number of file bytes read so far for the text. */
  readonly fileBytesRead: number;
}

/** Throws a refusal if the file is too long, damaged or not text; earlier pieces have then already been returned. */
export async function* textPieces(bytes: Uint8Array, limits: ImportLimits): AsyncGenerator<TextPiece> {
  if (bytes.length > limits.fileBytesMax) {
    throw new RefusedFile(
      "too-large",
      `The file has ${bytes.length} bytes; at most ${limits.fileBytesMax} are accepted.`,
    );
  }
  const progress = { fileBytesRead: 0 };
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let textBytes = 0;
  for await (const piece of plainPieces(bytes, progress)) {
    textBytes += piece.length;
    if (textBytes > limits.textBytesMax) {
      throw new RefusedFile("too-large", `The file's text has more than ${limits.textBytesMax} bytes.`);
    }
    yield { text: decode(decoder, piece), fileBytesRead: progress.fileBytesRead };
  }
  yield { text: decode(decoder), fileBytesRead: bytes.length };
}

function plainPieces(bytes: Uint8Array, progress: { fileBytesRead: number }): AsyncIterable<Uint8Array> {
  const pieces = function* (): Generator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      progress.fileBytesRead = Math.min(bytes.length, from + PIECE_BYTES);
      yield bytes.subarray(from, from + PIECE_BYTES);
    }
  };
  if (startsWith(bytes, ZSTD)) return inflate("zstd", createZstdDecompress(), pieces());
  if (startsWith(bytes, GZIP)) return inflate("gzip", createGunzip(), pieces());
  return Readable.from(pieces(), { objectMode: true, highWaterMark: 1 });
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/** The decompressor continues only after its output has been read, so a small file never fills the memory. */
async function* inflate(
  kind: string,
  decompressor: Transform,
  pieces: Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
  source.pipe(decompressor);
  try {
    for await (const piece of decompressor) yield piece as Uint8Array;
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    throw new RefusedFile("not-readable", `The file's ${kind} compression is damaged or cut off.`);
  } finally {
    source.destroy();
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, piece?: Uint8Array): string {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch {
    throw new RefusedFile(
      "not-readable",
      "The file is neither UTF-8 text nor UTF-8 text compressed with zstd or gzip.",
    );
  }
}
