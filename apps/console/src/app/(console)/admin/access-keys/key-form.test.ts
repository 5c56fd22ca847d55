import type { AccessKeyRow } from "@stashlight/contracts/access-key";
import { expect, test } from "vitest";
import { emptyForm, toKeyForm, toKeyTerms } from "./key-form.ts";
import { keyScope } from "./key-labels.ts";

const key = { vault: "main", owner: "ada", name: "Backups", permission: "read" } as AccessKeyRow;

test.each([
  ["one per line", "photos\nfilms\n", ["photos", "films"]],
  ["with commas and blanks", " photos, films  ,music", ["photos", "films", "music"]],
  ["none", " \n", []],
])("parses bucket names: %s", (_, buckets, expected) => {
  expect(toKeyTerms({ ...emptyForm(["main"]), name: " B ", scope: "named", buckets })).toEqual({
    name: "B",
    permission: "write",
    buckets: expected,
  });
});

test("ignores the bucket names for a key with all buckets", () => {
  expect(toKeyTerms({ ...emptyForm([]), scope: "all", buckets: "photos" }).buckets).toBeNull();
});

test.each<[AccessKeyRow["buckets"], string]>([
  [null, "all of ada"],
  [["photos", "films"], "photos, films"],
])("leaves a key with the buckets %j unchanged", (buckets, scope) => {
  const row = { ...key, buckets };
  expect(toKeyTerms(toKeyForm(row))).toEqual({ name: "Backups", permission: "read", buckets });
  expect(keyScope(row)).toBe(scope);
});
