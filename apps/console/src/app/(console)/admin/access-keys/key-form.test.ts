import type { AccessKeyRow } from "@stashlight/contracts/access-key";
import { expect, test } from "vitest";
import { emptyForm, toKeyForm, toKeyTerms } from "./key-form.ts";
import { keyScope } from "./key-labels.ts";

const key = { vault: "main", owner: "ada", name: "Backups", permission: "read" } as AccessKeyRow;

test.each([
  ["one per line", "photos\nfilms\n", ["photos", "films"]],
  ["with commas and blanks", " photos, films  ,music", ["photos", "films", "music"]],
  ["none", " \n", []],
])("bucket names are parsed from lines, commas and spaces: %s", (_, buckets, expected) => {
  expect(toKeyTerms({ ...emptyForm(["main"]), name: " B ", scope: "named", buckets })).toEqual({
    name: "B",
    permission: "write",
    buckets: expected,
  });
});

test("the bucket names of a key with all buckets are ignored", () => {
  expect(toKeyTerms({ ...emptyForm([]), scope: "all", buckets: "photos" }).buckets).toBeNull();
});

test.each<[AccessKeyRow["buckets"], string]>([
  [null, "all of ada"],
  [["photos", "films"], "photos, films"],
])("a key with the buckets %j survives a round trip through the form", (buckets, scope) => {
  const row = { ...key, buckets };
  expect(toKeyTerms(toKeyForm(row))).toEqual({ name: "Backups", permission: "read", buckets });
  expect(keyScope(row)).toBe(scope);
});
