/**
 * Common prefixes of a list with a delimiter. A pod lists the keys of a common prefix up to the first visible one,
 * and skips the rest. By the same rule the coordinator knows which keys a page leaves out.
 */
import { compareKeys } from "./key-order.ts";
import type { ListPage } from "./list-digest.ts";
import type { VersionView } from "./messages/index.ts";
import type { UploadHeader } from "./shard.ts";

export interface Grouping {
  readonly prefix: string;
  /** Empty for no delimiter. */
  readonly delimiter: string;
}

/** The common prefix of a key; null if the key is listed itself. */
export function commonPrefix(key: string, { prefix, delimiter }: Grouping): string | null {
  if (delimiter === "") return null;
  const at = key.indexOf(delimiter, prefix.length);
  return at === -1 ? null : key.slice(0, at + delimiter.length);
}

/** Returns true if the highest version of a key is an object that a reader sees, so that the page skips the rest. */
export function isVisible(top: VersionView | undefined): boolean {
  return top?.isCommitted === true && top.upload.kind === "object";
}

/** For each common prefix with keys that some page leaves out, returns the last key that all pages cover. */
export function lastListedKeys(pages: Iterable<ListPage>, prefix: string): Map<string, string> {
  const lastKeys = new Map<string, string>();
  // Pods with the same page share it.
  for (const page of new Set(pages)) {
    const { delimiter } = page;
    if (delimiter === "") continue;
    let key: string | null = null;
    for (const view of page.versions) {
      const isTop = view.upload.key !== key;
      key = view.upload.key;
      if (!isTop || !isVisible(view)) continue;
      const group = commonPrefix(key, { prefix, delimiter });
      if (group === null) continue;
      const known = lastKeys.get(group);
      if (known === undefined || compareKeys(key, known) < 0) lastKeys.set(group, key);
    }
  }
  return lastKeys;
}

/**
 * Keeps the highest versions that a list needs: all of plain keys, and those of a common prefix up to the first
 * visible one. If no version that all pages cover is visible, the list ends there, and the next list continues inside
 * the prefix.
 */
export function groupVersions(
  tops: readonly UploadHeader[],
  grouping: Grouping,
  lastKeys: ReadonlyMap<string, string>,
  isShown: (upload: UploadHeader) => boolean,
): { readonly tops: UploadHeader[]; readonly truncatedAfter: string | null } {
  const shown = new Set<string>();
  const kept: UploadHeader[] = [];
  for (const top of tops) {
    const group = commonPrefix(top.key, grouping);
    if (group !== null) {
      const last = lastKeys.get(group);
      if (shown.has(group) || (last !== undefined && compareKeys(top.key, last) > 0)) continue;
      if (isShown(top)) shown.add(group);
    }
    kept.push(top);
  }
  const [end] = [...lastKeys].flatMap(([group, key]) => (shown.has(group) ? [] : [key])).sort(compareKeys);
  if (end === undefined) return { tops: kept, truncatedAfter: null };
  return { tops: kept.filter(({ key }) => compareKeys(key, end) <= 0), truncatedAfter: end };
}
