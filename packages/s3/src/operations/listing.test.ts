import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLimits } from "../limits.ts";
import type { ListedObject } from "../store.ts";
import { compareKeys } from "../testing/memory-objects.ts";
import type { BucketCall } from "./call.ts";
import { formatToken, listPage, parseToken } from "./listing.ts";

/** A call on a store that holds these keys and counts its list requests. */
function callOf(keys: readonly string[]): { call: BucketCall; asked: () => number } {
  const sorted = [...keys].sort(compareKeys);
  let askedCount = 0;
  const listObjects = async (
    _: unknown,
    { prefix, after, keyCountMax }: { prefix: string; after: string; keyCountMax: number },
  ) => {
    askedCount += 1;
    const found = sorted.filter((key) => key.startsWith(prefix) && compareKeys(key, after) > 0);
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
      expect(await listAll(callOf(given).call, prefix, mark, size)).toEqual(expected(sorted, prefix, mark));
    },
  );
  await fc.assert(property, { numRuns: 500 });
});

test("a folder of many keys costs two list requests, however many keys it has", async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `folder/${String(i).padStart(6, "0")}`);
  const { call, asked } = callOf([...many, "z"]);
  const page = await listPage(call, { prefix: "", delimiter: "/", after: "", itemCountMax: 1000 });
  expect(page.items).toHaveLength(2);
  expect(asked()).toBe(2);
});

test.each(["", "x", "MWE=", "!", formatToken("key").slice(0, -1)])("the token %j is refused", (token) => {
  expect(parseToken(token)).toBeNull();
});
