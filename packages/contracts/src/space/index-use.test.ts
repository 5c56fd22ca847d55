import { expect, test } from "vitest";
import { describeFullIndex, describeIndexLimit, judgeIndex } from "./index-use.ts";

test.each([
  [0, "good", null],
  [0.79, "good", null],
  [
    0.8,
    "warning",
    "The pods of vault main use 80 % of the memory for their index; at 100 % new objects are refused",
  ],
  [1, "bad", "Vault main refuses new objects: its pods have no memory left for index entries"],
] as const)(
  "an index use of %f is judged %s, with a sentence unless it is good",
  (share, state, sentence) => {
    expect(judgeIndex({ share })).toBe(state);
    expect(describeFullIndex("main", { share })).toBe(sentence);
  },
);

test.each([
  [3_912_345, "up to about 3.9 million per pod"],
  [15_000_000, "up to about 15 million per pod"],
  [123_456, "up to about 120,000 per pod"],
])("a limit of %i records is rounded to two digits", (recordsMax, text) => {
  expect(describeIndexLimit({ recordsMax })).toBe(text);
});
