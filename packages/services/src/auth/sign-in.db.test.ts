import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { checkAuditChain } from "../audit/verify.ts";
import type { Platform } from "../platform.ts";
import {
  auditEvents,
  callAuth,
  openTestBrowser,
  type TestBrowser,
  testPassword,
  useSharedInstallation,
} from "../testing/index.ts";
import { disableUser } from "../user/disable.ts";
import { signInTransactionsMax } from "./handler.ts";
import { resolvePrincipal } from "./principal.ts";

const origin = "http://console.test";
const { installation } = useSharedInstallation();

let addressCount = 0;
/** Uses a new address for each browser, so that tests do not use up each other's limits. */
const newBrowser = () => openTestBrowser(origin, `198.51.100.${++addressCount}`);
const signIn = (browser: TestBrowser, email: string, password = testPassword) =>
  callAuth(installation.platform, browser, "/sign-in/email", { email, password });
const signedInPrincipal = (browser: TestBrowser) =>
  resolvePrincipal(installation.platform, browser.headers());
const lastEvent = async () => (await auditEvents(installation.platform)).at(-1);

test("a correct password opens a session, which later requests use", async () => {
  const person = await installation.person("operator", "Ada");
  const browser = newBrowser();
  const response = await signIn(browser, person.email.toUpperCase());
  expect(response.status).toBe(200);
  expect(await signedInPrincipal(browser)).toMatchObject({
    userId: person.userId,
    role: "operator",
    email: person.email,
  });
  expect(await lastEvent()).toMatchObject({
    action: "session.signed_in",
    actorId: person.userId,
    actorRole: "operator",
    targetName: person.email,
    ipAddress: `198.51.100.${addressCount}`,
    after: { method: "e-mail" },
  });
});

test("a wrong password and an unknown address get the same answer, and both are logged with the address", async () => {
  const person = await installation.person("viewer");
  const answers = [];
  for (const email of [person.email, "nobody@example.org"]) {
    const browser = newBrowser();
    const response = await signIn(browser, email, "not the password at all");
    answers.push({ status: response.status, body: await response.json() });
    expect(browser.cookies.size).toBe(0);
    expect(await lastEvent()).toMatchObject({
      action: "session.sign_in_failed",
      actorId: null,
      actorName: email,
    });
  }
  expect(answers[0]?.status).toBe(401);
  expect(answers[1]).toEqual(answers[0]);
});

test("a disabled user is refused, and no session is left", async () => {
  const admin = await installation.person("admin");
  const person = await installation.person("viewer");
  await disableUser({ ctx: admin.ctx, input: { userId: person.userId } });
  const browser = newBrowser();
  const response = await signIn(browser, person.email);
  expect(response.status).toBe(403);
  expect(await signedInPrincipal(browser)).toBeNull();
  expect(await installation.platform.db.session.count({ where: { userId: person.userId } })).toBe(0);
  expect(await lastEvent()).toMatchObject({ action: "session.sign_in_failed", actorName: person.email });
});

test("signing out ends the session at once and is logged", async () => {
  const person = await installation.person("viewer");
  const browser = newBrowser();
  await signIn(browser, person.email);
  const copy = browser.headers();
  expect((await callAuth(installation.platform, browser, "/sign-out")).status).toBe(200);
  expect(browser.cookies.size).toBe(0);
  expect(await resolvePrincipal(installation.platform, copy)).toBeNull();
  expect(await lastEvent()).toMatchObject({ action: "session.signed_out", actorId: person.userId });
});

test("a session that was deleted, or whose user was disabled directly in the database, is refused at once", async () => {
  const { db } = installation.platform;
  const person = await installation.person("viewer");
  const [first, second] = [newBrowser(), newBrowser()];
  await signIn(first, person.email);
  await signIn(second, person.email);
  const principal = await signedInPrincipal(first);
  await db.session.delete({ where: { id: principal?.sessionId ?? "" } });
  expect(await signedInPrincipal(first)).toBeNull();
  expect(await signedInPrincipal(second)).not.toBeNull();
  await db.user.update({ where: { id: person.userId }, data: { disabledAt: new Date() } });
  expect(await signedInPrincipal(second)).toBeNull();
});

test("the session's token is only in the cookie, out of reach of scripts", async () => {
  const person = await installation.person("viewer");
  const response = await signIn(newBrowser(), person.email);
  const cookie = response.headers.getSetCookie().find((text) => text.includes("session_token="));
  expect(cookie).toContain("HttpOnly");
  const token = /session_token=([^.;]+)/.exec(cookie ?? "")?.[1] ?? "no token";
  const body = await response.text();
  expect(body).toContain(person.email);
  expect(body).not.toContain(token);
});

