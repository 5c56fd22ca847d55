import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Platform } from "../platform.ts";
import {
  openTestIdentityProvider,
  passProvider,
  signInByProvider,
  type TestIdentityProvider,
} from "../testing/identity-provider.ts";
import {
  auditEvents,
  browserContext,
  callAuth,
  openTestBrowser,
  openTestInstallation,
  type Person,
  type TestBrowser,
  type TestInstallation,
} from "../testing/index.ts";
import { disableUser } from "../user/disable.ts";
import { inviteUser } from "../user/invite.ts";

const publicUrl = "http://console.test";
let provider: TestIdentityProvider;
let installation: TestInstallation;
let admin: Person;
let browser: TestBrowser;
let personCount = 0;

beforeAll(async () => {
  provider = await openTestIdentityProvider(publicUrl);
  installation = await openTestInstallation({ oidc: provider.oidc, publicUrl });
  admin = await installation.person("admin");
});
afterAll(async () => {
  await installation.close();
  await provider.close();
});
beforeEach(() => {
  const sub = `subject-${++personCount}`;
  provider.beforeTokens = async () => undefined;
  provider.person = { sub, email: `${sub}@example.org`, email_verified: true, name: "Grace" };
  browser = openTestBrowser(publicUrl, `198.51.100.${personCount}`);
});

const principal = async (platform: Platform = installation.platform) =>
  (await browserContext(platform, browser)).principal;
const user = () => installation.platform.db.user.findUnique({ where: { email: provider.person.email } });

/** Signs in and returns the browser's redirect and the logged events. */
async function signIn(platform: Platform = installation.platform) {
  const before = (await auditEvents(platform)).length;
  const response = await signInByProvider(platform, browser);
  const location = new URL(response.headers.get("location") ?? "", publicUrl);
  const events = (await auditEvents(platform)).slice(before);
  return { path: location.pathname, error: location.searchParams.get("error"), events };
}
const refused = (reason: unknown) => [
  { action: "session.sign_in_failed", actorId: null, after: { method: "identity provider", reason } },
];

test("an invited person joins with the invitation's role, and the invitation is used up", async () => {
  const { email } = provider.person;
  await inviteUser({ ctx: admin.ctx, input: { email, role: "operator" } });
  const { path, error, events } = await signIn();
  expect({ path, error }).toEqual({ path: "/", error: null });
  expect(await principal()).toMatchObject({ email, name: "Grace", role: "operator" });
  expect(events).toMatchObject([
    { action: "user.joined", actorName: "Grace", targetName: email, after: { role: "operator" } },
    { action: "session.signed_in", actorName: "Grace", after: { method: "identity provider" } },
  ]);
  const links = await installation.platform.db.oneTimeLink.findMany({ where: { email } });
  expect(links).toMatchObject([{ usedAt: expect.any(Date) }]);
  expect((await signIn()).events).toMatchObject([{ action: "session.signed_in" }]);
});

test("a person without an invitation is refused", async () => {
  const { path, error, events } = await signIn();
  expect(path).toBe("/sign-in");
  expect(error).toBe("not_invited");
  expect(await principal()).toBeNull();
  expect(await user()).toBeNull();
  expect(events).toMatchObject(refused("not_invited"));
});

test("an expired invitation admits no one", async () => {
  const { email } = provider.person;
  await inviteUser({ ctx: admin.ctx, input: { email, role: "operator" } });
  await installation.platform.db.oneTimeLink.updateMany({
    where: { email },
    data: { expiresAt: new Date(0) },
  });
  expect((await signIn()).error).toBe("not_invited");
});

test("with open sign-up a new person is a viewer", async () => {
  const platform = installation.anotherPlatform({ oidc: { ...provider.oidc, newUsers: "viewer" } });
  const { events } = await signIn(platform);
  expect(await principal(platform)).toMatchObject({ role: "viewer", email: provider.person.email });
  expect(events.map(({ action }) => action)).toEqual(["user.joined", "session.signed_in"]);
});

test("an invited address that the provider has not verified is refused", async () => {
  const { email } = provider.person;
  provider.person.email_verified = false;
  await inviteUser({ ctx: admin.ctx, input: { email, role: "operator" } });
  const { error, events } = await signIn();
  expect(error).toBe("email_unverified");
  expect(events).toMatchObject(refused("email_unverified"));
  expect(await user()).toBeNull();
});

