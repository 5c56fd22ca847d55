/** Small backups for tests: writes and reads them, and locates their parts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type BackupHeader,
  type BackupKey,
  decodeFrameHead,
  decodePrelude,
  FRAME_HEAD_BYTES,
  MAC_BYTES,
  PRELUDE_BYTES,
} from "../chunk-format.ts";
import type { BackupItem, BackupLine } from "../lines.ts";
import { type BackupTrust, openBackupFile } from "../read-file.ts";
import { verifyWhole } from "../verify-file.ts";
import { writeBackupFile } from "../write-file.ts";

export const testKey: BackupKey = { keyId: "00000000000a", key: Buffer.alloc(32, 10) };
export const otherKey: BackupKey = { keyId: "00000000000b", key: Buffer.alloc(32, 11) };

export const testHeader: BackupHeader = {
  createdAt: "2026-11-24T09:00:00.000Z",
  profile: "plain",
  migrations: ["20260101000000_first"],
};

export interface TestFolder {
  at(name: string): string;
  /** Writes the bytes and returns the path. */
  file(name: string, bytes: Uint8Array): string;
  /** Writes a backup of these rows of one table, and returns its bytes. */
  backup(rows: readonly string[], options?: TestBackupOptions): Promise<Buffer>;
  remove(): void;
}

export interface TestBackupOptions {
  readonly key?: BackupKey;
  readonly backupId?: string;
  readonly chunkBytes?: number;
}

export function makeTestFolder(): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-backup-format-"));
  const at = (name: string) => join(folder, name);
  return {
    at,
    file(name, bytes) {
      // Truncating an existing file would have ext4 write it to the drive at once, in thousands of tests.
      rmSync(at(name), { force: true });
      writeFileSync(at(name), bytes);
      return at(name);
    },
    async backup(rows, { key = testKey, ...options } = {}) {
      const path = at("written");
      rmSync(path, { force: true });
      await writeBackupFile(path, { header: testHeader, items: itemsWith(rows) }, { key, ...options });
      return readFileSync(path);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export async function* itemsWith(rows: readonly string[]): AsyncGenerator<BackupItem> {
  yield { type: "table", table: "public.user_account", columns: ["id", "role"] };
  for (const row of rows) yield { type: "row", row };
  yield { type: "end", end: { rowCount: rows.length, keyIds: [], metricRowCount: null } };
}

/** Verifies a whole file, as a restore does before its first row, and resolves with the rows. */
export async function readVerified(
  path: string,
  trust: BackupTrust = { type: "key", key: testKey },
): Promise<string[]> {
  const file = await openBackupFile(path, trust);
  try {
    await verifyWhole(file, path);
    const rows: string[] = [];
    for await (const item of file.read()) if (isRow(item)) rows.push(item.row);
    return rows;
  } finally {
    await file.close();
  }
}

const isRow = (item: BackupItem): item is Extract<BackupLine, { type: "row" }> => item.type === "row";

export interface BackupParts {
  /** Prelude, manifest and its MAC. */
  readonly head: Buffer;
  /** Each frame with its head and MAC; the last is the end. */
  readonly frames: readonly Buffer[];
}

export function splitParts(bytes: Buffer): BackupParts {
  let position = PRELUDE_BYTES + decodePrelude(bytes).manifestLength + MAC_BYTES;
  const head = bytes.subarray(0, position);
  const frames: Buffer[] = [];
  while (position < bytes.length) {
    const { length } = decodeFrameHead(bytes.subarray(position));
    const end = position + FRAME_HEAD_BYTES + length + MAC_BYTES;
    frames.push(bytes.subarray(position, end));
    position = end;
  }
  return { head, frames };
}
