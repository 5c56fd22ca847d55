import { HOUR_MS } from "@stashlight/contracts/time";
import { expect, test, vi } from "vitest";
import { completeSetup } from "../setup/complete.ts";
import { openSetup } from "../setup/open.ts";
import { auditEvents, useFreshInstallation } from "../testing/index.ts";
import { acceptInvitation } from "../user/accept-invitation.ts";
import { disableUser } from "../user/disable.ts";
import { inviteUser } from "../user/invite.ts";
import { issuePasswordLink } from "../user/issue-password-link.ts";
import { listInvitations } from "../user/list-invitations.ts";
import { resetPassword } from "../user/reset-password.ts";
import { revokeInvitation } from "../user/revoke-invitation.ts";
import { describeLink } from "./describe.ts";

const password = "a long enough pass phrase";
const ada = { name: "Ada", email: "ada@example.org", password };
const { installation } = useFreshInstallation();

const linkToken = (url: string) => new URL(url).hash.slice(1);
const actions = async () => (await auditEvents(installation.platform)).map(({ action }) => action);
const newSetupLink = () =>
  openSetup({
    databaseUrl: installation.database.runtimeUrl,
    publicUrl: "http://console.test",
    now: installation.clock.now,
  });
async function setupToken(): Promise<string> {
  const link = await newSetupLink();
  if (link === null) throw new Error("no set-up link");
  return linkToken(link.url);
}
const setup = (token: string, email = ada.email) =>
  completeSetup({ ctx: installation.nobody, input: { ...ada, email, token } });
async function invite(email = "grace@example.org") {
  const admin = await installation.person("admin");
  const link = await inviteUser({ ctx: admin.ctx, input: { email, role: "operator" } });
  return { admin, token: linkToken(link.url) };
}
const join = (token: string) =>
  acceptInvitation({ ctx: installation.nobody, input: { name: "Grace", password, token } });

test("the set-up link creates the first admin, once", async () => {
  const token = await setupToken();
  await setup(token);
  const users = await installation.platform.db.user.findMany();
  expect(users).toMatchObject([{ name: "Ada", email: ada.email, role: "admin" }]);
  expect(await actions()).toEqual(["setup.completed"]);
  await expect(setup(token)).rejects.toMatchObject({ code: "link_expired" });
  expect(await newSetupLink()).toBeNull();
});

test("the set-up link lives for an hour", async () => {
  const token = await setupToken();
  installation.clock.advance(HOUR_MS);
  await expect(setup(token)).rejects.toMatchObject({ code: "link_expired" });
  const another = await setupToken();
  installation.clock.advance(HOUR_MS - 1);
  await setup(another);
});

test("a newer set-up link invalidates the previous one", async () => {
  const token = await setupToken();
  await setupToken();
  await expect(setup(token)).rejects.toMatchObject({ code: "link_expired" });
});

test("exactly one of two concurrent uses of a set-up link succeeds", async () => {
  const token = await setupToken();
  const results = await Promise.allSettled([setup(token, "a@example.org"), setup(token, "b@example.org")]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "link_expired" },
  });
  expect(await installation.platform.db.user.count()).toBe(1);
});

test("set-up is refused if there is an admin, and the link stays unused", async () => {
  const token = await setupToken();
  await installation.person("admin");
  await expect(setup(token)).rejects.toMatchObject({ code: "conflict" });
  expect(await installation.platform.db.oneTimeLink.count({ where: { usedAt: null } })).toBe(1);
  expect(await actions()).toEqual([]);
});

test("set-up with the address of an identity provider's user is refused, and can be retried", async () => {
  const { email } = await installation.person("viewer");
  const token = await setupToken();
  await expect(setup(token, email)).rejects.toMatchObject({ code: "conflict", field: "email" });
  await setup(token);
});

test("an invitation grants its role once, and shows the role beforehand", async () => {
  const { admin, token } = await invite();
  expect(await describeLink({ ctx: installation.nobody, input: { token } })).toMatchObject({
    purpose: "invitation",
    email: "grace@example.org",
    role: "operator",
    invitedBy: admin.ctx.principal?.name,
  });
  expect(await join(token)).toEqual({ email: "grace@example.org" });
  const user = await installation.platform.db.user.findUnique({ where: { email: "grace@example.org" } });
  expect(user).toMatchObject({ role: "operator", name: "Grace", disabledAt: null });
  for (const use of [join(token), describeLink({ ctx: installation.nobody, input: { token } })]) {
    await expect(use).rejects.toMatchObject({ code: "link_expired" });
  }
  expect(await actions()).toEqual(["user.invited", "user.joined"]);
});

test("exactly one of three concurrent uses of an invitation succeeds", async () => {
  const { token } = await invite();
  const results = await Promise.allSettled([join(token), join(token), join(token)]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await installation.platform.db.user.count({ where: { email: "grace@example.org" } })).toBe(1);
});

test("of two open invitations for one address used concurrently, one succeeds and the other asks to sign in", async () => {
  const tokens = [(await invite()).token, (await invite()).token];
  await installation.platform.db.oneTimeLink.updateMany({ data: { revokedAt: null } });
  const results = await Promise.allSettled(tokens.map(join));
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "conflict", message: "grace@example.org already has a user; sign in." },
  });
});