test("an altered cookie does not sign in", async () => {
  const person = await installation.person("viewer");
  const browser = newBrowser();
  await signIn(browser, person.email);
  const [[name, value] = ["", ""]] = [...browser.cookies];
  const other = value[10] === "x" ? "y" : "x";
  browser.cookies.set(name, `${value.slice(0, 10)}${other}${value.slice(11)}`);
  expect(await signedInPrincipal(browser)).toBeNull();
});

test("a sign-in without its audit event opens no session, because both share a transaction", async () => {
  const person = await installation.person("viewer");
  const before = await installation.platform.db.session.count({ where: { userId: person.userId } });
  await installation.asOwner((tx) => tx.$executeRaw`REVOKE INSERT ON audit_event FROM stashlight_app`);
  const browser = newBrowser();
  try {
    await expect(signIn(browser, person.email)).rejects.toThrow();
  } finally {
    await installation.asOwner((tx) => tx.$executeRaw`GRANT INSERT ON audit_event TO stashlight_app`);
  }
  const after = await installation.platform.db.session.count({ where: { userId: person.userId } });
  expect(after).toBe(before);
});

test("the time a session was last seen is not updated within a minute of the last update", async () => {
  const { platform, clock } = installation;
  const person = await installation.person("viewer");
  const browser = newBrowser();
  await signIn(browser, person.email);
  const seenAt = async () =>
    (
      await platform.db.session.findUniqueOrThrow({
        where: { id: (await signedInPrincipal(browser))?.sessionId ?? "" },
      })
    ).updatedAt;
  const first = await seenAt();
  clock.advance(59_000);
  expect(await seenAt()).toEqual(first);
  clock.advance(120_000);
  expect(await seenAt()).toEqual(clock.now());
});

describe("what may be called", () => {
  const browser = newBrowser();
  beforeAll(async () => signIn(browser, (await installation.person("admin")).email));

  test.each([
    ["POST", "/sign-up/email"],
    ["POST", "/update-user"],
    ["POST", "/change-password"],
    ["POST", "/change-email"],
    ["POST", "/set-password"],
    ["POST", "/delete-user"],
    ["POST", "/forget-password"],
    ["POST", "/request-password-reset"],
    ["POST", "/reset-password"],
    ["POST", "/two-factor/enable"],
    ["POST", "/two-factor/disable"],
    ["POST", "/two-factor/generate-backup-codes"],
    ["POST", "/two-factor/send-otp"],
    ["GET", "/list-sessions"],
    ["POST", "/revoke-sessions"],
    ["POST", "/link-social"],
    ["POST", "/unlink-account"],
    ["GET", "/list-accounts"],
    ["GET", "/get-session"],
    ["GET", "/error"],
    ["GET", "/ok"],
    ["GET", "/sign-in/email"],
    ["POST", "/sign-in/email/"],
    ["POST", "//sign-in/email"],
    ["POST", "/callback/oidc"],
    ["GET", "/callback/github"],
  ])("%s %s is not exposed", async (method, path) => {
    const person = await installation.person("admin");
    const browser = newBrowser();
    await signIn(browser, person.email);
    const response = await callAuth(
      installation.platform,
      browser,
      path,
      method === "POST" ? {} : undefined,
      method,
    );
    expect(response.status).toBe(404);
  });

  test.each([
    ["no JSON", "{", 413],
    ["a list", "[]", 400],
    ["too much", JSON.stringify({ email: "x".repeat(20_000) }), 413],
    ["no password", "{}", 400],
  ])("a body with %s is refused", async (_, body, status) => {
    const response = await callAuth(installation.platform, newBrowser(), "/sign-in/email", body);
    expect(response.status).toBe(status);
  });
});

