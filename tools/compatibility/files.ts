/** Files whose names are difficult for clients, and the comparison of two folders. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

const MIB = 1_048_576;
const KIB = 1024;

/**
 * Characters that must be encoded in addresses, headers or XML, that sort oddly, or that shells and tools interpret.
 */
export const HARD_NAMES = [
  "a b",
  "a+b",
  "a%20b",
  "100%",
  "ü é ñ",
  "decomposed u\u0308",
  "日本語/ファイル",
  "emoji 🗄️",
  "quote ' and \" and `",
  "amp & lt < gt >",
  "hash # question ? semicolon ;",
  "brackets [x] {y} (z)",
  "dollar $HOME ~ ! ^",
  "equals = comma , at @ colon :",
  "back\\slash | pipe * star",
  " leading and trailing ",
  ".hidden/.dot",
  "..two dots",
  "-dash",
  "UPPER/lower",
  "upper/LOWER",
  `long ${"n".repeat(190)}`,
  `deep/${"d/".repeat(20)}f`,
] as const;

const SMALL_FILE_COUNT = 120;
const MIDDLE_FILE_BYTES = 6 * MIB + 1;
const MIDDLE_FILE_COUNT = 3;

/** Writes about `totalBytes`: a file for each hard name, small files in folders, and a large one with the rest. */
export async function writeFiles(folder: string, totalBytes: number): Promise<void> {
  let leftBytes = totalBytes;
  const write = async (path: string, bytes: number) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), randomBytes(bytes));
    leftBytes -= bytes;
  };
  for (const [i, name] of HARD_NAMES.entries()) await write(`names/${name}`, i * 100);
  for (let i = 0; i < SMALL_FILE_COUNT; i += 1) await write(`small/${i % 7}/${i}`, (i % 50) * 5 * KIB);
  for (let i = 0; i < MIDDLE_FILE_COUNT; i += 1) await write(`middle/${i}`, MIDDLE_FILE_BYTES);
  await write("empty", 0);
  await write("large", Math.max(17 * MIB, leftBytes));
}

/** Changes as between two backups: a new file, a longer one, one of the same length, a new name, and two gone. */
export async function changeFiles(folder: string): Promise<void> {
  await writeFile(join(folder, "names/new + file"), randomBytes(300 * KIB));
  await appendFile(join(folder, "small/1/1"), randomBytes(KIB));
  await writeFile(join(folder, "middle/0"), randomBytes(MIDDLE_FILE_BYTES));
  await rename(join(folder, "names/a b"), join(folder, "names/a b c"));
  await rm(join(folder, "small/2/2"));
  await rm(join(folder, "names/100%"));
}

export async function compareFiles(expected: string, restored: string): Promise<void> {
  assert.deepEqual(await hashFiles(restored), await hashFiles(expected));
}

async function hashFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hashes: Record<string, string> = {};
  for (const path of paths.sort()) hashes[relative(folder, path)] = await hashFile(path);
  return hashes;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
