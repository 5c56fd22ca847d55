import { gunzipSync, zstdDecompressSync } from "node:zlib";
import type { ImportLimits } from "./imported-run.ts";
import { RefusedFile } from "./refusal.ts";

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const GZIP = [0x1f, 0x8b];

/** The file's text: decompressed within bounds if its first bytes say zstd or gzip, whatever it is called. */
export function textOf(bytes: Uint8Array, limits: ImportLimits): string {
  if (bytes.length > limits.fileBytesMax) {
    throw new RefusedFile(
      "too-large",
      `The file has ${bytes.length} bytes; at most ${limits.fileBytesMax} are taken.`,
    );
  }
  const plain = decompressed(bytes, limits);
  if (plain.length > limits.textBytesMax) throw tooMuchText(limits);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch {
    throw new RefusedFile(
      "not-readable",
      "The file is no text in UTF-8, and neither zstd nor gzip of such a text.",
    );
  }
}

function decompressed(bytes: Uint8Array, limits: ImportLimits): Uint8Array {
  const options = { maxOutputLength: limits.textBytesMax };
  if (startsWith(bytes, ZSTD)) return inflate("zstd", () => zstdDecompressSync(bytes, options), limits);
  if (startsWith(bytes, GZIP)) return inflate("gzip", () => gunzipSync(bytes, options), limits);
  return bytes;
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

function inflate(kind: string, run: () => Uint8Array, limits: ImportLimits): Uint8Array {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw tooMuchText(limits);
    throw new RefusedFile("not-readable", `The file's ${kind} compression is damaged or cut off.`);
  }
}

function tooMuchText(limits: ImportLimits): RefusedFile {
  return new RefusedFile("too-large", `The file's text has more than ${limits.textBytesMax} bytes.`);
}
