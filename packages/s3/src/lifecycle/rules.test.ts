import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { S3Error } from "../errors.ts";
import type { Tag } from "../store.ts";
import { parseLifecycleRules } from "./read-rules.ts";
import {
  DEFAULT_ABORT,
  expiringPrefix,
  findAbort,
  findExpiration,
  type LifecycleRule,
  matchesFilter,
  midnightAfter,
  type RuledObject,
} from "./rules.ts";
import { writeLifecycleRules } from "./write-rules.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const rule = (content: string, status = "Enabled") => `<Rule>${content}<Status>${status}</Status></Rule>`;
const configuration = (...rules: string[]) =>
  `<LifecycleConfiguration>${rules.join("")}</LifecycleConfiguration>`;
const DAYS = "<Expiration><Days>1</Days></Expiration>";
const ABORT =
  "<AbortIncompleteMultipartUpload><DaysAfterInitiation>3</DaysAfterInitiation></AbortIncompleteMultipartUpload>";
const TAG = "<Tag><Key>a</Key><Value>b</Value></Tag>";

function outcomeOf(text: string): string {
  try {
    parseLifecycleRules(text);
    return "accepted";
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
}

test.each([
  ["2014-01-15T10:30:00", 3, "2014-01-19T00:00:00"],
  ["2026-11-29T23:59:59.999", 1, "2026-12-01T00:00:00"],
  ["2026-11-29T00:00:00", 1, "2026-12-01T00:00:00"],
  ["2028-02-28T12:00:00", 1, "2028-03-01T00:00:00"],
])("an object written at %s that expires after %i days does so at %s", (from, days, until) => {
  expect(new Date(midnightAfter(at(from), days)).toISOString()).toBe(`${until}.000Z`);
});

describe("a lifecycle configuration", () => {
  test.each([
    ["a prefix of the rule", rule(`<Prefix>logs/</Prefix>${DAYS}`), "accepted"],
    ["an empty filter", rule(`<Filter/>${DAYS}`), "accepted"],
    ["a filter by prefix", rule(`<Filter><Prefix>logs/</Prefix></Filter>${DAYS}`), "accepted"],
    ["a filter by tag", rule(`<Filter>${TAG}</Filter>${DAYS}`), "accepted"],
    [
      "an And of everything",
      rule(
        `<Filter><And><Prefix>a</Prefix>${TAG}<ObjectSizeGreaterThan>0</ObjectSizeGreaterThan><ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter>${DAYS}`,
      ),
      "accepted",
    ],
    ["an abort", rule(`<Filter/>${ABORT}`), "accepted"],
    ["a disabled rule", rule(`<Filter/>${DAYS}`, "Disabled"), "accepted"],
    ["a date", rule("<Filter/><Expiration><Date>2030-01-01T00:00:00.000Z</Date></Expiration>"), "accepted"],
    [
      "expired delete markers",
      rule("<Filter/><Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>"),
      "accepted",
    ],
    [
      "delete markers that are not wanted beside days",
      rule(
        "<Filter/><Expiration><Days>1</Days><ExpiredObjectDeleteMarker>false</ExpiredObjectDeleteMarker></Expiration>",
      ),
      "accepted",
    ],
    ["no rule", "", "MalformedXML"],
    ["no filter", rule(DAYS), "MalformedXML"],
    ["a filter and a prefix", rule(`<Prefix/><Filter/>${DAYS}`), "MalformedXML"],
    ["a misspelt filter", rule(`<Filter><Prefx>a</Prefx></Filter>${DAYS}`), "MalformedXML"],
    ["a misspelt element", rule(`<Filter/><Filters/>${DAYS}`), "MalformedXML"],
    ["two conditions without And", rule(`<Filter><Prefix>a</Prefix>${TAG}</Filter>${DAYS}`), "MalformedXML"],
    ["two tags without And", rule(`<Filter>${TAG}${TAG}</Filter>${DAYS}`), "MalformedXML"],
    ["an empty And", rule(`<Filter><And/></Filter>${DAYS}`), "MalformedXML"],
    ["another status", rule(`<Filter/>${DAYS}`, "enabled"), "MalformedXML"],
    ["an expiration of nothing", rule("<Filter/><Expiration/>"), "MalformedXML"],
    [
      "days and a date",
      rule("<Filter/><Expiration><Days>1</Days><Date>2030-01-01</Date></Expiration>"),
      "MalformedXML",
    ],
    ["a word for days", rule("<Filter/><Expiration><Days>one</Days></Expiration>"), "MalformedXML"],
    [
      "a date without dashes",
      rule("<Filter/><Expiration><Date>20300101</Date></Expiration>"),
      "MalformedXML",
    ],
    ["no days", rule("<Filter/><Expiration><Days>0</Days></Expiration>"), "InvalidArgument"],
    ["negative days", rule("<Filter/><Expiration><Days>-1</Days></Expiration>"), "InvalidArgument"],
    [
      "a date within a day",
      rule("<Filter/><Expiration><Date>2030-01-01T12:00:00Z</Date></Expiration>"),
      "InvalidArgument",
    ],
    ["an id of 256 characters", rule(`<ID>${"i".repeat(256)}</ID><Filter/>${DAYS}`), "InvalidArgument"],
    ["an id twice", rule(`<ID>i</ID><Filter/>${DAYS}`).repeat(2), "InvalidArgument"],
    ["no action", rule("<Filter/>"), "InvalidRequest"],
    ["an abort by tag", rule(`<Filter>${TAG}</Filter>${ABORT}`), "InvalidRequest"],
    [
      "sizes that exclude each other",
      rule(
        `<Filter><And><ObjectSizeGreaterThan>9</ObjectSizeGreaterThan><ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter>${DAYS}`,
      ),
      "InvalidRequest",
    ],
    [
      "a tag that is none",
      rule(`<Filter><Tag><Key>a&amp;</Key><Value/></Tag></Filter>${DAYS}`),
      "InvalidTag",
    ],
    ["a transition", rule("<Filter/><Transition><Days>1</Days></Transition>"), "NotImplemented"],
    ["expiring versions", rule(`<Filter/>${DAYS}<NoncurrentVersionExpiration/>`), "NotImplemented"],
  ])("with %s is accepted or refused as on AWS", (_what, rules, outcome) => {
    expect(outcomeOf(configuration(rules))).toBe(outcome);
  });

  test("may have at most 1000 rules", () => {
    const rules = (count: number) =>
      configuration(...Array.from({ length: count }, () => rule(`<Filter/>${DAYS}`)));
    expect([outcomeOf(rules(1000)), outcomeOf(rules(1001))]).toEqual(["accepted", "MalformedXML"]);
  });

  test("gives a rule without an id one that stays the same when the rule is written again", () => {
    const [first, second] = parseLifecycleRules(
      configuration(rule(`<Filter/>${DAYS}`), rule(`<Filter/>${DAYS}`)),
    );
    expect(first?.id).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.id).not.toBe(first?.id);
  });
});

