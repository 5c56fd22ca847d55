import {
  type ApiScope,
  apiRequestsPerMinuteMax,
  apiTokensPerUserMax,
  createApiTokenInput,
} from "@stashlight/contracts/api-token";
import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { hashToken } from "../ids.ts";
import { auditEvents, type Person, useSharedInstallation } from "../testing/index.ts";
import { changeRole } from "../user/change-role.ts";
import { disableUser } from "../user/disable.ts";
import { enableUser } from "../user/enable.ts";
import { authenticateApiToken, requireScope } from "./authenticate.ts";
import { createApiToken } from "./create.ts";
import { listAllApiTokens, listApiTokens } from "./list.ts";
import { revokeApiToken } from "./revoke.ts";

const { installation } = useSharedInstallation();
let admin: Person;
let operator: Person;
let viewer: Person;

beforeAll(async () => {
  admin = await installation.person("admin", "Ada");
  operator = await installation.person("operator", "Olga");
  viewer = await installation.person("viewer", "Vera");
});
beforeEach(async () => {
  await installation.platform.db.apiToken.deleteMany();
  await installation.platform.db.rateLimit.deleteMany();
});

const create = (person: Person, scopes: ApiScope[] = ["health:read"], lifetimeDays = 30) =>
  createApiToken({ ctx: person.ctx, input: createApiTokenInput.parse({ name: "CI", scopes, lifetimeDays }) });
const origin = { ipAddress: "198.51.100.9", userAgent: "curl/8" };
const use = (token: string) => authenticateApiToken(installation.platform, `Bearer ${token}`, origin);
const lastEvent = async () => (await auditEvents(installation.platform)).at(-1);
const stored = (id: string) => installation.platform.db.apiToken.findUniqueOrThrow({ where: { id } });
const unknown = { code: "unauthenticated", message: expect.stringContaining("not known or was revoked") };

test("a token is shown once, stored as a hash, and left out of the audit log", async () => {
  const { tokenId, token, expiresAt } = await create(viewer, ["metrics:read", "health:read"]);
  expect(token).toMatch(/^sla_[A-Za-z0-9_-]{43}$/);
  expect(expiresAt).toEqual(new Date(installation.clock.now().getTime() + 30 * DAY_MS));
  expect((await stored(tokenId)).tokenHash).toBe(hashToken(token));
  const [row] = await listApiTokens({ ctx: viewer.ctx });
  expect(row).toMatchObject({
    id: tokenId,
    name: "CI",
    lastCharacters: token.slice(-4),
    lastUsedAt: null,
    isExpired: false,
    scopes: ["health:read", "metrics:read"],
    owner: { id: viewer.userId, email: viewer.email },
  });
  const event = await lastEvent();
  expect(event).toMatchObject({
    action: "api_token.created",
    actorId: viewer.userId,
    targetName: "CI",
    after: { scopes: ["health:read", "metrics:read"], endsWith: token.slice(-4) },
  });
  expect(JSON.stringify([row, event?.after, await stored(tokenId)])).not.toContain(token);
});

test("a request with a token acts for its owner, and the log names both", async () => {
  const { token } = await create(operator, ["runs:start"]);
  const { principal, scopes } = await use(token);
  expect(principal).toMatchObject({
    userId: operator.userId,
    role: "operator",
    name: "Olga (API token CI)",
  });
  expect(scopes).toEqual(["runs:start"]);
});

test("a read-only token of an admin acts as a viewer", async () => {
  const { token } = await create(admin, ["health:read", "metrics:read", "plans:read", "runs:read"]);
  expect((await use(token)).principal?.role).toBe("viewer");
});

test("a token may do no more than its owner's role allows at the time of use", async () => {
  const person = await installation.person("operator", "Otto");
  const { token } = await create(person, ["runs:start"]);
  await changeRole({ ctx: admin.ctx, input: { userId: person.userId, role: "viewer" } });
  expect((await use(token)).principal?.role).toBe("viewer");
});

test("a token with more permissions than its owner is refused", async () => {
  await expect(create(viewer, ["health:read", "runs:start"])).rejects.toMatchObject({
    code: "forbidden",
    field: "scopes",
    message: expect.stringContaining("You need the operator role"),
  });
  expect(await listApiTokens({ ctx: viewer.ctx })).toEqual([]);
});

