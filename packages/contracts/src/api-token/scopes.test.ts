import { expect, test } from "vitest";
import { createApiTokenInput } from "./api-token.ts";
import { type ApiScope, apiScopes, apiTokenDaysMax, roleOfToken } from "./scopes.ts";

test.each<[ApiScope[], "viewer" | "operator" | "admin", string]>([
  [["health:read", "metrics:read"], "admin", "viewer"],
  [["runs:read", "runs:start"], "admin", "operator"],
  [["runs:start"], "operator", "operator"],
  [["runs:start"], "viewer", "viewer"],
  [[...apiScopes], "admin", "operator"],
  [[], "admin", "viewer"],
])("a token with the scopes %j of an owner who is %s acts as %s", (scopes, owner, role) => {
  expect(roleOfToken(scopes, owner)).toBe(role);
});

const fields = { name: "CI", scopes: ["runs:start", "health:read", "runs:start"], lifetimeDays: 90 };

test("duplicate scopes are removed, and the rest are in the order of the scope list", () => {
  expect(createApiTokenInput.parse(fields).scopes).toEqual(["health:read", "runs:start"]);
});

test.each([
  ["no name", { name: " " }],
  ["a NUL in the name", { name: "a\0b" }],
  ["no scope", { scopes: [] }],
  ["an unknown scope", { scopes: ["users:write"] }],
  ["a lifetime of 0 days", { lifetimeDays: 0 }],
  ["a lifetime above the limit", { lifetimeDays: apiTokenDaysMax + 1 }],
])("a token with %s is refused", (_, changes) => {
  expect(createApiTokenInput.safeParse({ ...fields, ...changes }).success).toBe(false);
});
