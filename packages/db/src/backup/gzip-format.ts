/**
 * Format 1, from before backups had a MAC: lines of JSON in one gzip stream. The first line is the header, the last has
 * the counts. Only --unverified reads it.
 */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { type BackupHeader, endSchema, headerSchema, MANIFEST_BYTES_MAX } from "./chunk-format.ts";
import { cutOffOrChanged, noBackup } from "./failures.ts";
import { type BackupItem, decodeLine, parseJson, splitLines } from "./lines.ts";
import { readAt } from "./read-at.ts";

const PIECE_BYTES = 65_536;
export const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

const firstLineSchema = headerSchema.extend({
  format: z.literal("stashlight-backup"),
  formatVersion: z.int(),
});

export async function readGzipHeader(
  file: FileHandle,
  path: string,
): Promise<BackupHeader & { formatVersion: number }> {
  let text = "";
  for await (const piece of unpack(file, noBackup(path))) {
    text += piece.toString("latin1");
    if (text.includes("\n") || text.length > MANIFEST_BYTES_MAX) break;
  }
  const [line = ""] = Buffer.from(text, "latin1").toString().split("\n");
  const parsed = firstLineSchema.safeParse(parseJson(line));
  if (!parsed.success) throw noBackup(path);
  const { format: _, ...header } = parsed.data;
  return header;
}

/** Returns the SHA-256 of all bytes. */
export async function* readGzipItems(file: FileHandle, path: string): AsyncGenerator<BackupItem, Buffer> {
  const hash = createHash("sha256");
  const damaged = cutOffOrChanged(path, "it cannot be decompressed");
  let isBegun = false;
  let isEnded = false;
  for await (const lines of splitLines(unpack(file, damaged, hash), path)) {
    for (const line of lines) {
      if (isEnded) throw cutOffOrChanged(path, "it continues after its end");
      if (!isBegun) {
        isBegun = true;
        continue;
      }
      const item = decodeGzipLine(line, path);
      isEnded = item.type === "end";
      yield item;
    }
  }
  if (!isEnded) throw cutOffOrChanged(path, "its end is missing");
  return hash.digest();
}

function decodeGzipLine(line: string, path: string): BackupItem {
  const end = endSchema.safeParse(parseJson(line));
  return end.success ? { type: "end", end: end.data } : decodeLine(line, path);
}

async function* unpack(
  file: FileHandle,
  damaged: Error,
  hash?: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  const pumped = pipeline(readPieces(file, hash), unpacked).catch(() => {});
  try {
    yield* unpacked as AsyncIterable<Buffer>;
    await pumped;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith("Z_") ? damaged : error;
  } finally {
    unpacked.destroy();
  }
}

async function* readPieces(
  file: FileHandle,
  hash: ReturnType<typeof createHash> | undefined,
): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const piece = await readAt(file, position, PIECE_BYTES);
    if (piece.length === 0) return;
    hash?.update(piece);
    position += piece.length;
    yield piece;
  }
}
