import { defineConfig } from "@playwright/test";

/** Set by tools/run/browser-tests.ts, which finds or installs a Chromium; without it Playwright uses its own. */
const { CHROMIUM_PATH, CHROMIUM_FLAGS } = process.env;

export default defineConfig({
  testDir: ".",
  testMatch: "*/**/*.spec.ts",
  outputDir: "../test-results/e2e",
  // Every worker has an installation of its own. A third one uses the time in which two wait.
  workers: 3,
  fullyParallel: false,
  retries: 0,
  timeout: 240_000,
  globalTimeout: 40 * 60_000,
  // Conditions come when they come: a machine three times slower than a developer's fails nothing.
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    launchOptions: {
      ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}),
      args: CHROMIUM_FLAGS ? CHROMIUM_FLAGS.split(" ") : [],
    },
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // A trace of every test takes a third of the time; `npm run e2e -- --trace on FILE` records one where it is needed.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
