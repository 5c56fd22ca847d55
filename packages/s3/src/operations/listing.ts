/** Turns the store's flat, ordered keys into a page of objects and common prefixes. */
import type { ListedObject } from "../store.ts";
import type { BucketCall } from "./call.ts";

export interface ListingWish {
  readonly prefix: string;
  /** Empty for no delimiter. */
  readonly delimiter: string;
  /** Keys and common prefixes up to and including this one were already listed. */
  readonly after: string;
  readonly itemCountMax: number;
}

export type ListedItem =
  | { readonly kind: "object"; readonly object: ListedObject }
  | { readonly kind: "prefix"; readonly prefix: string };

export interface ListingPage {
  readonly items: readonly ListedItem[];
  /** Start of the next page; null on the last one. */
  readonly nextAfter: string | null;
}

/** Sorts after every character, so `prefix + LAST` sorts after nearly all keys below the prefix. */
export const LAST = "\u{10ffff}";

export async function listPage(
  { store, context, bucket, limits }: BucketCall,
  wish: ListingWish,
): Promise<ListingPage> {
  const { prefix, delimiter, itemCountMax } = wish;
  const items: ListedItem[] = [];
  if (itemCountMax === 0) {
    // An empty page needs no keys, but a missing bucket is still an error.
    await store.headBucket(context, { bucket });
    return { items, nextAfter: null };
  }
  let group = groupOf(wish.after, prefix, delimiter) === wish.after ? wish.after : null;
  let after = group === null || group === "" ? wish.after : group + LAST;
  for (;;) {
    const { objects, isTruncated } = await store.listObjects(context, {
      bucket,
      prefix,
      after,
      delimiter,
      // Reads one more key than the page holds, to learn whether there is another page.
      keyCountMax: Math.min(limits.listedKeyCountMax, itemCountMax - items.length) + 1,
    });
    for (const object of objects) {
      const itsGroup = groupOf(object.key, prefix, delimiter);
      if (itsGroup !== null && itsGroup === group) continue;
      if (items.length === itemCountMax) return { items, nextAfter: nameOf(items.at(-1) as ListedItem) };
      items.push(itsGroup === null ? { kind: "object", object } : { kind: "prefix", prefix: itsGroup });
      group = itsGroup;
    }
    const last = objects.at(-1);
    if (!isTruncated || last === undefined) return { items, nextAfter: null };
    after = group === null ? last.key : group + LAST;
    // Keys at the end of a group may sort after that bound; the listing must still advance.
    if (compareUtf8(after, last.key) < 0) after = last.key;
  }
}

function nameOf(item: ListedItem): string {
  return item.kind === "object" ? item.object.key : item.prefix;
}

/** The common prefix under which a key is listed; null if the key is listed itself. */
export function groupOf(key: string, prefix: string, delimiter: string): string | null {
  if (delimiter === "" || !key.startsWith(prefix)) return null;
  const at = key.indexOf(delimiter, prefix.length);
  return at === -1 ? null : key.slice(0, at + delimiter.length);
}

export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}

/** Encodes the name after which the list continues, in a form that is safe in an address. */
export function formatToken(after: string): string {
  return Buffer.from(`1${after}`, "utf8").toString("base64url");
}

/** Returns null for a token that was not issued here. */
export function parseToken(token: string): string | null {
  const text = Buffer.from(token, "base64url").toString("utf8");
  return text.startsWith("1") && formatToken(text.slice(1)) === token ? text.slice(1) : null;
}
