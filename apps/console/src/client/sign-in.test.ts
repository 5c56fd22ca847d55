import { expect, test } from "vitest";
import { safeNextPath, signInPath } from "./sign-in.ts";

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

test.each(["/", "/jobs?from=now-7d", "/fleet/node-1?range=a%20b&to=now"])(
  "a visitor sent to sign in from %s returns to it",
  (path) => {
    const { pathname, searchParams } = new URL(signInPath(path), "http://here.invalid");
    expect(pathname).toBe("/sign-in");
    expect(safeNextPath(searchParams.get("next"))).toBe(path);
  },
);