describe("sign-in attempts are limited", () => {
  test("sign-in is limited by e-mail and client address in Postgres, and a stranger's attempts lock out no user", async () => {
    const person = await installation.person("viewer");
    const other = installation.anotherPlatform();
    const stranger = newBrowser();
    const attempt = (platform: Platform, browser = stranger, password?: string) =>
      callAuth(platform, browser, "/sign-in/email", { email: person.email, password });
    for (let count = 0; count < 20; count++) {
      expect((await attempt(count % 2 ? other : installation.platform)).status).toBe(400);
    }
    const refusal = { code: "rate_limited", status: 429, retryAfterSeconds: 900 };
    await expect(attempt(other, stranger, testPassword)).rejects.toMatchObject(refusal);
    expect((await attempt(other, newBrowser(), testPassword)).status).toBe(200);
    installation.clock.advance(900_000);
    expect((await attempt(installation.platform, stranger, testPassword)).status).toBe(200);
  });

  test("guesses for one e-mail address from many client addresses are counted together", async () => {
    const person = await installation.person("viewer");
    const attempt = () =>
      callAuth(installation.platform, newBrowser(), "/sign-in/email", {
        email: person.email,
        password: testPassword,
      });
    expect((await attempt()).status).toBe(200);
    await installation.platform.db.rateLimit.update({
      where: { key: `sign-in:${person.email}` },
      data: { requestCount: 500 },
    });
    await expect(attempt()).rejects.toMatchObject({ code: "rate_limited", status: 429 });
  });

  test("a browser that asks to skip the second factor is refused", async () => {
    const answer = await callAuth(installation.platform, newBrowser(), "/two-factor/verify-totp", {
      code: "000000",
      trustDevice: true,
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("cannot be excused");
  });

  test.each([
    ["/sign-in/email", 30],
    ["/two-factor/verify-totp", 15],
    ["/two-factor/verify-backup-code", 10],
  ])("%s answers 429 after %d requests in a minute from one client address", async (path, countMax) => {
    const browser = newBrowser();
    const other = installation.anotherPlatform();
    const attempt = (platform: Platform) => callAuth(platform, browser, path, { code: "000000" });
    for (let count = 0; count < countMax; count++) {
      expect((await attempt(installation.platform)).status).toBeLessThan(429);
    }
    await expect(attempt(other)).rejects.toMatchObject({ code: "rate_limited", status: 429 });
    expect(
      (await callAuth(installation.platform, newBrowser(), path, { code: "000000" })).status,
    ).toBeLessThan(429);
    installation.clock.advance(60_000);
    expect((await attempt(other)).status).toBeLessThan(429);
  });

  test("more users than there are database connections can sign in at the same time", async () => {
    const { db } = installation.platform;
    const person = await installation.person("viewer");
    const transact = db.$transaction.bind(db) as (body: unknown) => Promise<unknown>;
    let open = 0;
    let openMax = 0;
    const spy = vi.spyOn(db, "$transaction").mockImplementation(async (body: unknown) => {
      openMax = Math.max(openMax, ++open);
      return transact(body).finally(() => open--);
    });
    onTestFinished(() => spy.mockRestore());
    const responses = await Promise.all(Array.from({ length: 14 }, () => signIn(newBrowser(), person.email)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 14 }, () => 200));
    // The other connections stay free for pages.
    expect(openMax).toBe(signInTransactionsMax);
  });
});

describe("cookies", () => {
  const cookiesAfterSignIn = async (publicUrl: string) => {
    const platform = installation.anotherPlatform({ publicUrl });
    const person = await installation.person("viewer");
    const browser = openTestBrowser(publicUrl, `203.0.113.${++addressCount}`);
    const response = await callAuth(platform, browser, "/sign-in/email", {
      email: person.email,
      password: testPassword,
    });
    expect(await resolvePrincipal(platform, browser.headers())).toMatchObject({ email: person.email });
    return response.headers.getSetCookie().map((text) => text.split(/;\s*/));
  };

  test("over http are for this path of this host, and invisible to scripts", async () => {
    const cookies = await cookiesAfterSignIn(origin);
    expect(cookies.length).toBeGreaterThan(0);
    for (const [pair, ...attributes] of cookies) {
      expect(pair).toMatch(/^stashlight\./);
      expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Path=/"]));
      expect(attributes.join()).not.toMatch(/Domain|Secure/i);
    }
  });

  test("over https are bound to the host by their names, and Secure", async () => {
    const cookies = await cookiesAfterSignIn("https://console.test");
    expect(cookies.length).toBeGreaterThan(0);
    for (const [pair, ...attributes] of cookies) {
      expect(pair).toMatch(/^__Host-stashlight\./);
      expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Path=/", "Secure"]));
      expect(attributes.join()).not.toMatch(/Domain/i);
    }
  });
});

test("a browser that reaches the console by a host name other than the public one can sign in", async () => {
  const person = await installation.person("viewer");
  const browser = openTestBrowser("http://127.0.0.1:3999", "203.0.113.250");
  expect((await signIn(browser, person.email)).status).toBe(200);
  expect((await callAuth(installation.platform, browser, "/sign-out")).status).toBe(200);
});

test.each([
  ["half a character", "\ud83d@example.org"],
  ["a character cut in two", `${"x".repeat(253)}\u{1f600}@example.org`],
  ["NUL", "a\u0000b@example.org"],
])(
  "an address with %s, which Postgres cannot store, neither fails nor breaks the chain",
  async (_, email) => {
    const response = await signIn(newBrowser(), email);
    expect(response.status).toBeLessThan(500);
    expect(await lastEvent()).toMatchObject({ action: "session.sign_in_failed" });
    expect(await checkAuditChain(installation.platform)).toMatchObject({ state: "intact" });
  },
);
