import fc from "fast-check";
import superjson, { type SuperJSONResult } from "superjson";
import { expect, test } from "vitest";
import { transformer } from "./transformer.ts";

/** Writes an answer, sends it as text, and reads it as the client's superjson does. */
const received = (answer: unknown): unknown =>
  superjson.deserialize(JSON.parse(JSON.stringify(transformer.output.serialize(answer))) as SuperJSONResult);

const date = new Date("2026-11-27T16:00:00Z");

test.each([
  ["a date", { at: date }],
  ["a date within a list", [{ rows: [1, date] }]],
  ["what no JSON number is", { most: Number.POSITIVE_INFINITY, none: Number.NaN }],
  ["a map and a set", { map: new Map([["a", date]]), set: new Set([1]) }],
  ["a large whole number", { bytes: 12n }],
  ["nothing", undefined],
  ["nothing within a list", [1, undefined]],
])("%s arrives as it was", (_, answer) => {
  expect(received(answer)).toEqual(answer);
});

/** superjson refuses names that would change an object's prototype, of which no answer has one. */
const answers = fc
  .jsonValue({ maxDepth: 4 })
  .filter((answer) => !/"(__proto__|constructor|prototype)"/.test(JSON.stringify(answer)));

test("plain answers arrive as they were, and carry nothing but themselves", () => {
  fc.assert(
    fc.property(answers, (answer) => {
      expect(received(answer)).toEqual(JSON.parse(JSON.stringify(answer)));
      expect(Object.keys(transformer.output.serialize(answer))).toEqual(["json"]);
    }),
  );
});

test("a property that is undefined is absent", () => {
  expect(transformer.output.serialize({ a: 1, b: undefined })).toEqual({ json: { a: 1 } });
  expect(received({ a: [{ b: undefined }] })).toEqual({ a: [{}] });
});
