/** Writes a backup file that appears under its name only when it is durable. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import {
  type BackupEnd,
  type BackupHeader,
  type BackupKey,
  type BackupManifest,
  CHUNK_BYTES,
  createMacChain,
  encodeFrameHead,
  encodePrelude,
  frameTypes,
  type MacChain,
} from "./chunk-format.ts";
import { explainWriteError, refused } from "./failures.ts";
import { type BackupItem, encodeLine, joinLines, LINE_BYTES_MAX } from "./lines.ts";

export interface BackupContent {
  readonly header: BackupHeader;
  /** Tables with their rows, followed by the end. */
  readonly items: AsyncIterable<BackupItem>;
}

export interface WriteOptions {
  readonly key: BackupKey;
  /** Distinguishes two backups made at the same moment. */
  readonly backupId?: string;
  readonly chunkBytes?: number;
}

const deflate = promisify(deflateRaw);

export async function writeBackupFile(
  path: string,
  content: BackupContent,
  options: WriteOptions,
): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await rm(partial, { force: true });
    const file = await open(partial, "wx", 0o600);
    try {
      await writeContent(file, content, options);
      await file.sync();
      await assertStillOurs(file, partial, path);
    } catch (error) {
      if (await isNamed(file, partial)) await rm(partial, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await rename(partial, path);
    await syncFolder(dirname(path));
  } catch (error) {
    throw explainWriteError(error, path);
  }
}

async function writeContent(
  file: FileHandle,
  { header, items }: BackupContent,
  { key: { keyId, key }, backupId = randomBytes(16).toString("hex"), chunkBytes = CHUNK_BYTES }: WriteOptions,
): Promise<void> {
  const chain = createMacChain(key);
  const manifest = Buffer.from(JSON.stringify({ backupId, keyId, ...header } satisfies BackupManifest));
  const prelude = encodePrelude(manifest.length);
  await append(file, prelude, manifest, chain.manifest(prelude, manifest));
  let end: BackupEnd | undefined;
  async function* lines(): AsyncGenerator<string> {
    for await (const item of items) {
      if (item.type === "end") end = item.end;
      else yield checkLength(encodeLine(item));
    }
  }
  for await (const chunk of joinLines(lines(), chunkBytes)) {
    await appendFrame(file, chain, frameTypes.chunk, await deflate(chunk));
  }
  if (end === undefined) throw new Error("A backup's items end with their counts.");
  await appendFrame(file, chain, frameTypes.end, Buffer.from(JSON.stringify(end)));
}

async function appendFrame(file: FileHandle, chain: MacChain, type: number, payload: Buffer): Promise<void> {
  const head = { type, length: payload.length };
  await append(file, encodeFrameHead(head), payload, chain.frame(head, payload));
}

/** `write` may write only a part, so `appendFile` is used. */
const append = (file: FileHandle, ...parts: readonly Buffer[]): Promise<void> =>
  file.appendFile(Buffer.concat(parts));

/** Refuses a row that no restore would accept. */
function checkLength(line: string): string {
  if (line.length <= LINE_BYTES_MAX / 3 || Buffer.byteLength(line) <= LINE_BYTES_MAX) return line;
  throw refused(
    `A row has more than ${LINE_BYTES_MAX / 1_048_576} MiB, which is too large for a backup; use pg_dump, or remove that row: ${line.slice(0, 80)}...`,
  );
}

/** Detects another backup with the same name, which removes this one's partial file and writes its own. */
async function assertStillOurs(file: FileHandle, partial: string, path: string): Promise<void> {
  if (!(await isNamed(file, partial)))
    throw refused(
      `The backup ${path} was not written: another backup with this name began meanwhile. Give each its own name.`,
    );
  if (existsSync(path))
    throw refused(
      `The backup ${path} was not written: a file with this name appeared meanwhile. Name another.`,
    );
}

async function isNamed(file: FileHandle, path: string): Promise<boolean> {
  try {
    const [opened, named] = await Promise.all([file.stat(), stat(path)]);
    return opened.ino === named.ino && opened.dev === named.dev;
  } catch {
    return false;
  }
}

/** Makes the new name survive a power cut. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
