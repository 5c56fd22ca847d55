import { type TOTP, URI } from "otpauth";
import { afterEach, expect, test, vi } from "vitest";
import {
  auditEvents,
  browserContext,
  callAuth,
  openTestBrowser,
  type TestBrowser,
  testPassword,
  useSharedInstallation,
} from "../testing/index.ts";
import { confirmTotp, disableTotp, renewBackupCodes, startTotp } from "./totp.ts";

const { installation } = useSharedInstallation();
afterEach(() => {
  vi.useRealTimers();
});

let addressCount = 0;
const newBrowser = () => openTestBrowser("http://console.test", `198.51.100.${++addressCount}`);

async function signIn(email: string): Promise<{ browser: TestBrowser; body: unknown }> {
  const browser = newBrowser();
  const response = await callAuth(installation.platform, browser, "/sign-in/email", {
    email,
    password: testPassword,
  });
  expect(response.status).toBe(200);
  return { browser, body: await response.json() };
}

const verify = (browser: TestBrowser, kind: "totp" | "backup-code", code: string) =>
  callAuth(installation.platform, browser, `/two-factor/verify-${kind}`, { code });
const signedInPrincipal = async (browser: TestBrowser) =>
  (await browserContext(installation.platform, browser)).principal;

async function verb<Input>(browser: TestBrowser, input: Input) {
  const ctx = await browserContext(installation.platform, browser);
  return { ctx, input, requestHeaders: browser.headers(), setCookies: browser.receive };
}

const periodMs = 30_000;
/** The code that the app shows now, or this many periods later; its clock may be off by one period. */
const totpCode = (uri: string, periods = 0) =>
  (URI.parse(uri) as TOTP).generate({ timestamp: Date.now() + periods * periodMs });

async function personWithTotp() {
  const person = await installation.person("operator");
  const { browser } = await signIn(person.email);
  const { uri, backupCodes } = await startTotp(await verb(browser, { password: testPassword }));
  await confirmTotp(await verb(browser, { code: totpCode(uri) }));
  return { ...person, browser, uri, backupCodes };
}

test("two-factor sign-in takes effect only once a code has proved that the app has the secret", async () => {
  const person = await installation.person("viewer");
  const { browser } = await signIn(person.email);
  const { uri } = await startTotp(await verb(browser, { password: testPassword }));
  expect(uri).toMatch(/^otpauth:\/\/totp\/Stashlight/);
  await expect(confirmTotp(await verb(browser, { code: "000000" }))).rejects.toMatchObject({
    code: "invalid_input",
    field: "code",
  });
  expect((await signedInPrincipal((await signIn(person.email)).browser))?.twoFactorEnabled).toBe(false);
  await confirmTotp(await verb(browser, { code: totpCode(uri) }));
  expect(await signedInPrincipal(browser)).toMatchObject({ userId: person.userId, twoFactorEnabled: true });
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "user.totp_enabled",
    actorId: person.userId,
  });
});

test("with two-factor sign-in the password alone opens no session, but a correct code does", async () => {
  const { email, userId, uri } = await personWithTotp();
  const before = await auditEvents(installation.platform);
  const { browser, body } = await signIn(email);
  expect(body).toMatchObject({ twoFactorRedirect: true });
  expect(await signedInPrincipal(browser)).toBeNull();
  expect((await verify(browser, "totp", "000000")).status).toBe(401);
  expect(await signedInPrincipal(browser)).toBeNull();
  expect((await verify(browser, "totp", totpCode(uri, 1))).status).toBe(200);
  expect(await signedInPrincipal(browser)).toMatchObject({ userId });
  const events = (await auditEvents(installation.platform)).slice(before.length);
  expect(events.map(({ action, after }) => [action, (after as { method: string }).method])).toEqual([
    ["session.sign_in_failed", "two-factor"],
    ["session.signed_in", "two-factor"],
  ]);
});

test("a code without a preceding password opens no session", async () => {
  const { uri } = await personWithTotp();
  const browser = newBrowser();
  expect((await verify(browser, "totp", totpCode(uri, 1))).status).toBe(401);
  expect(await signedInPrincipal(browser)).toBeNull();
});

test("a code opens one session, and is answered like a wrong one afterwards", async () => {
  const { email, uri } = await personWithTotp();
  const [first, second] = [(await signIn(email)).browser, (await signIn(email)).browser];
  const code = totpCode(uri, 1);
  expect((await verify(first, "totp", code)).status).toBe(200);
  const replayed = await verify(second, "totp", code);
  const wrong = await verify(second, "totp", "000000");
  expect([replayed.status, await replayed.json()]).toEqual([wrong.status, await wrong.json()]);
  expect(await signedInPrincipal(second)).toBeNull();
  expect((await auditEvents(installation.platform)).at(-2)).toMatchObject({
    action: "session.sign_in_failed",
    after: { method: "two-factor", reason: "INVALID_CODE" },
  });
});