const text = fc
  .array(fc.constantFrom("a", "b", "/", "\u{1d400}"), { maxLength: 4 })
  .map((each) => each.join(""));
const tag: fc.Arbitrary<Tag> = fc.record({
  key: fc.constantFrom("t", "u"),
  value: fc.constantFrom("1", "2"),
});
const tags = fc.uniqueArray(tag, { maxLength: 2, selector: ({ key }) => key });
const conditions = fc.record({
  prefix: fc.option(text),
  tags,
  sizeBytesAbove: fc.option(fc.integer({ min: 0, max: 4 })),
  sizeBytesBelow: fc.option(fc.integer({ min: 5, max: 9 })),
});
const DAY_MS = 86_400_000;
const day = fc.integer({ min: 1, max: 5 });
const aRule: fc.Arbitrary<LifecycleRule> = fc
  .record({
    id: fc.uuid(),
    isEnabled: fc.boolean(),
    filter: conditions,
    expiration: fc.oneof(
      fc.record({ kind: fc.constant("days" as const), days: day }),
      fc.record({ kind: fc.constant("date" as const), dateMs: day.map((days) => days * DAY_MS) }),
      fc.record({ kind: fc.constant("delete markers" as const), isWanted: fc.boolean() }),
    ),
  })
  .map(({ filter, ...rest }) => ({ ...rest, filter, form: formOf(filter), abortAfterDays: null }));
