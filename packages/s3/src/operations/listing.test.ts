import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLimits } from "../limits.ts";
import type { ListedObject } from "../store.ts";
import { compareKeys } from "../testing/memory-objects.ts";
import type { BucketCall } from "./call.ts";
import { formatToken, groupOf, listPage, parseToken } from "./listing.ts";

interface AskedRange {
  readonly prefix: string;
  readonly after: string;
  readonly keyCountMax: number;
  readonly delimiter?: string;
}

/** A call on a store that holds these keys and counts its list requests; it may leave out keys as a vault does. */
function callOf(
  keys: readonly string[],
  leavesOut = false,
): { readonly call: BucketCall; readonly asked: () => number } {
  const sorted = [...keys].sort(compareKeys);
  let askedCount = 0;
  const listObjects = async (_: unknown, { prefix, after, keyCountMax, delimiter = "" }: AskedRange) => {
    askedCount += 1;
    const all = sorted.filter((key) => key.startsWith(prefix) && compareKeys(key, after) > 0);
    const groups = all.map((key) => (leavesOut ? groupOf(key, prefix, delimiter) : null));
    const found = all.filter((_key, at) => groups[at] === null || groups[at] !== groups[at - 1]);
    return {
      objects: found.slice(0, keyCountMax).map((key) => ({ key }) as ListedObject),
      isTruncated: found.length > keyCountMax,
    };
  };
  const call = { store: { listObjects }, bucket: "bucket", limits: defaultLimits } as unknown as BucketCall;
  return { call, asked: () => askedCount };
}

/** Computes the listing from its definition. */
function expected(keys: readonly string[], prefix: string, delimiter: string): string[] {
  const names = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const at = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
      return at === -1 ? key : `${key.slice(0, at + delimiter.length)} (all)`;
    });
  return [...new Set(names)];
}

async function listAll(
  call: BucketCall,
  prefix: string,
  delimiter: string,
  itemCountMax: number,
): Promise<string[]> {
  const names: string[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page = await listPage(call, { prefix, delimiter, after, itemCountMax });
    expect(page.items.length).toBeLessThanOrEqual(itemCountMax);
    names.push(
      ...page.items.map((item) => (item.kind === "object" ? item.object.key : `${item.prefix} (all)`)),
    );
    after = page.nextAfter === null ? null : parseToken(formatToken(page.nextAfter));
  }
  return names;
}

test("pages of any size show each key or common prefix once, in order", async () => {
  const character = fc.constantFrom("a", "b", "/", "\u{10ffff}", "\u{ffff}", "é", "-");
  const key = fc.array(character, { minLength: 1, maxLength: 6 }).map((characters) => characters.join(""));
  const keys = fc.uniqueArray(key, { maxLength: 25 });
  const delimiter = fc.constantFrom("", "/", "-", "a/", "\u{10ffff}");
  const property = fc.asyncProperty(
    keys,
    fc.constantFrom("", "a", "a/", "b"),
    delimiter,
    fc.integer({ min: 1, max: 5 }),
    async (given, prefix, mark, size) => {
      const sorted = [...given].sort(compareKeys);
      for (const leavesOut of [false, true]) {
        const { call } = callOf(given, leavesOut);
        expect(await listAll(call, prefix, mark, size)).toEqual(expected(sorted, prefix, mark));
      }
    },
  );
  await fc.assert(property, { numRuns: 500 });
});

test("a folder of 20,000 keys costs two list requests", async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `folder/${String(i).padStart(6, "0")}`);
  const { call, asked } = callOf([...many, "z"]);
  const page = await listPage(call, { prefix: "", delimiter: "/", after: "", itemCountMax: 1000 });
  expect(page.items).toHaveLength(2);
  expect(asked()).toBe(2);
});

test("a page of common prefixes costs one list request if the store leaves out the other keys", async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `${String(i % 1000).padStart(4, "0")}/${i}`);
  const { call, asked } = callOf(many, true);
  const page = await listPage(call, { prefix: "", delimiter: "/", after: "", itemCountMax: 1000 });
  expect(page.items).toHaveLength(1000);
  expect(asked()).toBe(1);
});

test.each(["", "x", "MWE=", "!", formatToken("key").slice(0, -1)])("the token %j is refused", (token) => {
  expect(parseToken(token)).toBeNull();
});
