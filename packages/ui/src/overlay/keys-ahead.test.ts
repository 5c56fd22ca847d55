import { expect, test } from "vitest";
import { withKey } from "./keys-ahead.ts";

test.each([
  [["p", "o", "d"], "pod"],
  [["p", "x", "Backspace", "o"], "po"],
  [["Shift", "P", "ArrowDown", "Tab", "Escape"], "P"],
  [["Backspace"], ""],
  [["😀"], "😀"],
])("the keys %j, typed ahead, become the text %j", (keys, text) => {
  expect(keys.reduce(withKey, "")).toBe(text);
});
