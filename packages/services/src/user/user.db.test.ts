import { beforeEach, expect, test } from "vitest";
import { changePassword } from "../account/change-password.ts";
import { endSession } from "../account/end-session.ts";
import { getSettings } from "../account/get-settings.ts";
import { createSession, type Person, testPassword, useSharedInstallation } from "../testing/index.ts";
import { changeRole } from "./change-role.ts";
import { disableUser } from "./disable.ts";
import { enableUser } from "./enable.ts";
import { endUserSessions } from "./end-sessions.ts";
import { listUsers } from "./list.ts";

const { installation } = useSharedInstallation();
let admin: Person;
beforeEach(async () => {
  await installation.platform.db.user.deleteMany();
  admin = await installation.person("admin");
});

const sessionsOf = (userId: string) => installation.platform.db.session.findMany({ where: { userId } });
const another = (userId: string) => createSession(installation.platform.db, userId, installation.clock.now());
const activeAdmins = () =>
  installation.platform.db.user.count({ where: { role: "admin", disabledAt: null } });

test("an admin can change another user's role, but not their own", async () => {
  const { userId } = await installation.person("viewer");
  await changeRole({ ctx: admin.ctx, input: { userId, role: "operator" } });
  expect(await listUsers({ ctx: admin.ctx })).toContainEqual(
    expect.objectContaining({ id: userId, role: "operator", state: "active", sessionCount: 1 }),
  );
  const own = { userId: admin.userId, role: "viewer" as const };
  await expect(changeRole({ ctx: admin.ctx, input: own })).rejects.toMatchObject({ code: "conflict" });
  await expect(disableUser({ ctx: admin.ctx, input: own })).rejects.toMatchObject({ code: "conflict" });
});

test.each([
  [
    "demote",
    (a: Person, b: Person) => changeRole({ ctx: a.ctx, input: { userId: b.userId, role: "viewer" } }),
  ],
  ["disable", (a: Person, b: Person) => disableUser({ ctx: a.ctx, input: { userId: b.userId } })],
] as const)("one admin remains if two admins %s each other at the same time", async (_, act) => {
  const other = await installation.person("admin", "other");
  const results = await Promise.allSettled([act(admin, other), act(other, admin)]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
  expect(await activeAdmins()).toBe(1);
});

test("the last active admin cannot be demoted, even by a disabled admin with a session", async () => {
  const other = await installation.person("admin", "other");
  await disableUser({ ctx: admin.ctx, input: { userId: other.userId } });
  await expect(
    changeRole({ ctx: other.ctx, input: { userId: admin.userId, role: "viewer" } }),
  ).rejects.toMatchObject({ code: "conflict" });
  expect(await activeAdmins()).toBe(1);
});

test("disabling a user ends every session at once, and enabling restores none", async () => {
  const { userId } = await installation.person("viewer");
  await another(userId);
  await disableUser({ ctx: admin.ctx, input: { userId } });
  expect(await sessionsOf(userId)).toEqual([]);
  await enableUser({ ctx: admin.ctx, input: { userId } });
  expect(await listUsers({ ctx: admin.ctx })).toContainEqual(
    expect.objectContaining({ id: userId, state: "active", sessionCount: 0 }),
  );
});

test("ending a user's sessions ends all of theirs, but an admin keeps the one in use", async () => {
  const { userId } = await installation.person("viewer");
  await another(userId);
  expect(await endUserSessions({ ctx: admin.ctx, input: { userId } })).toEqual({ endedCount: 2 });
  await another(admin.userId);
  const own = { userId: admin.userId };
  expect(await endUserSessions({ ctx: admin.ctx, input: own })).toEqual({ endedCount: 1 });
  expect(await sessionsOf(admin.userId)).toMatchObject([{ id: admin.ctx.principal?.sessionId }]);
});

test("users can end their own sessions and no others", async () => {
  const viewer = await installation.person("viewer");
  const sessionId = await another(viewer.userId);
  const { sessions } = await getSettings({ ctx: viewer.ctx });
  expect(sessions.map(({ current }) => current)).toEqual([true, false]);
  await expect(endSession({ ctx: admin.ctx, input: { sessionId } })).rejects.toMatchObject({
    code: "not_found",
  });
  await endSession({ ctx: viewer.ctx, input: { sessionId } });
  expect(await sessionsOf(viewer.userId)).toHaveLength(1);
});

test("changing the password requires the current one, and ends the other sessions", async () => {
  const viewer = await installation.person("viewer");
  await another(viewer.userId);
  const change = (currentPassword: string, newPassword: string) =>
    changePassword({ ctx: viewer.ctx, input: { currentPassword, newPassword } });
  const refusals = [
    ["not the password", "an entirely new phrase", "currentPassword"],
    [testPassword, testPassword, "newPassword"],
    [testPassword, "passwordpassword", "newPassword"],
  ] as const;
  for (const [currentPassword, newPassword, field] of refusals) {
    await expect(change(currentPassword, newPassword)).rejects.toMatchObject({
      code: "invalid_input",
      field,
    });
  }
  expect(await sessionsOf(viewer.userId)).toHaveLength(2);
  expect(await change(testPassword, "an entirely new phrase")).toEqual({ endedCount: 1 });
  expect(await sessionsOf(viewer.userId)).toMatchObject([{ id: viewer.ctx.principal?.sessionId }]);
  await expect(change(testPassword, "one more new phrase")).rejects.toMatchObject({ code: "invalid_input" });
});

test("attempts to guess the current password are limited", async () => {
  const viewer = await installation.person("viewer");
  const input = { currentPassword: "not the password", newPassword: "an entirely new phrase" };
  const results = [];
  for (let count = 0; count < 11; count++) {
    results.push(await changePassword({ ctx: viewer.ctx, input }).catch(({ code }) => code));
  }
  expect(results).toEqual([...Array.from({ length: 10 }, () => "invalid_input"), "rate_limited"]);
});
