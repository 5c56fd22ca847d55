/** Reads a request's body. Its size is limited while it is read, and decompression stops at its own limit. */

import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { constants, gunzip, gunzipSync, zstdDecompress, zstdDecompressSync } from "node:zlib";
import { findReservedName, reservedNameSentence } from "@stashlight/contracts/json";
import type { ZodType } from "zod";
import { refusal } from "./answer.ts";

const gunzipBounded = promisify(gunzip);
const zstdBounded = promisify(zstdDecompress);

/** Window of 8 MiB, which a frame may require its reader to hold; frames of our agents require less. */
const ZSTD_WINDOW_LOG_MAX = 23;

/** Returns the announced length. Throws a refusal if it is missing or too large. */
export function announcedBytes(request: IncomingMessage, bytesMax: number): number {
  const text = request.headers["content-length"];
  if (request.headers["transfer-encoding"] !== undefined || text === undefined) {
    throw refusal(411, "Send the body's length in Content-Length.");
  }
  const length = Number(text);
  if (length > bytesMax) {
    throw refusal(413, `The body has ${length} bytes, and ${bytesMax} are allowed.`);
  }
  return length;
}

/**
 * Rejects if the connection ends before the body does; the server's time limits end a slow one. Uses events, because
 * iterating over a small request would cost as much as all other work on it.
 */
export function readBody(request: IncomingMessage, length: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let body: Buffer | undefined;
  let at = 0;
  request.on("data", (chunk: Buffer) => {
    // A small body arrives in one piece.
    if (body === undefined && chunk.length === length) body = chunk;
    else {
      body ??= Buffer.allocUnsafe(length);
      chunk.copy(body, at);
    }
    at += chunk.length;
  });
  const end = (): void => {
    if (at === length) resolve(body ?? Buffer.alloc(0));
    else reject(refusal(400, "The body ended early."));
  };
  request.once("end", end).once("error", reject).once("close", end);
  return promise;
}

/** Reads a body of at most this many bytes, whether or not its length is announced. */
export async function readBodyUpTo(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (request.headers["transfer-encoding"] === undefined) {
    return readBody(request, announcedBytes(request, bytesMax));
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax)
      throw refusal(413, `The body has more than the ${bytesMax} bytes that are allowed.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Limit on the rest of a refused request, which the client sends before it reads the answer. Closing the connection
 * earlier may lose the answer.
 */
const SKIPPED_BYTES_MAX = 33_554_432;

/** Reads and discards the rest of a refused request; returns false if it is too long. */
export async function skipBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.destroyed) return request.complete;
  const announced = Number(request.headers["content-length"] ?? Number.NaN);
  if (!(announced <= SKIPPED_BYTES_MAX)) return false;
  await new Promise((resolve) => request.resume().once("close", resolve).once("end", resolve));
  return request.complete;
}

/**
 * Bodies up to this size are decompressed synchronously, because handing a small body to another thread costs five
 * times as much.
 */
const AT_ONCE_BYTES_MAX = 32_768;
const AT_ONCE_DECODED_BYTES_MAX = 262_144;

const zstdParams = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX };

/** Nearly every batch decompresses to at most this multiple of its size, which bounds the memory for it. */
const USUAL_RATIO = 4;

const inflateChunkBytes = ({ length }: Buffer): number => Math.max(1024, USUAL_RATIO * length);

/** Null if the body is too large to decompress synchronously. */
function atOnce(body: Buffer, decompressUpTo: (maxOutputLength: number) => Buffer): Buffer | null {
  if (body.length > AT_ONCE_BYTES_MAX) return null;
  try {
    return decompressUpTo(AT_ONCE_DECODED_BYTES_MAX);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return null;
    throw error;
  }
}

export async function decompress(
  body: Buffer,
  encoding: string | undefined,
  bytesMax: number,
): Promise<Buffer> {
  const bytes = await decompressed(body, encoding, bytesMax);
  if (bytes.length > bytesMax) {
    throw refusal(413, `The body has ${bytes.length} bytes, and ${bytesMax} are allowed.`);
  }
  return bytes;
}

async function decompressed(body: Buffer, encoding: string | undefined, bytesMax: number): Promise<Buffer> {
  try {
    switch (encoding) {
      case "zstd": {
        const params = zstdParams;
        const small = atOnce(body, (maxOutputLength) =>
          zstdDecompressSync(body, { maxOutputLength, params, chunkSize: inflateChunkBytes(body) }),
        );
        return small ?? (await zstdBounded(body, { maxOutputLength: bytesMax, params }));
      }
      case "gzip": {
        const small = atOnce(body, (maxOutputLength) => gunzipSync(body, { maxOutputLength }));
        return small ?? (await gunzipBounded(body, { maxOutputLength: bytesMax }));
      }
      case undefined:
      case "identity":
        return body;
      default:
        throw refusal(415, "Content-Encoding is one of zstd, gzip and identity.");
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") {
      throw refusal(413, `The body decompresses to more than the ${bytesMax} bytes that are allowed.`);
    }
    // Zlib's own error codes; the refusal thrown above has none.
    if (code !== undefined) throw refusal(400, `The body is not ${encoding}.`);
    throw error;
  }
}

/** Throws a refusal if the body is not JSON, or has a field with a name that every object inherits. */
export function parseJson(body: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    throw refusal(400, "The body is not JSON.");
  }
  const reserved = findReservedName(value);
  if (reserved !== undefined) throw refusal(400, reservedNameSentence(reserved));
  return value;
}

/** Throws a refusal that names the invalid field as `whose`, such as "The report's". */
export function parseAs<Body>(body: Buffer, schema: ZodType<Body>, whose: string): Body {
  const parsed = schema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw refusal(400, `${whose} ${issue?.path.join(".") || "type"}: ${issue?.message}`);
}
