/**
 * The seal file: housekeeping appends a line whenever it has verified the log, with the log's head and a code that
 * requires the installation's secret. The file is in the data folder, so an attacker who can change only the database
 * can neither change it nor forge a line. A copy elsewhere also protects against an attacker who can change both.
 */
import { createHash, createHmac, hkdfSync } from "node:crypto";
import { type FileHandle, open, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Core } from "../core.ts";
import { thrownCode } from "../thrown.ts";
import { canonicalJson } from "./chain.ts";
import type { Head, Witness } from "./witness.ts";

const sealFileName = "audit-seals.jsonl";
/** Housekeeping seals at most once per hour: 83 days of a busy log, and 700 kB. The oldest lines are dropped first. */
export const sealLinesMax = 2_000;
const fileBytesMax = 4 * 2 ** 20;
const keyBytes = 32;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const lineSchema = z.strictObject({
  version: z.literal(1),
  sealedAt: z.iso.datetime(),
  logId: z.uuid(),
  sequence: z.number().int().nonnegative(),
  eventHash: hash,
  sealCount: z.number().int().nonnegative(),
  sealHash: hash,
  /** Identifies the secret behind the code; lines of an earlier secret cannot be checked. */
  keyId: z.string().regex(/^[0-9a-f]{12}$/),
  code: hash,
});
type Line = z.infer<typeof lineSchema>;

type Place = Pick<Core, "options">;

export type SealFile =
  | { readonly state: "none" }
  | { readonly state: "forged"; readonly sentence: string }
  /** Lines of this log under this secret, oldest first; `texts` has all lines verbatim. */
  | { readonly state: "read"; readonly witnesses: readonly Witness[]; readonly texts: readonly string[] };

export const sealFilePath = ({ options }: Place): string | null =>
  options.dataDirectory === null ? null : join(options.dataDirectory, sealFileName);

/** Checks each line's code; skips lines of other logs and of earlier secrets. */
export async function readSealFile(place: Place, logId: string): Promise<SealFile> {
  const path = sealFilePath(place);
  const text = path === null ? null : await readBounded(path);
  if (text === null) return { state: "none" };
  const forged = (at: number): SealFile => ({
    state: "forged",
    sentence: `Line ${at} of the seal file ${path} was not written by Stashlight; the file was changed.`,
  });
  const key = deriveSealKey(place.options.secret);
  const texts = text.split("\n").filter((line) => line !== "");
  const witnesses: Witness[] = [];
  for (const [index, each] of texts.entries()) {
    const line = parseLine(each);
    if (line === null) return forged(index + 1);
    if (line.keyId !== keyFingerprint(key)) continue;
    if (lineCode(key, line) !== line.code) return forged(index + 1);
    const name = `line ${index + 1} of the seal file, of ${line.sealedAt},`;
    if (line.logId === logId) witnesses.push({ ...line, name });
  }
  return { state: "read", witnesses, texts };
}

/**
 * Appends a line with `head` unless the last line has the same head, and returns whether it did. May be called only
 * after a verification.
 */
export async function writeSeal(place: Place, head: Head, now: Date): Promise<boolean> {
  const path = sealFilePath(place);
  if (path === null) return false;
  const file = await readSealFile(place, head.logId);
  if (file.state === "forged") throw new Error(file.sentence);
  const last = file.state === "read" ? file.witnesses.at(-1) : undefined;
  if (last?.eventHash === head.eventHash && last.sealHash === head.sealHash) return false;
  const key = deriveSealKey(place.options.secret);
  const { logId, sequence, eventHash, sealCount, sealHash } = head;
  const content = { logId, sequence, eventHash, sealCount, sealHash };
  const line = { version: 1 as const, sealedAt: now.toISOString(), ...content, keyId: keyFingerprint(key) };
  const kept = file.state === "read" ? file.texts.slice(-(sealLinesMax - 1)) : [];
  await replaceFile(path, [...kept, JSON.stringify({ ...line, code: lineCode(key, line) })]);
  return true;
}

async function readBounded(path: string): Promise<string | null> {
  try {
    // Stashlight never writes a file this large, so only its first bytes are read.
    const { size } = await stat(path);
    return size > fileBytesMax ? "too large" : await readFile(path, "utf8");
  } catch (error) {
    if (thrownCode(error) === "ENOENT") return null;
    throw error;
  }
}

function parseLine(text: string): Line | null {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Atomic and synced, so that a crash leaves either the old lines or the new ones. */
async function replaceFile(path: string, lines: readonly string[]): Promise<void> {
  const partial = `${path}.partial`;
  let file: FileHandle | undefined;
  try {
    file = await open(partial, "w", 0o600);
    await file.writeFile(`${lines.join("\n")}\n`);
    await file.sync();
  } finally {
    await file?.close();
  }
  await rename(partial, path);
}

const deriveSealKey = (secret: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", "stashlight audit seals", keyBytes));
const keyFingerprint = (key: Buffer): string => createHash("sha256").update(key).digest("hex").slice(0, 12);

function lineCode(key: Buffer, { code: _, ...content }: Omit<Line, "code"> & { code?: string }): string {
  return createHmac("sha256", key).update(canonicalJson(content)).digest("hex");
}
