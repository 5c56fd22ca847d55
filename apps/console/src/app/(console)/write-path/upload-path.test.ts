import { expect, test } from "vitest";
import { formatUploadPath } from "./upload-path.ts";

test.each([
  ["by the stash", { path: "stash", result: "stored" }, "stash"],
  ["by the direct path", { path: "direct", result: "stored" }, "direct"],
  ["by none, since pods were short of space", { path: "direct", result: "unavailable" }, "not stored"],
  ["by none, since the vault was full", { path: "direct", result: "full" }, "not stored"],
] as const)("the list names the path of an upload that was acknowledged %s", (_, trace, expected) => {
  expect(formatUploadPath(trace)).toBe(expected);
});
