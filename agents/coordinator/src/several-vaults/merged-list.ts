/** Merges several vaults' lists, with every key once and in order. */
import { commonPrefix, compareKeys, type Grouping, type UploadHeader } from "@stashlight/write-path";
import type { ListRange } from "../vault/list-in-rounds.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

/** Versions of one key, by vault index. */
export interface ListedKey {
  readonly key: string;
  readonly versions: ReadonlyMap<number, UploadHeader>;
}

interface MergedPage {
  readonly keys: readonly ListedKey[];
  /** Key after which the next page begins; null on the last page. */
  readonly end: string | null;
}

/**
 * Reads one page, complete up to the end of the shortest vault's page. Rejects if a vault is unreachable, because a list
 * without its keys would seem complete.
 */
async function readMergedPage(
  vaults: readonly Pick<VaultVerbs, "list">[],
  bucket: string,
  range: ListRange,
): Promise<MergedPage> {
  const pages = await Promise.all(vaults.map((vault) => vault.list(bucket, range)));
  const ends = pages.flatMap(({ uploads, isTruncated }) =>
    isTruncated ? [endOf(uploads, range.after)] : [],
  );
  const end = ends.sort(compareKeys)[0] ?? null;
  return { keys: merge(pages, end), end };
}

/** Yields pages of all keys. */
export async function* mergedPages(
  vaults: readonly Pick<VaultVerbs, "list">[],
  bucket: string,
  { prefix, after: start, keyCountMax }: Omit<ListRange, "delimiter">,
): AsyncGenerator<readonly ListedKey[]> {
  for (let after: string | null = start; after !== null; ) {
    const page: MergedPage = await readMergedPage(vaults, bucket, { prefix, after, keyCountMax });
    yield page.keys;
    after = page.end;
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

/**
 * Lists up to `keyCountMax` results of `choose`; keys for which it returns null are left out. With a delimiter, at least
 * one result of each common prefix is listed.
 *
 * Each vault's page has its lowest object of a common prefix, so all versions of the lowest object are known. If
 * `choose` leaves it out, another vault has a newer version of it, and the next page reads all keys from there.
 */
export async function mergedList(
  vaults: readonly Pick<VaultVerbs, "list">[],
  bucket: string,
  { prefix, after: start, keyCountMax, delimiter = "" }: ListRange,
  choose: (listed: ListedKey) => UploadHeader | null,
): Promise<{ uploads: UploadHeader[]; isTruncated: boolean }> {
  const uploads: UploadHeader[] = [];
  let grouping = { prefix, delimiter };
  for (let after: string | null = start; after !== null; ) {
    const page = await readMergedPage(vaults, bucket, { ...grouping, after, keyCountMax });
    const { chosen, end } = choosePerGroup(page, grouping, choose);
    const room = keyCountMax - uploads.length;
    uploads.push(...chosen.slice(0, room));
    if (chosen.length > room || (end !== null && chosen.length === room))
      return { uploads, isTruncated: true };
    const isCut = end !== page.end;
    grouping = { prefix, delimiter: isCut ? "" : delimiter };
    after = end;
  }
  return { uploads, isTruncated: false };
}

/** Chooses one upload of each common prefix; ends at the first of them whose lowest key is left out. */
function choosePerGroup(
  { keys, end }: MergedPage,
  grouping: Grouping,
  choose: (listed: ListedKey) => UploadHeader | null,
): { readonly chosen: UploadHeader[]; readonly end: string | null } {
  const chosen: UploadHeader[] = [];
  let group: string | null = null;
  for (const listed of keys) {
    const itsGroup = commonPrefix(listed.key, grouping);
    if (itsGroup !== null && itsGroup === group) continue;
    const upload = choose(listed);
    if (upload !== null) chosen.push(upload);
    else if (itsGroup !== null) return { chosen, end: listed.key };
    group = itsGroup;
  }
  return { chosen, end };
}
