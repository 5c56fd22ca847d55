import { parseLifecycleRules } from "@stashlight/s3/lifecycle";
import { expect, test } from "vitest";
import { UsageError } from "../usage-error.ts";
import { describePreview } from "./lifecycle.ts";
import { toRulesDocument } from "./rules-document.ts";

test("converts rules in aws-cli's JSON into the rules that it sends", () => {
  const rules = {
    Rules: [
      {
        ID: "a & b",
        Status: "Enabled",
        Filter: {
          And: {
            Prefix: "logs/<1>",
            Tags: [
              { Key: "a", Value: "1" },
              { Key: "b", Value: "" },
            ],
            ObjectSizeGreaterThan: 5,
          },
        },
        Expiration: { Days: 3 },
      },
      { ID: "date", Status: "Disabled", Filter: {}, Expiration: { Date: "2030-01-01T00:00:00Z" } },
    ],
  };
  expect(parseLifecycleRules(toRulesDocument(JSON.stringify(rules)))).toMatchObject([
    {
      id: "a & b",
      isEnabled: true,
      filter: {
        prefix: "logs/<1>",
        tags: [
          { key: "a", value: "1" },
          { key: "b", value: "" },
        ],
        sizeBytesAbove: 5,
      },
      expiration: { kind: "days", days: 3 },
    },
    { id: "date", isEnabled: false, expiration: { kind: "date", dateMs: Date.UTC(2030, 0, 1) } },
  ]);
  expect(toRulesDocument(" <LifecycleConfiguration/>")).toBe(" <LifecycleConfiguration/>");
  expect(() => toRulesDocument("Rules: none")).toThrow(UsageError);
});

const tally = (count: number) => {
  const oldestMs = count === 0 ? null : Date.UTC(2026, 0, 2);
  return { count, bytes: count * 1_048_576, oldestMs };
};
const rule = (id: string, count: number, isEnabled = true, uploadCount = 0) => {
  return { id, isEnabled, objects: tally(count), uploads: tally(uploadCount) };
};

test.each([
  [[], true, ["photos has no lifecycle rules. Multipart uploads are aborted after seven days."]],
  [[rule("all", 12_400)], true, ["all: would delete 12,400 objects now, 12.1 GiB, oldest 2026-01-02"]],
  [[rule("one", 1)], true, ["one: would delete 1 object now, 1 MiB, oldest 2026-01-02"]],
  [[rule("none", 0), rule("off", 0, false)], true, ["none: would delete nothing now", "off: disabled"]],
  [
    [rule("both", 1, true, 2), rule("parts", 0, true, 1)],
    true,
    [
      "both: would delete 1 object now, 1 MiB, oldest 2026-01-02",
      "both: would abort 2 multipart uploads now, 2 MiB, oldest 2026-01-02",
      "parts: would abort 1 multipart upload now, 1 MiB, oldest 2026-01-02",
    ],
  ],
  [
    [rule("one", 1)],
    false,
    [
      "one: would delete 1 object now, 1 MiB, oldest 2026-01-02",
      "photos has more objects; these counts cover the first 5,000.",
      "photos has more multipart uploads; not all were counted in time.",
    ],
  ],
])("describes rules %j, all evaluated: %s", (rules, isWhole, lines) => {
  const counts = { seenCount: 5000, isWhole, areAllUploadsSeen: isWhole };
  expect(describePreview("photos", { rules, ...counts })).toEqual(lines);
});
