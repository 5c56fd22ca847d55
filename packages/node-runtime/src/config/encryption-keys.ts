/**
 * The file with the vault's key, with which coordinators wrap the keys of buckets. It is beside the vault's file, never
 * on a drive of the vault, and readable only by its owner. It holds several versions during a rotation.
 */
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { VaultFileError } from "./load-vault-file.ts";
import { writeSecretFile } from "./write-vault-file.ts";

/** Name of the file when this program creates it. */
export const ENCRYPTION_KEY_FILE = "encryption.key";

const KEY_BYTES = 32;
/** Limit on versions; each rotation adds a version, and old versions are dropped. */
const VERSION_COUNT_MAX = 100;
const OTHERS_MAY_ACCESS = 0o077;

const fileSchema = z.strictObject({
  format: z.literal("stashlight encryption keys 1"),
  clusterId: z.string(),
  /** Versions in ascending order; the last one wraps new keys of buckets. */
  keys: z
    .array(
      z.strictObject({
        version: z.int().min(1).max(999_999_999),
        createdAt: z.iso.datetime(),
        key: z.base64().length(44),
      }),
    )
    .min(1)
    .max(VERSION_COUNT_MAX),
});

type StoredKeys = z.infer<typeof fileSchema>;

export interface VaultKey {
  readonly version: number;
  readonly createdAt: string;
  readonly key: KeyObject;
}

/** Creates the text of a file with one random key. */
export function newEncryptionKeys(clusterId: string, nowMs: number): string {
  return format({ format: "stashlight encryption keys 1", clusterId, keys: [newKey(1, nowMs)] });
}

/** Creates the file. Throws a VaultFileError if it exists: a vault that lost its key must not get another one. */
export function createEncryptionKeys(path: string, clusterId: string, nowMs: number): void {
  if (existsSync(path)) throw new VaultFileError(`The file ${path} already exists.`);
  writeSecretFile(path, newEncryptionKeys(clusterId, nowMs));
}

/**
 * Returns the versions in ascending order. Throws a VaultFileError if the file is missing, damaged or another vault's.
 */
export function readEncryptionKeys(path: string, clusterId: string): readonly VaultKey[] {
  const { keys } = read(path, clusterId);
  return keys.map(({ version, createdAt, key }) => ({
    version,
    createdAt,
    key: createSecretKey(Buffer.from(key, "base64")),
  }));
}

/** Adds a version, and returns its number. Throws a VaultFileError. */
export function addEncryptionKey(path: string, clusterId: string, nowMs: number): number {
  const stored = read(path, clusterId);
  if (stored.keys.length >= VERSION_COUNT_MAX) {
    throw new VaultFileError(`${path} has ${VERSION_COUNT_MAX} versions; drop those that are not needed.`);
  }
  const version = (stored.keys.at(-1)?.version ?? 0) + 1;
  writeSecretFile(path, format({ ...stored, keys: [...stored.keys, newKey(version, nowMs)] }));
  return version;
}

/** Drops all versions except the newest and those in `kept`, and returns their numbers. Throws a VaultFileError. */
export function dropEncryptionKeys(path: string, clusterId: string, kept: ReadonlySet<number>): number[] {
  const stored = read(path, clusterId);
  const newest = stored.keys.at(-1)?.version;
  const isKept = ({ version }: { version: number }) => version === newest || kept.has(version);
  const dropped = stored.keys.filter((key) => !isKept(key)).map(({ version }) => version);
  if (dropped.length > 0) writeSecretFile(path, format({ ...stored, keys: stored.keys.filter(isKept) }));
  return dropped;
}

function newKey(version: number, nowMs: number): StoredKeys["keys"][number] {
  const key = randomBytes(KEY_BYTES).toString("base64");
  return { version, createdAt: new Date(nowMs).toISOString(), key };
}

function format(stored: StoredKeys): string {
  return `${JSON.stringify(stored, null, 2)}\n`;
}

function read(path: string, clusterId: string): StoredKeys {
  let text: string;
  try {
    if ((statSync(path).mode & OTHERS_MAY_ACCESS) !== 0) {
      throw new VaultFileError(
        `Users other than its owner can read the vault's encryption key ${path}; run chmod 600 on it.`,
      );
    }
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof VaultFileError) throw error;
    const reason =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "it is missing" : (error as Error).message;
    throw new VaultFileError(`The vault's encryption key ${path} cannot be read: ${reason}.`);
  }
  const stored = parse(text);
  if (stored === null) {
    throw new VaultFileError(`The vault's encryption key ${path} is damaged or is not a file of keys.`);
  }
  if (stored.clusterId !== clusterId) {
    throw new VaultFileError(`The encryption key ${path} belongs to another vault.`);
  }
  return stored;
}

function parse(text: string): StoredKeys | null {
  try {
    const { data } = fileSchema.safeParse(JSON.parse(text));
    const isAscending = data?.keys.every(({ version }, at) => version > (data.keys[at - 1]?.version ?? 0));
    return data !== undefined && isAscending ? data : null;
  } catch {
    return null;
  }
}
