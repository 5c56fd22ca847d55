/**
 * The root of a drive's index: a file with everything, apart from the pages of the index, that a boot saved for the
 * next one.
 *
 *     magic 8 | version 4 | SHA-256 of the content 32 | content
 *
 * The content is a value of this process, as V8 serialises it. Any other version is refused, older ones included: the
 * boot then reads the log.
 */
import { createHash } from "node:crypto";
import {
  close,
  closeSync,
  fsync,
  fsyncSync,
  open,
  openSync,
  readFileSync,
  rename,
  rm,
  rmSync,
  writeFile,
} from "node:fs";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { SavedBoot } from "@stashlight/shard-store";

export interface IndexRoot {
  readonly driveId: string;
  readonly fileBytes: number;
  /** Bytes of a record's entry in pages when the index was built from the log. */
  readonly builtRecordBytes: number;
  readonly boot: SavedBoot;
}

const MAGIC = Buffer.from("STASHIDX");
/** Raised whenever anything of a saved boot, or of the pages that it refers to, changes its form or its meaning. */
export const INDEX_ROOT_VERSION = 3;
const VERSION_AT = 8;
const HASH_AT = 12;
const CONTENT_AT = 44;

const hashOf = (content: Uint8Array): Buffer => createHash("sha256").update(content).digest();

export function encodeIndexRoot(root: IndexRoot): Buffer {
  const content = serialize(root);
  const head = Buffer.alloc(HASH_AT);
  MAGIC.copy(head);
  head.writeUInt32LE(INDEX_ROOT_VERSION, VERSION_AT);
  return Buffer.concat([head, hashOf(content), content]);
}

/** Returns the reason why the bytes are no root of this drive. */
function decodeIndexRoot(bytes: Buffer, driveId: string): IndexRoot | string {
  if (bytes.length < CONTENT_AT || !bytes.subarray(0, VERSION_AT).equals(MAGIC)) return "its root is no root";
  const version = bytes.readUInt32LE(VERSION_AT);
  if (version !== INDEX_ROOT_VERSION) return `its root has the version ${version}`;
  const content = bytes.subarray(CONTENT_AT);
  if (!hashOf(content).equals(bytes.subarray(HASH_AT, CONTENT_AT))) return "its root fails its checksum";
  const root: IndexRoot = deserialize(content);
  return root.driveId === driveId ? root : "its root is of another drive";
}

/** Returns the reason why there is no root of this drive at the path. */
export function readIndexRoot(path: string, driveId: string): IndexRoot | string {
  try {
    return decodeIndexRoot(readFileSync(path), driveId);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? "none was saved" : `its root cannot be read: ${message}`;
  }
}

type Done = (error: Error | null) => void;

/**
 * Replaces the file at the path, atomically and durably. After an error, `isNamed` is true if the path may name either
 * file.
 */
export function writeIndexRoot(
  path: string,
  bytes: Uint8Array,
  done: (error: Error | null, isNamed: boolean) => void,
): void {
  const partial = partialPath(path);
  writeFile(partial, bytes, { mode: 0o600, flush: true }, (unwritten) => {
    if (unwritten !== null) rm(partial, { force: true }, () => done(unwritten, false));
    else
      rename(partial, path, (unnamed) => {
        if (unnamed !== null) done(unnamed, false);
        else syncFolder(path, (unsynced) => done(unsynced, true));
      });
  });
}

const partialPath = (path: string): string => `${path}.partial`;

/** Removes files left by a killed process. */
export function removePartialRoot(path: string): void {
  rmSync(partialPath(path), { force: true });
}

/** Removes the file, durably. */
export function removeIndexRoot(path: string, done: Done): void {
  rm(path, { force: true }, (error) => {
    if (error !== null) done(error);
    else syncFolder(path, done);
  });
}

function syncFolder(path: string, done: Done): void {
  open(dirname(path), (error, folder) => {
    if (error !== null) done(error);
    else fsync(folder, (unsynced) => close(folder, () => done(unsynced)));
  });
}

/** Removes an unusable root before the index is built. */
export function dropIndexRoot(path: string): void {
  rmSync(path, { force: true });
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