test.each([
  ["an invitation", "grace@example.org", async () => join((await invite()).token), "sign in."],
  ["the set-up link", ada.email, async () => setup(await setupToken()), "use another address."],
] as const)(
  "if another transaction creates the user first, %s is refused with the remedy and stays unused",
  async (_, email, use, remedy) => {
    const [written, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const faster = installation.anotherPlatform().db.$transaction(async (tx) => {
      await tx.user.create({ data: { id: "faster", name: "Faster", email } });
      written.resolve();
      await released.promise;
    });
    await written.promise;
    const outcome = use().catch((error: unknown) => error);
    await vi.waitFor(async () => expect(await waitingCount()).toBe(1), { timeout: 10_000 });
    released.resolve();
    await faster;
    expect(await outcome).toMatchObject({
      name: "StashlightError",
      code: "conflict",
      message: `${email} already has a user; ${remedy}`,
    });
    expect(await installation.platform.db.oneTimeLink.count({ where: { usedAt: null } })).toBe(1);
  },
);

/** Number of this database's connections that wait for another one. */
async function waitingCount(): Promise<number> {
  const rows = await installation.platform.db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE NOT granted AND datname = current_database()`;
  return Number(rows[0]?.count);
}

test("a new invitation for an address replaces the old one, and a revoked one is invalid", async () => {
  const first = await invite();
  const second = await invite();
  await expect(join(first.token)).rejects.toMatchObject({ code: "link_expired" });
  const [row, ...others] = await listInvitations({ ctx: second.admin.ctx });
  expect(others).toEqual([]);
  const input = { invitationId: row?.id ?? "" };
  await revokeInvitation({ ctx: second.admin.ctx, input });
  await expect(join(second.token)).rejects.toMatchObject({ code: "link_expired" });
  await expect(revokeInvitation({ ctx: second.admin.ctx, input })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await listInvitations({ ctx: second.admin.ctx })).toEqual([]);
});

test("an invitation lives for a week and is not listed afterwards", async () => {
  const { admin, token } = await invite();
  installation.clock.advance(7 * 24 * HOUR_MS);
  await expect(join(token)).rejects.toMatchObject({ code: "link_expired" });
  expect(await listInvitations({ ctx: admin.ctx })).toEqual([]);
});

test("an address that has a user is not invited", async () => {
  const person = await installation.person("viewer");
  await expect(invite(person.email)).rejects.toMatchObject({ code: "conflict", field: "email" });
});

test("a password link sets another password, ends every session, and works once within a day", async () => {
  const admin = await installation.person("admin");
  const person = await installation.person("viewer");
  const { db } = installation.platform;
  const issue = async () =>
    linkToken((await issuePasswordLink({ ctx: admin.ctx, input: { userId: person.userId } })).url);
  const use = (token: string) => resetPassword({ ctx: installation.nobody, input: { token, password } });
  const old = await issue();
  const token = await issue();
  await expect(use(old)).rejects.toMatchObject({ code: "link_expired" });
  const account = { userId: person.userId, providerId: "credential" };
  const before = await db.account.findFirstOrThrow({ where: account });
  expect(await use(token)).toEqual({ email: person.email });
  expect((await db.account.findFirstOrThrow({ where: account })).password).not.toBe(before.password);
  expect(await db.session.count({ where: { userId: person.userId } })).toBe(0);
  await expect(use(token)).rejects.toMatchObject({ code: "link_expired" });
  const late = await issue();
  installation.clock.advance(24 * HOUR_MS);
  await expect(use(late)).rejects.toMatchObject({ code: "link_expired" });
});

test("a link is valid for its purpose only", async () => {
  const { token } = await invite();
  await expect(resetPassword({ ctx: installation.nobody, input: { token, password } })).rejects.toMatchObject(
    { code: "link_expired" },
  );
  expect((await join(token)).email).toBe("grace@example.org");
});

test("disabling a user ends their password links, and a disabled user gets none", async () => {
  const admin = await installation.person("admin");
  const { userId } = await installation.person("viewer");
  const input = { userId };
  const token = linkToken((await issuePasswordLink({ ctx: admin.ctx, input })).url);
  await disableUser({ ctx: admin.ctx, input });
  await expect(resetPassword({ ctx: installation.nobody, input: { token, password } })).rejects.toMatchObject(
    { code: "link_expired" },
  );
  await expect(issuePasswordLink({ ctx: admin.ctx, input })).rejects.toMatchObject({ code: "conflict" });
});

test("tokens are in the fragment of the address, and not in the database", async () => {
  const admin = await installation.person("admin");
  const { userId } = await installation.person("viewer");
  const links = [
    await inviteUser({ ctx: admin.ctx, input: { email: "new@example.org", role: "viewer" } }),
    await issuePasswordLink({ ctx: admin.ctx, input: { userId } }),
  ];
  const { db } = installation.platform;
  const rows = [...(await db.oneTimeLink.findMany()), ...(await db.auditEvent.findMany())];
  const stored = JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? Number(value) : value));
  for (const { url } of links) {
    const { hash, search, pathname } = new URL(url);
    expect(hash).toMatch(/^#[A-Za-z0-9_-]{43}$/);
    expect(search + pathname).not.toContain(hash.slice(1));
    expect(stored).not.toContain(hash.slice(1));
  }
});

test("attempts to guess links are limited per client address", async () => {
  const guess = () => describeLink({ ctx: installation.nobody, input: { token: "x".repeat(43) } });
  for (let count = 0; count < 60; count++)
    await expect(guess()).rejects.toMatchObject({ code: "link_expired" });
  await expect(guess()).rejects.toMatchObject({ code: "rate_limited" });
});
