/** Backups whose content was changed, with or without the key, for tests of other packages. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { BackupHeader, BackupKey } from "../chunk-format.ts";
import type { BackupItem } from "../lines.ts";
import { openBackupFile } from "../read-file.ts";
import { writeBackupFile } from "../write-file.ts";
import { splitParts } from "./files.ts";

export interface RewriteOptions {
  readonly to: string;
  /** Key for the new MACs. */
  readonly key: BackupKey;
  readonly header?: Partial<BackupHeader>;
  readonly change?: (items: readonly BackupItem[]) => readonly BackupItem[];
}

/** Rewrites the content of a backup with changes, and returns the new file's path. */
export async function rewriteBackup(from: string, options: RewriteOptions): Promise<string> {
  const { to, key, header = {}, change = (items) => items } = options;
  const content = await readContent(from);
  async function* changed(): AsyncGenerator<BackupItem> {
    yield* change(content.items);
  }
  rmSync(to, { force: true });
  await writeBackupFile(to, { header: { ...content.header, ...header }, items: changed() }, { key });
  return to;
}

/** Rewrites a backup in format 1, which has no MAC. */
export async function rewriteAsGzip(from: string, options: Omit<RewriteOptions, "key">): Promise<string> {
  const { to, header = {}, change = (items) => items } = options;
  const content = await readContent(from);
  const lines = change(content.items).map((item) => {
    if (item.type === "row") return item.row;
    if (item.type === "end") return item.end;
    return { table: item.table, columns: item.columns, span: item.span };
  });
  const first = { format: "stashlight-backup", formatVersion: 1, ...content.header, ...header };
  writeFileSync(to, gzipSync([first, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("")));
  return to;
}

async function readContent(path: string): Promise<{ header: BackupHeader; items: BackupItem[] }> {
  const file = await openBackupFile(path, { type: "unverified" });
  const items: BackupItem[] = [];
  for await (const item of file.read()) items.push(item);
  await file.close();
  return { header: file.header, items };
}

/** Copies a backup without its end. */
export function copyWithoutEnd(from: string, to: string): string {
  const { head, frames } = splitParts(readFileSync(from));
  writeFileSync(to, Buffer.concat([head, ...frames.slice(0, -1)]));
  return to;
}

/** Appends the chunks of one backup to the manifest of another. */
export function joinManifestAndChunks(manifestOf: string, chunksOf: string, to: string): string {
  const [{ head }, { frames }] = [splitParts(readFileSync(manifestOf)), splitParts(readFileSync(chunksOf))];
  writeFileSync(to, Buffer.concat([head, ...frames]));
  return to;
}
