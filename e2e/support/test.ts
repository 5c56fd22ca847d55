/**
 * Every spec imports this instead of @playwright/test. A test fails on any console error, uncaught exception, violation
 * of the content security policy or request to another origin that it does not declare as expected.
 */
import { randomInt } from "node:crypto";
import { test as base, type Page } from "@playwright/test";
import type { Role } from "@stashlight/contracts/user";
import { type QueryRows, withRows } from "./database.ts";
import { type BrowserGuard, createBrowserGuard } from "./guard.ts";
import { waitForHydration } from "./hydrated.ts";
import { type Installation, type InstallationOptions, startInstallation } from "./installation.ts";
import type { MeasuredVault } from "./measured-vault.ts";
import { openSeed, type Seed, type SeededUser } from "./seed.ts";
import { signIn } from "./sign-in.ts";

export { expect } from "@playwright/test";
export { expectNoAxeViolations } from "./axe.ts";
export { type QueryRows, withRows } from "./database.ts";
export { freePort, type Installation } from "./installation.ts";
export { expectLoaded } from "./loaded.ts";
export { isPictured, screenshot } from "./screenshot.ts";
export { scrollTo } from "./scroll.ts";
export { type SeededUser, seedUser } from "./seed.ts";
export { signIn, submitSignIn } from "./sign-in.ts";
export { confirmPassword, nextCode, readBackupCodes, turnOnTwoFactor } from "./two-factor.ts";

export interface SeededInstallation extends Installation {
  /** Creates what a spec needs by calling the services' verbs. */
  readonly seed: Seed;
}

export interface SignedIn {
  /** A signed-in page in a separate browser context, without an address yet. */
  readonly page: Page;
  readonly user: SeededUser;
}

interface WorkerFixtures {
  /** The worker's installation, with a first admin. Tests share it, so each creates its own users. */
  stashlight: SeededInstallation;
}

interface TestFixtures {
  guard: BrowserGuard;
  /** Rows of the shared installation's database. */
  rows: QueryRows;
  /** A page in a separate browser context with a separate client address, where no user is signed in. */
  visitor: () => Promise<Page>;
  /** Seeds a vault with recent figures, and removes it after the test. */
  measuredVault: Seed["measuredVault"];
  /** Creates a user with this role, and a page signed in as that user. */
  signedInAs: (role: Role) => Promise<SignedIn>;
  /** Starts a separate installation that is not set up. */
  install: (options?: InstallationOptions) => Promise<Installation>;
}

const INSTALLATION_MS_MAX = 300_000;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  stashlight: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const installation = await startInstallation();
      try {
        const seed = await openSeed(installation);
        try {
          await use({ ...installation, seed });
        } finally {
          await seed.close();
        }
      } finally {
        await installation.stop();
      }
    },
    { scope: "worker", timeout: INSTALLATION_MS_MAX },
  ],

  baseURL: async ({ stashlight }, use) => use(stashlight.url),

  guard: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const guard = createBrowserGuard();
      await use(guard);
      base.expect(guard.problems(), "what the browser complained about").toEqual([]);
    },
    { auto: true },
  ],

  context: async ({ context, guard, baseURL }, use) => {
    if (baseURL) guard.allowOrigin(baseURL);
    await guard.watch(context);
    await use(context);
  },

  page: async ({ page }, use) => use(waitForHydration(page)),

  rows: async ({ stashlight }, use) => withRows(stashlight.databaseUrl, use),

  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => use({ ...extraHTTPHeaders, ...clientAddress() }),

  measuredVault: async ({ stashlight: { seed } }, use) => {
    const vaults: MeasuredVault[] = [];
    await use(async (options) => {
      const vault = await seed.measuredVault(options);
      vaults.push(vault);
      return vault;
    });
    for (const vault of vaults) await seed.forgetVault(vault);
  },

  // Depends on the vaults only to close its pages before they are removed.
  visitor: async ({ browser, stashlight, guard, measuredVault: _ }, use) => {
    guard.allowOrigin(stashlight.url);
    const contexts: { close(): Promise<void> }[] = [];
    await use(async () => {
      const context = await browser.newContext({
        baseURL: stashlight.url,
        extraHTTPHeaders: clientAddress(),
      });
      contexts.push(context);
      await guard.watch(context);
      return waitForHydration(await context.newPage());
    });
    for (const context of contexts) await context.close();
  },

  signedInAs: async ({ visitor, stashlight }, use) => {
    await use(async (role) => {
      const page = await visitor();
      const user = await stashlight.seed.user(role);
      await signIn(page.context(), stashlight.url, user);
      return { page, user };
    });
  },

  install: async ({ guard }, use, testInfo) => {
    const installations: Installation[] = [];
    await use(async (options) => {
      testInfo.setTimeout(testInfo.timeout + INSTALLATION_MS_MAX);
      const installation = await startInstallation(options);
      installations.push(installation);
      guard.allowOrigin(installation.url);
      return installation;
    });
    await Promise.all(installations.map((installation) => installation.stop()));
  },
});

/** Header with a client address that no other browser context uses. */
function clientAddress(): { "x-forwarded-for": string } {
  return { "x-forwarded-for": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` };
}