const object: fc.Arbitrary<RuledObject> = fc.record({
  key: text,
  sizeBytes: fc.integer({ min: 0, max: 10 }),
  tags,
  modifiedMs: fc.integer({ min: 0, max: 5 * DAY_MS }),
});

function formOf({ prefix, tags: wanted, sizeBytesAbove, sizeBytesBelow }: LifecycleRule["filter"]) {
  const count =
    [prefix, sizeBytesAbove, sizeBytesBelow].filter((each) => each !== null).length + wanted.length;
  return count > 1 ? "and" : "filter";
}

/** Computes the expiry as AWS documents it, hour by hour and without arithmetic on days. */
function modelExpiry({ expiration }: LifecycleRule, { modifiedMs }: RuledObject): number | null {
  if (expiration?.kind === "date") return expiration.dateMs;
  if (expiration?.kind !== "days") return null;
  const date = new Date(modifiedMs);
  date.setUTCDate(date.getUTCDate() + expiration.days);
  do date.setUTCHours(date.getUTCHours() + 1, 0, 0, 0);
  while (date.getUTCHours() !== 0);
  return date.getTime();
}

function modelMatches({ filter }: LifecycleRule, { key, sizeBytes, tags: held }: RuledObject): boolean {
  if (filter.prefix !== null && key.slice(0, filter.prefix.length) !== filter.prefix) return false;
  if (filter.sizeBytesAbove !== null && sizeBytes <= filter.sizeBytesAbove) return false;
  if (filter.sizeBytesBelow !== null && sizeBytes >= filter.sizeBytesBelow) return false;
  const byKey = new Map(held.map((each) => [each.key, each.value]));
  for (const wanted of filter.tags) if (byKey.get(wanted.key) !== wanted.value) return false;
  return true;
}

test("rules expire the same objects as the model, at the same time", () => {
  fc.assert(
    fc.property(fc.array(aRule, { maxLength: 4 }), object, (rules, given) => {
      const times = rules.flatMap((each) => {
        const expiry = each.isEnabled && modelMatches(each, given) ? modelExpiry(each, given) : null;
        return expiry === null ? [] : [expiry];
      });
      expect(findExpiration(rules, given)?.dueMs ?? null).toBe(
        times.length === 0 ? null : Math.min(...times),
      );
      const prefix = expiringPrefix(rules);
      if (times.length > 0) expect(given.key.startsWith(prefix as string)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test("rules come back unchanged from the document written for them", () => {
  fc.assert(
    fc.property(fc.uniqueArray(aRule, { minLength: 1, maxLength: 4, selector: ({ id }) => id }), (rules) => {
      expect(parseLifecycleRules(writeLifecycleRules(rules))).toEqual(rules);
    }),
    { numRuns: 300 },
  );
});

test("an upload is aborted by the earliest rule that covers its key, or else by the default", () => {
  const [rules, disabled] = ["Enabled", "Disabled"].map((status) =>
    parseLifecycleRules(
      configuration(
        rule(`<ID>short</ID><Filter><Prefix>a/</Prefix></Filter>${ABORT}`, status),
        rule(`<ID>long</ID><Filter/>${ABORT.replace("3", "30")}`, status),
      ),
    ),
  ) as [LifecycleRule[], LifecycleRule[]];
  const initiatedMs = at("2026-11-01T10:00:00");
  const found = (all: LifecycleRule[], key: string) => findAbort(all, { key, initiatedMs });
  expect(found(rules, "a/x")).toEqual({ ruleId: "short", dueMs: at("2026-11-05T00:00:00") });
  expect(found(rules, "b")).toEqual({ ruleId: "long", dueMs: at("2026-12-02T00:00:00") });
  expect(found(disabled, "b")).toEqual({ ruleId: DEFAULT_ABORT.ruleId, dueMs: at("2026-11-09T00:00:00") });
});

test("a rule without conditions matches every object", () => {
  const [all] = parseLifecycleRules(configuration(rule(`<Filter/>${DAYS}`)));
  fc.assert(fc.property(object, (given) => matchesFilter((all as LifecycleRule).filter, given)));
});
