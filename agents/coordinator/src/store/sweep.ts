/**
 * Collects pieces that no object and no multipart upload speaks of: those of overwritten and deleted objects, and of
 * uploads that their clients gave up. A body whose newest piece is young is left alone, because its list may be on its
 * way, or a reader in the midst of it.
 */
import type { UploadHeader } from "@stashlight/write-path";
import type { Vault } from "../vault/vault.ts";
import { modifiedMsOf } from "./metadata.ts";
import { UPLOADS } from "./multipart.ts";
import { manifestOf } from "./objects.ts";
import { OWNER, type Owner, PIECES } from "./pieces.ts";

export interface SweepOptions {
  readonly vault: Vault;
  readonly nowMs: () => number;
  /** Bodies with a piece younger than this are kept. */
  readonly graceMs: number;
}

export interface SweepResult {
  readonly bodiesSeen: number;
  readonly bodiesCollected: number;
  readonly piecesCollected: number;
}

const PAGE_KEY_COUNT = 1000;

export async function sweep({ vault, nowMs, graceMs }: SweepOptions): Promise<SweepResult> {
  const openUploadIds = await uploadIdsOf(vault);
  const result = { bodiesSeen: 0, bodiesCollected: 0, piecesCollected: 0 };
  for await (const { id, pieces } of bodiesOf(vault)) {
    result.bodiesSeen += 1;
    const newestMs = Math.max(...pieces.map(modifiedMsOf));
    if (nowMs() - newestMs < graceMs) continue;
    if (await isSpokenOf(vault, id, pieces[0] as UploadHeader, openUploadIds)) continue;
    for (const { key } of pieces) await vault.delete(PIECES, key);
    result.bodiesCollected += 1;
    result.piecesCollected += pieces.length;
  }
  return result;
}

async function uploadIdsOf(vault: Vault): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let after = ""; ; ) {
    const page = await vault.list(UPLOADS, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
    for (const upload of page.uploads) ids.add(upload.key.slice(-32));
    if (!page.isTruncated) return ids;
    after = page.uploads.at(-1)?.key ?? after;
  }
}

/** All pieces of one body together; keys begin with the body's id. */
async function* bodiesOf(vault: Vault): AsyncGenerator<{ id: string; pieces: UploadHeader[] }> {
  let pieces: UploadHeader[] = [];
  const idOf = ({ key }: UploadHeader): string => key.slice(0, key.indexOf("/"));
  for (let after = ""; ; ) {
    const page = await vault.list(PIECES, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
    for (const upload of page.uploads) {
      const [first] = pieces;
      if (first !== undefined && idOf(first) !== idOf(upload)) {
        yield { id: idOf(first), pieces };
        pieces = [];
      }
      pieces.push(upload);
    }
    if (!page.isTruncated) break;
    after = page.uploads.at(-1)?.key ?? after;
  }
  const [first] = pieces;
  if (first !== undefined) yield { id: idOf(first), pieces };
}

async function isSpokenOf(
  vault: Vault,
  id: string,
  piece: UploadHeader,
  openUploadIds: ReadonlySet<string>,
): Promise<boolean> {
  const owner = JSON.parse(piece.userMetadata[OWNER] as string) as Owner;
  if (owner.uploadId !== undefined && openUploadIds.has(owner.uploadId)) return true;
  const found = await vault.get(owner.bucket, owner.key);
  if (found === null) return false;
  return manifestOf(found)?.pieces.some((list) => list.id === id) ?? false;
}
