import type { LifecycleRule } from "@stashlight/contracts/bucket";
import { expect, test } from "vitest";
import {
  describeAborts,
  describeActions,
  describeBytes,
  describeCount,
  describeEncryption,
  describeFilter,
  describePreview,
  describeTags,
} from "./describe-bucket.ts";

const rule = (filter: Partial<LifecycleRule["filter"]>, actions: Partial<LifecycleRule> = {}) => ({
  id: "r",
  isEnabled: true,
  form: "filter" as const,
  expiration: null,
  abortAfterDays: null,
  filter: { prefix: null, tags: [], sizeBytesAbove: null, sizeBytesBelow: null, ...filter },
  ...actions,
});

test.each([
  [null, "not counted", null],
  [{ count: 12_400, bytes: 3_100_000_000, isWhole: true }, "12,400", "3.10 GB"],
  [{ count: 1000, bytes: 1_000_000, isWhole: false }, "more than 1,000", "more than 1.00 MB"],
])("the count %j reads %s objects and %s", (objects, count, bytes) => {
  expect([describeCount(objects), describeBytes(objects)]).toEqual([count, bytes]);
});

test("a list of tags ends with the number of those left out", () => {
  const tags = [
    { key: "team", value: "backup" },
    { key: "old", value: "" },
  ];
  expect(describeTags(tags, 2)).toBe("team=backup, old");
  expect(describeTags(tags, 5)).toBe("team=backup, old, 3 more");
});

test.each([
  [{ isDefault: false, key: { type: "none" } }, "off"],
  [{ isDefault: true, key: { type: "none" } }, "on"],
  [
    { isDefault: false, key: { type: "wrapped", version: 1, versionMadeAt: null, isNewest: false } },
    "off by default",
  ],
  [{ isDefault: true, key: { type: "destroyed", at: "2026-11-29" } }, "key destroyed"],
] as const)("the encryption state %j reads %s", (encryption, words) => {
  expect(describeEncryption(encryption)).toBe(words);
});

test("a rule's description names the objects that it applies to and its actions", () => {
  const tags = [{ key: "env", value: "test" }];
  expect(describeFilter(rule({ prefix: "logs/", tags, sizeBytesAbove: 1024 }))).toBe(
    "keys that begin with “logs/”, tag env=test, larger than 1,024 bytes",
  );
  expect(describeFilter(rule({ prefix: "" }))).toBe("all objects");
  const days = { expiration: { kind: "days", days: 1 }, abortAfterDays: 7 } as const;
  expect(describeActions(rule({}, days))).toBe("Deletes objects after 1 day; aborts uploads after 7 days");
  const date = { expiration: { kind: "date" as const, dateMs: Date.UTC(2030, 0, 1) } };
  expect(describeActions(rule({}, date))).toBe("Deletes objects from 2030-01-01 on");
});

const due = { count: 12_400, bytes: 3_100_000_000, oldestMs: Date.UTC(2026, 0, 2) };
const nothing = { count: 0, bytes: 0, oldestMs: null };
const preview = { id: "r", isEnabled: true, objects: due, uploads: nothing };

test.each([
  [preview, true, "It would delete 12,400 objects now, 3.10 GB, oldest 2026-01-02."],
  [
    { ...preview, objects: { ...due, count: 1, bytes: 4 } },
    false,
    "It would delete 1 object now, 4 B, oldest 2026-01-02. Only the first 5,000 objects were counted; the bucket has more.",
  ],
  [{ ...preview, objects: nothing }, true, "It would delete no object now."],
  [{ ...preview, isEnabled: false }, true, "The rule is off, so it deletes nothing."],
])("the preview %j with a complete count (%s) reads: %s", (counted, isWhole, words) => {
  expect(describePreview(counted, { seenCount: 5000, isWhole })).toBe(words);
});

test.each([
  [nothing, true, "It would abort no multipart upload now."],
  [due, true, "It would abort 12,400 multipart uploads now, 3.10 GB, oldest 2026-01-02."],
  [
    { ...due, count: 1 },
    false,
    "It would abort 1 multipart upload now, 3.10 GB, oldest 2026-01-02. Not all uploads could be counted in time.",
  ],
])("the preview of uploads %j, all of them seen (%s), reads: %s", (uploads, areAllUploadsSeen, words) => {
  expect(describeAborts({ uploads }, { areAllUploadsSeen })).toBe(words);
});
