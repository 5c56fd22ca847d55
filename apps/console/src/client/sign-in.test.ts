import { expect, test } from "vitest";
import { safeNextPath } from "./sign-in.ts";

test.each([
  ["/admin/users?q=ada", "/admin/users?q=ada"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["/\n/evil.example", "/"],
  ["/\r\\evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["", "/"],
  [null, "/"],
])("after sign-in, %s leads to %s and never to another site", (next, path) => {
  expect(safeNextPath(next)).toBe(path);
});