test("exactly one of three concurrent uses of a code succeeds", async () => {
  const { email, uri } = await personWithTotp();
  const browsers = await Promise.all([1, 2, 3].map(async () => (await signIn(email)).browser));
  const code = totpCode(uri, 1);
  const answers = await Promise.all(browsers.map((browser) => verify(browser, "totp", code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
});

test("the code that turned on two-factor sign-in cannot also sign in", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { email, uri } = await personWithTotp();
  const { browser } = await signIn(email);
  expect((await verify(browser, "totp", totpCode(uri))).status).toBe(401);
  vi.setSystemTime(Date.now() + periodMs);
  expect((await verify(browser, "totp", totpCode(uri))).status).toBe(200);
});

test("a phone's clock may be off by one period, and a later code uses up the earlier ones", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { email, uri } = await personWithTotp();
  vi.setSystemTime(Date.now() + 5 * periodMs);
  const tryCode = async (periods: number) =>
    (await verify((await signIn(email)).browser, "totp", totpCode(uri, periods))).status;
  const outcomes = [];
  for (const periods of [-2, 2, -1, 0, -1, 0, 1, 0, 1]) outcomes.push([periods, await tryCode(periods)]);
  expect(outcomes).toEqual([
    [-2, 401],
    [2, 401],
    [-1, 200],
    [0, 200],
    [-1, 401],
    [0, 401],
    [1, 200],
    [0, 401],
    [1, 401],
  ]);
});

test("a backup code works once", async () => {
  const { email, backupCodes } = await personWithTotp();
  const [code = ""] = backupCodes;
  expect(backupCodes.length).toBeGreaterThanOrEqual(8);
  const first = (await signIn(email)).browser;
  expect((await verify(first, "backup-code", code)).status).toBe(200);
  expect(await signedInPrincipal(first)).not.toBeNull();
  const second = (await signIn(email)).browser;
  expect((await verify(second, "backup-code", code)).status).toBe(401);
  expect(await signedInPrincipal(second)).toBeNull();
});

test("renewed backup codes replace the old ones", async () => {
  const { email, browser, backupCodes } = await personWithTotp();
  const renewed = await renewBackupCodes(await verb(browser, { password: testPassword }));
  expect((await auditEvents(installation.platform)).at(-1)?.action).toBe("user.backup_codes_renewed");
  const again = (await signIn(email)).browser;
  expect((await verify(again, "backup-code", backupCodes[0] ?? "")).status).toBe(401);
  expect((await verify(again, "backup-code", renewed.backupCodes[0] ?? "")).status).toBe(200);
});

test("after two-factor sign-in is turned off the password is enough, and secret and codes are deleted", async () => {
  const { email, userId, browser } = await personWithTotp();
  await disableTotp(await verb(browser, { password: testPassword }));
  expect(await signedInPrincipal(browser)).toMatchObject({ twoFactorEnabled: false });
  expect((await auditEvents(installation.platform)).at(-1)?.action).toBe("user.totp_disabled");
  expect(await installation.platform.db.twoFactor.count({ where: { userId } })).toBe(0);
  expect(await signedInPrincipal((await signIn(email)).browser)).toMatchObject({ userId });
});

test("set-up, turning off and new backup codes require the password, and a wrong one changes and logs nothing", async () => {
  const { browser, userId } = await personWithTotp();
  const events = await auditEvents(installation.platform);
  for (const step of [startTotp, disableTotp, renewBackupCodes]) {
    await expect(step(await verb(browser, { password: "not the password" }))).rejects.toMatchObject({
      code: "invalid_input",
      field: "password",
    });
  }
  await expect(startTotp(await verb(browser, { password: testPassword }))).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await installation.platform.db.twoFactor.count({ where: { userId } })).toBe(1);
  expect(await auditEvents(installation.platform)).toEqual(events);
});

test("the secret and the backup codes are stored encrypted", async () => {
  const { userId, uri, backupCodes } = await personWithTotp();
  const row = await installation.platform.db.twoFactor.findFirstOrThrow({ where: { userId } });
  expect(row.secret).not.toContain((URI.parse(uri) as TOTP).secret.base32);
  expect(row.backupCodes).not.toContain(backupCodes[0]);
});
