import { type TOTP, URI } from "otpauth";
import { expect, test } from "vitest";
import { confirmTotp, startTotp } from "../account/totp.ts";
import {
  auditEvents,
  browserContext,
  callAuth,
  openTestBrowser,
  testPassword,
  useSharedInstallation,
} from "../testing/index.ts";
import { disableUserTwoFactor } from "./disable-two-factor.ts";

const { installation } = useSharedInstallation();

const origin = "http://console.test";

/** A user with the second factor on, who has just signed out. */
async function personWithTotp() {
  const person = await installation.person("operator");
  const browser = openTestBrowser(origin);
  await callAuth(installation.platform, browser, "/sign-in/email", {
    email: person.email,
    password: testPassword,
  });
  const cookieVerb = async () => ({
    ctx: await browserContext(installation.platform, browser),
    requestHeaders: browser.headers(),
    setCookies: (cookies: string[]) => browser.receive(cookies),
  });
  const { uri } = await startTotp({ ...(await cookieVerb()), input: { password: testPassword } });
  const totp = URI.parse(uri) as TOTP;
  await confirmTotp({ ...(await cookieVerb()), input: { code: totp.generate() } });
  return person;
}

async function signInAnswer(email: string) {
  const browser = openTestBrowser(origin);
  const response = await callAuth(installation.platform, browser, "/sign-in/email", {
    email,
    password: testPassword,
  });
  return (await response.json()) as { twoFactorRedirect?: boolean };
}

test("an admin turns off a lost second factor: sessions end, the password alone signs in, and the audit log records it", async () => {
  const admin = await installation.person("admin");
  const person = await personWithTotp();
  expect(await signInAnswer(person.email)).toMatchObject({ twoFactorRedirect: true });
  await disableUserTwoFactor({ ctx: admin.ctx, input: { userId: person.userId } });
  const { db } = installation.platform;
  expect(await db.session.count({ where: { userId: person.userId } })).toBe(0);
  expect(await db.twoFactor.count({ where: { userId: person.userId } })).toBe(0);
  const [event] = (await auditEvents(installation.platform)).slice(-1);
  expect(event).toMatchObject({ action: "user.totp_reset", actorId: admin.userId, targetId: person.userId });
  expect((await signInAnswer(person.email)).twoFactorRedirect).toBeUndefined();
});

test.each([
  ["one's own second factor", true, "in your settings"],
  ["a second factor that is off", false, "no two-factor sign-in"],
])("disabling %s is refused", async (_what, own, words) => {
  const admin = await installation.person("admin");
  const other = await installation.person("viewer");
  const { userId } = own ? admin : other;
  await expect(disableUserTwoFactor({ ctx: admin.ctx, input: { userId } })).rejects.toThrow(words);
});
