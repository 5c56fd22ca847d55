import { expect, test } from "vitest";
import { BoundedCache } from "./bounded-cache.ts";

test("the cache computes a value once and evicts the least recently used one", () => {
  const made: string[] = [];
  const cache = new BoundedCache<string>(2);
  const get = (key: string) =>
    cache.get(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect(["a", "b", "a", "c", "a", "b"].map(get)).toEqual(["A", "B", "A", "C", "A", "B"]);
  expect(made).toEqual(["a", "b", "c", "b"]);
  expect(cache.entryCount).toBe(2);
});
