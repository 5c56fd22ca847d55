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
  timeout: 120_000,
  globalTimeout: 25 * 60_000,
  expect: { timeout: 10_000 },
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
    actionTimeout: 10_000,
    navigationTimeout: 20_000,
    // A trace of every test takes a third of the time; `npm run e2e -- --trace on FILE` records one where it is needed.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
