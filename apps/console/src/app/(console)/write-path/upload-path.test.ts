import { expect, test } from "vitest";
import { formatUploadPath } from "./upload-path.ts";

test.each([
  ["acknowledged by the stash", "stash", { path: "stash", result: "stored" }],
  ["acknowledged by the direct path", "direct", { path: "direct", result: "stored" }],
  ["refused because pods were short of space", "not stored", { path: "direct", result: "unavailable" }],
  ["refused because the vault was full", "not stored", { path: "direct", result: "full" }],
] as const)("an upload %s is shown as %s", (_, expected, trace) => {
  expect(formatUploadPath(trace)).toBe(expected);
});
