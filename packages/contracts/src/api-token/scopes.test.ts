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

test("scopes are kept once each, in their order", () => {
  expect(createApiTokenInput.parse(fields).scopes).toEqual(["health:read", "runs:start"]);
});

test.each([
  ["no name", { name: " " }],
  ["a NUL in the name", { name: "a\0b" }],
  ["no scope", { scopes: [] }],
  ["an unknown scope", { scopes: ["users:write"] }],
  ["no day", { lifetimeDays: 0 }],
  ["more days than allowed", { lifetimeDays: apiTokenDaysMax + 1 }],
])("%s is refused as scopes", (_, changes) => {
  expect(createApiTokenInput.safeParse({ ...fields, ...changes }).success).toBe(false);
});
