import type { MetricClient } from "@stashlight/db/metrics";
import { expect, test } from "vitest";
import { type FoundKey, KeyLookup } from "./find-keys.ts";

/** A database whose queries the test answers explicitly. */
function heldDatabase() {
  const queries: { hashes: readonly string[]; answer: PromiseWithResolvers<Partial<FoundKey>[]> }[] = [];
  const db = {
    query: (_: string, [hashes]: [readonly string[]]) => {
      const answer = Promise.withResolvers<Partial<FoundKey>[]>();
      queries.push({ hashes, answer });
      return answer.promise.then((rows) => ({ rows }));
    },
  } as unknown as MetricClient;
  return { queries, lookup: new KeyLookup(db) };
}

test("keys requested during a lookup are looked up together afterwards, each only once", async () => {
  const { queries, lookup } = heldDatabase();
  const first = lookup.find("a");
  const others = ["b", "c", "b"].map((hash) => lookup.find(hash));
  expect(queries.map(({ hashes }) => hashes)).toEqual([["a"]]);
  queries[0]?.answer.resolve([{ keyHash: "a", name: "A" }]);
  expect(await first).toMatchObject({ name: "A" });
  await expect.poll(() => queries.length).toBe(2);
  expect(queries[1]?.hashes).toEqual(["b", "c"]);
  queries[1]?.answer.resolve([{ keyHash: "b", name: "B" }]);
  expect(await Promise.all(others)).toMatchObject([{ name: "B" }, undefined, { name: "B" }]);
});

test("a failed lookup rejects its requests, and the next keys are looked up", async () => {
  const { queries, lookup } = heldDatabase();
  const lost = lookup.find("a");
  const next = lookup.find("b");
  queries[0]?.answer.reject(new Error("Away."));
  await expect(lost).rejects.toThrow("Away.");
  await expect.poll(() => queries.length).toBe(2);
  queries[1]?.answer.resolve([{ keyHash: "b", name: "B" }]);
  expect(await next).toMatchObject({ name: "B" });
});