test("a user with the same address is linked, keeping role and password", async () => {
  const person = await installation.person("operator");
  provider.person.email = person.email;
  const { events } = await signIn();
  expect(await principal()).toMatchObject({ userId: person.userId, role: "operator", name: "operator" });
  expect(events).toMatchObject([{ action: "session.signed_in", actorId: person.userId }]);
  const accounts = await installation.platform.db.account.findMany({ where: { userId: person.userId } });
  expect(accounts.map(({ providerId }) => providerId).sort()).toEqual(["credential", "oidc"]);
});

test("a user with the same address is not linked to an identity whose address is not verified", async () => {
  const person = await installation.person("admin");
  provider.person.email = person.email;
  provider.person.email_verified = false;
  const { error, events } = await signIn();
  expect(error).toBe("account_not_linked");
  expect(await principal()).toBeNull();
  expect(events).toMatchObject(refused(error));
  expect(await installation.platform.db.account.count({ where: { userId: person.userId } })).toBe(1);
});

test("a disabled linked user is refused", async () => {
  const person = await installation.person("viewer");
  provider.person.email = person.email;
  await signIn();
  expect(await principal()).not.toBeNull();
  await disableUser({ ctx: admin.ctx, input: { userId: person.userId } });
  expect(await principal()).toBeNull();
  const { path, error, events } = await signIn();
  expect({ path, error }).toEqual({ path: "/sign-in", error: "user_disabled" });
  expect(await principal()).toBeNull();
  expect(events).toMatchObject(refused("user_disabled"));
});

test("a callback without a started sign-in opens no session", async () => {
  const response = await callAuth(
    installation.platform,
    browser,
    "/callback/oidc?code=made-up&state=made-up",
    undefined,
    "GET",
  );
  expect(response.status).toBe(302);
  expect(await principal()).toBeNull();
});

test("a slow provider keeps no transaction open, and its answer still opens the session", async () => {
  const platform = installation.anotherPlatform({ oidc: { ...provider.oidc, newUsers: "viewer" } });
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  provider.beforeTokens = () => {
    asked.resolve();
    return released.promise;
  };
  const signingIn = signIn(platform);
  await asked.promise;
  const states = await connectionStates();
  released.resolve();
  expect(states.length).toBeGreaterThan(0);
  expect(new Set(states)).toEqual(new Set(["idle"]));
  expect((await signingIn).events.map(({ action }) => action)).toEqual(["user.joined", "session.signed_in"]);
  expect(await principal(platform)).toMatchObject({ email: provider.person.email });
});

/** Activity of every connection of a console, as Postgres reports it. */
async function connectionStates(): Promise<string[]> {
  const rows = await installation.platform.db.$transaction(async (tx) => {
    // Postgres hides the activity of the login role from the runtime role.
    await tx.$executeRaw`SET LOCAL ROLE NONE`;
    return tx.$queryRaw<{ state: string }[]>`SELECT state FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'stashlight-console' AND pid <> pg_backend_pid()`;
  });
  return rows.map(({ state }) => state);
}

test("a repeated callback opens only one session", async () => {
  await inviteUser({ ctx: admin.ctx, input: { email: provider.person.email, role: "viewer" } });
  const { db } = installation.platform;
  const exchanges: (() => void)[] = [];
  provider.beforeTokens = () => new Promise((resolve) => exchanges.push(resolve));
  const back = await passProvider(installation.platform, browser);
  const call = () => callAuth(installation.platform, browser, back, undefined, "GET");
  const calls = [call(), call()];
  await vi.waitFor(() => expect(exchanges).toHaveLength(2), { timeout: 10_000 });
  for (const release of exchanges) release();
  const locations = (await Promise.all(calls)).map((response) => response.headers.get("location"));
  expect(locations.sort()).toEqual(["/", expect.stringMatching(/^\/sign-in\?error=/)]);
  expect(await db.session.count({ where: { user: { email: provider.person.email } } })).toBe(1);
  expect(await db.verification.count({ where: { identifier: { startsWith: "auth-state:" } } })).toBe(0);
});