test("a token is valid only for its scopes", async () => {
  const ctx = await use((await create(admin, ["metrics:read"])).token);
  requireScope(ctx, "metrics:read");
  expect(() => requireScope(ctx, "health:read")).toThrow("lacks the scope health:read");
});

test("unknown and revoked tokens, and those of a user who was disabled and enabled again, get the same answer", async () => {
  const revoked = await create(viewer);
  await revokeApiToken({ ctx: viewer.ctx, input: { tokenId: revoked.tokenId } });
  const person = await installation.person("viewer", "Vincent");
  const orphan = await create(person);
  await disableUser({ ctx: admin.ctx, input: { userId: person.userId } });
  await enableUser({ ctx: admin.ctx, input: { userId: person.userId } });
  const never = `sla_${"x".repeat(43)}`;
  for (const token of [never, "nonsense", revoked.token, orphan.token]) {
    await expect(use(token)).rejects.toMatchObject(unknown);
  }
});

test.each([null, "", "Basic YTpi", "Bearer"])("the header %j does not authenticate", async (header) => {
  await expect(authenticateApiToken(installation.platform, header, origin)).rejects.toMatchObject({
    code: "unauthenticated",
  });
});

test("an expired token is reported as expired, and stays in its owner's list", async () => {
  const { tokenId, token } = await create(viewer, ["health:read"], 1);
  await installation.platform.db.apiToken.update({
    where: { id: tokenId },
    data: { expiresAt: installation.clock.now() },
  });
  await expect(use(token)).rejects.toMatchObject({
    code: "unauthenticated",
    message: expect.stringContaining("has expired"),
  });
  expect(await listApiTokens({ ctx: viewer.ctx })).toMatchObject([{ id: tokenId, isExpired: true }]);
});

test("the time of the last use is written at most once in ten minutes", async () => {
  const { tokenId, token } = await create(viewer);
  const usedAt = async () => (await stored(tokenId)).lastUsedAt;
  await use(token);
  const first = installation.clock.now();
  expect(await usedAt()).toEqual(first);
  installation.clock.advance(9 * MINUTE_MS);
  await use(token);
  expect(await usedAt()).toEqual(first);
  installation.clock.advance(MINUTE_MS);
  await use(token);
  expect(await usedAt()).toEqual(installation.clock.now());
});

test("each token has its own limit of requests", async () => {
  const [busy, other] = [await create(viewer), await create(viewer)];
  await use(busy.token);
  await installation.platform.db.rateLimit.updateMany({ data: { requestCount: apiRequestsPerMinuteMax } });
  await expect(use(busy.token)).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 60 });
  await use(other.token);
});

test("wrong tokens from one address are limited, and valid ones are not", async () => {
  const { token } = await create(viewer);
  for (let count = 0; count < 60; count += 1) await expect(use("wrong")).rejects.toMatchObject(unknown);
  await expect(use("wrong")).rejects.toMatchObject({ code: "rate_limited" });
  await use(token);
});

test("admins see and revoke every token, others only their own", async () => {
  const [first, second] = [await create(viewer), await create(operator)];
  expect((await listAllApiTokens({ ctx: admin.ctx })).map(({ id }) => id).sort()).toEqual(
    [first.tokenId, second.tokenId].sort(),
  );
  await expect(revokeApiToken({ ctx: viewer.ctx, input: { tokenId: second.tokenId } })).rejects.toMatchObject(
    { code: "not_found" },
  );
  await use(second.token);
  await revokeApiToken({ ctx: admin.ctx, input: { tokenId: second.tokenId } });
  await expect(use(second.token)).rejects.toMatchObject(unknown);
  expect(await lastEvent()).toMatchObject({
    action: "api_token.revoked",
    actorId: admin.userId,
    before: { owner: operator.email },
  });
  await expect(revokeApiToken({ ctx: admin.ctx, input: { tokenId: second.tokenId } })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("concurrent creations cannot exceed a user's limit of valid tokens", async () => {
  for (let count = 1; count < apiTokensPerUserMax; count += 1) await create(viewer);
  const outcomes = await Promise.allSettled([create(viewer), create(viewer), create(viewer)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  await create(operator);
});
