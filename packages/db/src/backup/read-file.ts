/** Opens a backup file and reads it any number of times; each read checks every MAC. */
import { randomBytes } from "node:crypto";
import { type FileHandle, open, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import {
  type BackupEnd,
  type BackupHeader,
  type BackupKey,
  type BackupManifest,
  CHUNK_BYTES,
  createMacChain,
  decodeFrameHead,
  decodePrelude,
  endSchema,
  FORMAT_VERSION,
  FRAME_HEAD_BYTES,
  frameTypes,
  isSameMac,
  MAC_BYTES,
  MAGIC,
  MANIFEST_BYTES_MAX,
  type MacChain,
  manifestSchema,
  PAYLOAD_BYTES_MAX,
  PRELUDE_BYTES,
} from "./chunk-format.ts";
import { cutOffOrChanged, explainReadError, invalid, noBackup, refused } from "./failures.ts";
import { GZIP_MAGIC, readGzipHeader, readGzipItems } from "./gzip-format.ts";
import { type BackupItem, decodeLine, parseJson, splitLines } from "./lines.ts";
import { readAt } from "./read-at.ts";

/** Proof that a file must have to be trusted. */
export type BackupTrust =
  | { readonly type: "key"; readonly key: BackupKey }
  /** The author of the file is unproven, because the secret is lost or the file has no MAC. */
  | { readonly type: "unverified" };

export interface BackupFile {
  readonly header: BackupHeader;
  /** Key id in the file; null in a format without one. */
  readonly keyId: string | null;
  /**
   * Reads from the first byte. Returns a digest of all bytes, which shows whether the file changed between two reads.
   */
  read(): AsyncGenerator<BackupItem, Buffer>;
  close(): Promise<void>;
}

const inflate = promisify(inflateRaw);

export async function openBackupFile(path: string, trust: BackupTrust): Promise<BackupFile> {
  const file = await openRegularFile(path);
  try {
    return await identify(file, path, trust);
  } catch (error) {
    await file.close();
    throw explainReadError(error, path);
  }
}

async function openRegularFile(path: string): Promise<FileHandle> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw invalid(`${path} is a folder. Name the backup in it.`);
    // Opening a pipe would block until another process writes to it.
    if (!found.isFile())
      throw invalid(`${path} is not a regular file. A backup is read twice, so save it in a file first.`);
    if (found.size === 0) throw invalid(`${path} is empty. Use another backup.`);
    return await open(path, "r");
  } catch (error) {
    throw explainReadError(error, path);
  }
}

