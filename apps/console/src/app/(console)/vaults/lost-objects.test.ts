import type { LostObject, VaultLostObjects } from "@stashlight/contracts/lost-object";
import { testLostObject } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { lostObjectRows, summariseLost } from "./lost-objects.ts";

const object: LostObject = { ...testLostObject, sinceMs: 60_000 };
const reported = (part: Partial<VaultLostObjects>): VaultLostObjects => ({
  reportedAt: new Date(0),
  isCurrent: true,
  total: 0,
  objects: [],
  ...part,
});

test("a row names the object, its size, the reason, and since when it cannot be read", () => {
  expect(lostObjectRows([object])).toEqual([
    {
      id: "u",
      name: "photos/cat",
      sizeBytes: 9,
      since: new Date(60_000),
      why: "4 of 20 shards readable, 16 needed; damaged on p3, p7",
    },
  ]);
});

test.each<[string, Partial<VaultLostObjects>, string, RegExp]>([
  ["nothing was ever reported", { reportedAt: null, isCurrent: false }, "unknown", /^No coordinator has/],
  ["the last report is old", { isCurrent: false, total: 2 }, "unknown", /last report 2 objects cannot/],
  ["nothing is lost", {}, "good", /^No object is known to be/],
  ["one is lost", { total: 1, objects: [object] }, "bad", /^1 object cannot be read\.$/],
  ["many are lost", { total: 1200, objects: [object] }, "bad", /^1,200 objects cannot be read\.$/],
])("the summary reflects the reports when %s", (_, part, status, title) => {
  const summary = summariseLost(reported(part));
  expect(summary.status).toBe(status);
  expect(summary.title).toMatch(title);
});

test("the summary names the role that may see hidden names", () => {
  expect(summariseLost(reported({ total: 1, objects: null })).detail).toContain("shown to operators");
  expect(summariseLost(reported({ total: 1, objects: [object] })).detail).not.toContain("operators");
});
