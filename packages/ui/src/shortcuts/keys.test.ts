import { describe, expect, test } from "vitest";
import { keyCaps, matchStep, pressedKey } from "./keys.ts";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey", boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test.each([
  [press("g"), "g"],
  [press("G"), "g"],
  [press("?"), "?"],
  [press(" "), "space"],
  [press("k", { ctrlKey: true }), "mod+k"],
  [press("K", { metaKey: true }), "mod+k"],
  [press("Escape"), "escape"],
  [press("Shift"), null],
  [press("x", { altKey: true }), null],
])("the key press %o is read as the step %s", (event, step) => {
  expect(pressedKey(event)).toBe(step);
});

describe("matchStep", () => {
  const known = ["?", "mod+k", "g u", "g o", "u"];

  test.each([
    [null, "?", "?", null],
    [null, "g", null, "g"],
    ["g", "u", "g u", null],
    [null, "u", "u", null],
    ["g", "?", "?", null],
    ["g", "g", null, "g"],
    ["g", "x", null, null],
  ])("after %s, %s completes %s and leaves %s waiting", (pending, step, keys, next) => {
    expect(matchStep(known, pending, step)).toEqual({ keys, pending: next });
  });
});

test("key caps are named as on the current keyboard", () => {
  expect(keyCaps("mod+k", false)).toEqual([["Ctrl", "K"]]);
  expect(keyCaps("mod+k", true)).toEqual([["⌘", "K"]]);
  expect(keyCaps("g u", false)).toEqual([["G"], ["U"]]);
  expect(keyCaps("?", false)).toEqual([["?"]]);
  expect(keyCaps("+", false)).toEqual([["+"]]);
});
