/** Merges several vaults' lists, with every key once and in order. */
import { compareKeys, type UploadHeader } from "@stashlight/write-path";
import type { ListRange } from "../vault/list-in-rounds.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

/** Versions of one key, by vault index. */
export interface ListedKey {
  readonly key: string;
  readonly versions: ReadonlyMap<number, UploadHeader>;
}

/**
 * Yields pages of keys, each complete up to the end of the shortest vault's page. Rejects if a vault is unreachable,
 * because a list without its keys would seem complete. A delimiter is ignored: an object of one vault may be hidden by
 * a version in another, whose page would leave that version out.
 */
export async function* mergedPages(
  vaults: readonly Pick<VaultVerbs, "list">[],
  bucket: string,
  { prefix, after: start, keyCountMax }: ListRange,
): AsyncGenerator<{ readonly keys: readonly ListedKey[]; readonly isLast: boolean }> {
  for (let after = start; ; ) {
    const range = { prefix, after, keyCountMax };
    const pages = await Promise.all(vaults.map((vault) => vault.list(bucket, range)));
    const ends = pages.flatMap(({ uploads, isTruncated }) => (isTruncated ? [endOf(uploads, after)] : []));
    const [end] = ends.sort(compareKeys);
    const keys = merge(pages, end ?? null);
    yield { keys, isLast: end === undefined };
    if (end === undefined) return;
    after = end;
  }
}

function endOf(uploads: readonly UploadHeader[], after: string): string {
  return uploads.at(-1)?.key ?? after;
}

function merge(
  pages: readonly { readonly uploads: readonly UploadHeader[] }[],
  end: string | null,
): ListedKey[] {
  const byKey = new Map<string, Map<number, UploadHeader>>();
  for (const [vault, { uploads }] of pages.entries()) {
    for (const upload of uploads) {
      if (end !== null && compareKeys(upload.key, end) > 0) break;
      const versions = byKey.get(upload.key);
      if (versions === undefined) byKey.set(upload.key, new Map([[vault, upload]]));
      else versions.set(vault, upload);
    }
  }
  return [...byKey].map(([key, versions]) => ({ key, versions })).sort((a, b) => compareKeys(a.key, b.key));
}

/** Lists up to `keyCountMax` results of `choose`; keys for which it returns null are left out. */
export async function mergedList(
  vaults: readonly Pick<VaultVerbs, "list">[],
  bucket: string,
  range: ListRange,
  choose: (listed: ListedKey) => UploadHeader | null,
): Promise<{ uploads: UploadHeader[]; isTruncated: boolean }> {
  const uploads: UploadHeader[] = [];
  for await (const { keys, isLast } of mergedPages(vaults, bucket, range)) {
    for (const listed of keys) {
      const upload = choose(listed);
      if (upload === null) continue;
      if (uploads.length === range.keyCountMax) return { uploads, isTruncated: true };
      uploads.push(upload);
    }
    if (!isLast && uploads.length === range.keyCountMax) return { uploads, isTruncated: true };
  }
  return { uploads, isTruncated: false };
}