async function identify(file: FileHandle, path: string, trust: BackupTrust): Promise<BackupFile> {
  const prelude = await readAt(file, 0, PRELUDE_BYTES);
  if (prelude.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return openGzipFile(file, path, trust);
  if (!prelude.subarray(0, MAGIC.length).equals(MAGIC)) throw noBackup(path);
  if (prelude.length < PRELUDE_BYTES) throw cutOffOrChanged(path, "its beginning is missing");
  const { formatVersion } = decodePrelude(prelude);
  if (formatVersion > FORMAT_VERSION) throw laterFormat(path, formatVersion);
  if (formatVersion < FORMAT_VERSION) throw cutOffOrChanged(path, `it names format ${formatVersion}`);
  const { manifest } = await readManifest(file, path, trust);
  const { keyId, backupId: _, ...header } = manifest;
  return {
    header,
    keyId,
    read: () => explainErrors(readItems(file, path, trust), path),
    close: () => file.close(),
  };
}

async function openGzipFile(file: FileHandle, path: string, trust: BackupTrust): Promise<BackupFile> {
  const { formatVersion, ...header } = await readGzipHeader(file, path);
  if (formatVersion > 1) throw laterFormat(path, formatVersion);
  if (trust.type !== "unverified") {
    throw refused(
      `${path} was written by an earlier version, whose backups carry no MAC, so nothing shows whether it was changed. If you know that it was not, restore it with --unverified.`,
    );
  }
  return {
    header,
    keyId: null,
    read: () => explainErrors(readGzipItems(file, path), path),
    close: () => file.close(),
  };
}

const laterFormat = (path: string, formatVersion: number) =>
  invalid(
    `${path} was written by a later version (format ${formatVersion}; this one reads up to ${FORMAT_VERSION}). Use a later Stashlight.`,
  );

interface ReadManifest {
  readonly manifest: BackupManifest;
  readonly chain: MacChain;
  /** Position of the first frame. */
  readonly end: number;
}

async function readManifest(file: FileHandle, path: string, trust: BackupTrust): Promise<ReadManifest> {
  const prelude = await readAt(file, 0, PRELUDE_BYTES);
  const { manifestLength } = decodePrelude(prelude);
  const damaged = cutOffOrChanged(path, "its manifest fails its check");
  if (manifestLength > MANIFEST_BYTES_MAX) throw damaged;
  const bytes = await readAt(file, PRELUDE_BYTES, manifestLength + MAC_BYTES);
  const parsed = manifestSchema.safeParse(parseJson(bytes.subarray(0, manifestLength).toString()));
  if (bytes.length < manifestLength + MAC_BYTES || !parsed.success) throw damaged;
  const manifest = parsed.data;
  if (trust.type === "key" && trust.key.keyId !== manifest.keyId)
    throw otherInstallation(path, manifest.keyId, trust.key.keyId);
  const chain = createMacChain(chainKey(trust));
  const mac = chain.manifest(prelude, bytes.subarray(0, manifestLength));
  if (isWrong(mac, bytes.subarray(manifestLength), trust)) throw damaged;
  return { manifest, chain, end: PRELUDE_BYTES + manifestLength + MAC_BYTES };
}

/** A chain with a random key only shows whether two reads saw the same bytes. */
const unverifiedKey = randomBytes(MAC_BYTES);
const chainKey = (trust: BackupTrust): Uint8Array => (trust.type === "key" ? trust.key.key : unverifiedKey);

const isWrong = (computed: Buffer, stored: Buffer, trust: BackupTrust): boolean =>
  trust.type === "key" && !isSameMac(computed, stored);

const otherInstallation = (path: string, wroteKeyId: string, givenKeyId: string) =>
  refused(
    `${path} was written by another installation, or before this one's secret was replaced (key ${wroteKeyId}; the secret given has key ${givenKeyId}). If you trust the owner of that secret, give it in a file with --other-installation SECRET_FILE.`,
  );

async function* readItems(
  file: FileHandle,
  path: string,
  trust: BackupTrust,
): AsyncGenerator<BackupItem, Buffer> {
  const { chain, end: start } = await readManifest(file, path, trust);
  let end: BackupEnd | undefined;
  const frames = readFrames(file, path, { chain, start, trust });
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const { type, payload } of frames) {
      if (type === frameTypes.chunk) yield await unpack(payload, path);
      else end = decodeEnd(payload, path);
    }
  }
  for await (const lines of splitLines(chunks(), path))
    for (const line of lines) yield decodeLine(line, path);
  if (end === undefined) throw cutOffOrChanged(path, "its end is missing");
  yield { type: "end", end };
  return chain.digest();
}

interface FrameSource {
  readonly chain: MacChain;
  readonly start: number;
  readonly trust: BackupTrust;
}

/** Yields frames with a valid MAC; the last is the end, and nothing may follow it. */
async function* readFrames(
  file: FileHandle,
  path: string,
  { chain, start, trust }: FrameSource,
): AsyncGenerator<{ type: number; payload: Buffer }> {
  let position = start;
  for (let count = 1; ; count += 1) {
    const bytes = await readAt(file, position, FRAME_HEAD_BYTES);
    if (bytes.length < FRAME_HEAD_BYTES) throw cutOffOrChanged(path, "its end is missing");
    const head = decodeFrameHead(bytes);
    const isKnown = head.type === frameTypes.chunk || head.type === frameTypes.end;
    const damaged = cutOffOrChanged(path, `chunk ${count} fails its check`);
    if (!isKnown || head.length > PAYLOAD_BYTES_MAX) throw damaged;
    const rest = await readAt(file, position + FRAME_HEAD_BYTES, head.length + MAC_BYTES);
    if (rest.length < head.length + MAC_BYTES) throw cutOffOrChanged(path, "its end is missing");
    const payload = rest.subarray(0, head.length);
    if (isWrong(chain.frame(head, payload), rest.subarray(head.length), trust)) throw damaged;
    position += FRAME_HEAD_BYTES + rest.length;
    if (head.type === frameTypes.end && (await readAt(file, position, 1)).length > 0)
      throw cutOffOrChanged(path, "it continues after its end");
    yield { type: head.type, payload };
    if (head.type === frameTypes.end) return;
  }
}

async function unpack(payload: Buffer, path: string): Promise<Buffer> {
  try {
    return await inflate(payload, { maxOutputLength: CHUNK_BYTES });
  } catch {
    throw cutOffOrChanged(path, "a chunk cannot be decompressed");
  }
}

function decodeEnd(payload: Buffer, path: string): BackupEnd {
  const parsed = endSchema.safeParse(parseJson(payload.toString()));
  if (!parsed.success) throw cutOffOrChanged(path, "its end cannot be read");
  return parsed.data;
}

async function* explainErrors(
  items: AsyncGenerator<BackupItem, Buffer>,
  path: string,
): AsyncGenerator<BackupItem, Buffer> {
  try {
    return yield* items;
  } catch (error) {
    throw explainReadError(error, path);
  }
}
