import fc from "fast-check";
import { expect, test } from "vitest";
import { transformer } from "./transformer.ts";

const { serialize, deserialize } = transformer.output;
const received = (answer: unknown): unknown => deserialize(JSON.parse(JSON.stringify(serialize(answer))));

const date = new Date("2026-11-27T16:00:00Z");

test.each([
  ["a date", { at: date }],
  ["a date within a list", [{ rows: [1, date] }]],
  ["a list whose members have dates in some places", [{ a: date }, { a: null, b: { c: date } }, {}, null]],
  ["a text in the place of another member's date", [{ at: date }, { at: date.toISOString() }]],
  ["a list in the place of another member's date", [{ at: date }, { at: [date] }, { at: { at: date } }]],
  ["numbers that JSON lacks", { most: Number.POSITIVE_INFINITY, none: Number.NaN }],
  ["a map and a set", { map: new Map([["a", date]]), set: new Set([1]) }],
  ["a large whole number", { bytes: 12n }],
  ["undefined", undefined],
  ["undefined within a list", [1, undefined]],
])("%s arrives unchanged", (_, answer) => {
  expect(received(answer)).toEqual(answer);
});

/** superjson refuses names that would change an object's prototype; no answer has such a name. */
const answers = fc
  .jsonValue({ maxDepth: 4 })
  .filter((answer) => !/"(__proto__|constructor|prototype)"/.test(JSON.stringify(answer)));

test("answers of JSON and dates arrive unchanged", () => {
  const withDates = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      fc.date({ noInvalidDate: true }),
      fc.integer(),
      tie("list"),
      tie("record"),
    ),
    list: fc.array(tie("any")),
    record: fc.dictionary(fc.stringMatching(/^[a-z]{1,2}$/), tie("any")),
  })).any;
  fc.assert(
    fc.property(withDates, (answer) => {
      expect(received(answer)).toEqual(answer);
    }),
  );
});

test("plain answers arrive unchanged, without places of dates", () => {
  fc.assert(
    fc.property(answers, (answer) => {
      expect(received(answer)).toEqual(JSON.parse(JSON.stringify(answer)));
      expect(serialize(answer)).toEqual({ json: answer, dates: null });
    }),
  );
});

test("a list of 1,000 members has one sketch of its dates' places", () => {
  const nodes = Array.from({ length: 1_000 }, (_, i) => ({
    name: `pods-${i}`,
    lastSeenAt: i === 7 ? null : date,
  }));
  expect(serialize({ nodes })).toEqual({ json: { nodes }, dates: { nodes: [{ lastSeenAt: 1 }] } });
});

test("a property that is undefined is absent", () => {
  expect(serialize({ a: 1, b: undefined })).toEqual({ json: { a: 1, b: undefined }, dates: null });
  expect(received({ a: [{ b: undefined }] })).toEqual({ a: [{}] });
});
