import type { LifecycleRule } from "@stashlight/contracts/bucket";
import { expect, test } from "vitest";
import { checkRuleForm, isEditable, type RuleForm, ruleFields, toRule, toRuleForm } from "./rule-form.ts";

const base: LifecycleRule = {
  id: "logs",
  isEnabled: true,
  form: "filter",
  abortAfterDays: null,
  filter: { prefix: null, tags: [], sizeBytesAbove: null, sizeBytesBelow: null },
  expiration: { kind: "days", days: 30 },
};
const withFilter = (
  form: LifecycleRule["form"],
  filter: Partial<LifecycleRule["filter"]>,
): LifecycleRule => ({
  ...base,
  form,
  filter: { ...base.filter, ...filter },
});
const tags = [
  { key: "env", value: "a=b" },
  { key: "old", value: "" },
];

test.each([
  ["without a filter", base],
  ["with an empty prefix in its filter", withFilter("filter", { prefix: "" })],
  ["with a prefix outside of a filter", withFilter("prefix", { prefix: "logs/" })],
  ["with an empty prefix outside of a filter", withFilter("prefix", { prefix: "" })],
  ["with a prefix that ends in a blank", withFilter("filter", { prefix: "my logs " })],
  ["with one condition inside And", withFilter("and", { prefix: "logs/" })],
  ["with all conditions", withFilter("and", { prefix: "a", tags, sizeBytesAbove: 0, sizeBytesBelow: 9 })],
  ["with a date", { ...base, expiration: { kind: "date", dateMs: Date.UTC(2030, 0, 1) } }],
  ["that is off and aborts uploads", { ...base, isEnabled: false, expiration: null, abortAfterDays: 3 }],
] as const)("a rule %s survives being opened and saved without a change", (_, rule) => {
  expect(isEditable(rule)).toBe(true);
  expect(toRule(toRuleForm(rule), rule)).toEqual(rule);
  expect(checkRuleForm(toRuleForm(rule), [])).toEqual({});
});

test.each([
  ["the key of a tag has =", { ...base, filter: { ...base.filter, tags: [{ key: "a=b", value: "" }] } }],
  ["a tag begins with a blank", { ...base, filter: { ...base.filter, tags: [{ key: " a", value: "" }] } }],
  ["it is about delete markers", { ...base, expiration: { kind: "delete markers", isWanted: true } }],
] as const)("a rule cannot be edited in the form if %s", (_, rule) => {
  expect(isEditable({ ...rule, filter: { ...rule.filter, tags: [...rule.filter.tags] } })).toBe(false);
});

const typed = (changes: Partial<RuleForm>): RuleForm => ({
  ...ruleFields.initial,
  id: "logs",
  days: "30",
  ...changes,
});

test("a new rule uses the filter syntax that its conditions need", () => {
  expect(toRule(typed({}), null)).toEqual(base);
  expect(toRule(typed({ prefix: "a", above: "5" }), null)).toMatchObject({ form: "and" });
  expect(toRule(typed({ prefix: "a" }), null)).toMatchObject({ form: "filter", filter: { prefix: "a" } });
  const before = withFilter("prefix", { prefix: "logs/" });
  expect(toRule({ ...toRuleForm(before), above: "5" }, before)).toMatchObject({ form: "and" });
});

test.each([
  ["no name", { id: " " }, "id"],
  ["the name of another rule", { id: "taken" }, "id"],
  ["no days", { days: "" }, "days"],
  ["half a day", { days: "0.5" }, "days"],
  ["1e3 days", { days: "1e3" }, "days"],
  ["a size that is not whole", { above: "1.5" }, "above"],
  ["sizes that exclude each other", { above: "9", below: "9" }, "below"],
  ["no date", { expires: "date", date: "" }, "date"],
  ["nothing to do", { expires: "none" }, "expires"],
  ["uploads with tags", { tags: "a=b", abort: "3" }, "abort"],
  ["a tag without a key", { tags: "=b" }, "tags"],
  ["a key twice", { tags: "a=b\na=c" }, "tags"],
] as const)("a rule with %s is reported at the field with the problem", (_, changes, field) => {
  expect(Object.keys(checkRuleForm(typed(changes), ["taken"]))).toEqual([field]);
});
