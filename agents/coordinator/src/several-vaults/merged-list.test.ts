import { commonPrefix, compareKeys, type UploadHeader } from "@stashlight/write-path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ListRange } from "../vault/list-in-rounds.ts";
import { type ListedKey, mergedList } from "./merged-list.ts";

/** Versions of a key by vault: a number is newer if it is higher, and negative for a deletion. */
type Book = ReadonlyMap<string, ReadonlyMap<number, number>>;

const uploadOf = (key: string, version: number) => ({ key, sizeBytes: version }) as UploadHeader;

/** Lists only the lowest key of each common prefix. */
class ListedVault {
  readonly #keys: readonly UploadHeader[];
  pageCount = 0;

  constructor(book: Book, index: number) {
    this.#keys = [...book]
      .flatMap(([key, versions]) => {
        const version = versions.get(index);
        return version === undefined ? [] : [uploadOf(key, version)];
      })
      .sort((a, b) => compareKeys(a.key, b.key));
  }

  list = async (_bucket: string, { prefix, after, keyCountMax, delimiter = "" }: ListRange) => {
    this.pageCount += 1;
    const groups = new Set<string>();
    const found = this.#keys.filter(({ key }) => {
      if (!key.startsWith(prefix) || compareKeys(key, after) <= 0) return false;
      const group = commonPrefix(key, { prefix, delimiter });
      if (group !== null && groups.has(group)) return false;
      if (group !== null) groups.add(group);
      return true;
    });
    return { uploads: found.slice(0, keyCountMax), isTruncated: found.length > keyCountMax };
  };
}

const newestOf = ({ versions }: ListedKey): UploadHeader =>
  [...versions.values()].reduce((a, b) => (Math.abs(a.sizeBytes) > Math.abs(b.sizeBytes) ? a : b));

function choose(listed: ListedKey): UploadHeader | null {
  const newest = newestOf(listed);
  return newest.sizeBytes < 0 ? null : newest;
}

/** All pages of a list, as an S3 client reads them: each starts after the last key of the previous one. */
async function listAll(
  vaults: readonly ListedVault[],
  range: Omit<ListRange, "after">,
): Promise<UploadHeader[]> {
  const all: UploadHeader[] = [];
  for (let after = ""; ; ) {
    const { uploads, isTruncated } = await mergedList(vaults, "photos", { ...range, after }, choose);
    expect(uploads.length).toBeLessThanOrEqual(range.keyCountMax);
    all.push(...uploads);
    const last = uploads.at(-1);
    if (!isTruncated || last === undefined) return all;
    after = last.key;
  }
}

const groupsOf = (uploads: readonly UploadHeader[], prefix: string, delimiter: string): string[] => [
  ...new Set(uploads.map(({ key }) => commonPrefix(key, { prefix, delimiter }) ?? key)),
];

const VAULT_COUNT = 3;
const keyChars = fc.string({
  unit: fc.constantFrom("a", "b", "/", "\u{10ffff}"),
  minLength: 1,
  maxLength: 5,
});
const books = fc
  .array(fc.tuple(keyChars, fc.nat(VAULT_COUNT - 1), fc.boolean()), { maxLength: 40 })
  .map((writes): Book => {
    const book = new Map<string, Map<number, number>>();
    for (const [at, [key, vault, isDeletion]] of writes.entries()) {
      const versions = book.get(key) ?? new Map<number, number>();
      book.set(key, versions.set(vault, isDeletion ? -(at + 1) : at + 1));
    }
    return book;
  });

test("a list with a delimiter has every common prefix and key of the list without one, in the same order", async () => {
  const ranges = fc.record({
    prefix: fc.constantFrom("", "a", "a/"),
    keyCountMax: fc.integer({ min: 1, max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(books, ranges, async (book, range) => {
      const vaults = Array.from({ length: VAULT_COUNT }, (_, at) => new ListedVault(book, at));
      const plain = await listAll(vaults, range);
      const shown = [...book].flatMap(([key, versions]) => {
        const uploads = [...versions].map(([vault, version]) => [vault, uploadOf(key, version)] as const);
        return key.startsWith(range.prefix)
          ? [choose({ key, versions: new Map(uploads) })?.key ?? []].flat()
          : [];
      });
      expect(plain.map(({ key }) => key)).toEqual(shown.sort(compareKeys));
      const grouped = await listAll(vaults, { ...range, delimiter: "/" });
      expect(groupsOf(grouped, range.prefix, "/")).toEqual(groupsOf(plain, range.prefix, "/"));
      for (const upload of grouped) expect(plain).toContainEqual(upload);
    }),
    { numRuns: 500 },
  );
});

test("a page of common prefixes takes one page of each vault, however many keys they have", async () => {
  const book = new Map(
    Array.from({ length: 5000 }, (_, at) => [
      `${String(at % 50).padStart(2, "0")}/${at}`,
      new Map([[at % VAULT_COUNT, at + 1]]),
    ]),
  );
  const vaults = Array.from({ length: VAULT_COUNT }, (_, at) => new ListedVault(book, at));
  const range = { prefix: "", after: "", keyCountMax: 100, delimiter: "/" };
  const { uploads, isTruncated } = await mergedList(vaults, "photos", range, choose);
  expect(groupsOf(uploads, "", "/")).toHaveLength(50);
  expect(isTruncated).toBe(false);
  expect(vaults.map(({ pageCount }) => pageCount)).toEqual([1, 1, 1]);
});
