import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";

/** Set by tools/run/browser-tests.ts, which finds or installs a Chromium; without it Playwright uses its own. */
const { CHROMIUM_PATH, CHROMIUM_FLAGS } = process.env;

/** A page lives for seconds here, in which compiling for speed costs a quarter of its processor time and returns less. */
const JS_FLAGS = "--js-flags=--no-maglev,--no-turbofan,--single-threaded";

export default defineConfig({
  testDir: ".",
  testMatch: "*/**/*.spec.ts",
  outputDir: "../test-results/e2e",
  // Every worker starts a separate installation. One more than there are processors uses the time in which others wait.
  workers: Math.min(3, availableParallelism() + 1),
  fullyParallel: false,
  retries: 0,
  timeout: 240_000,
  globalTimeout: 40 * 60_000,
  // Tests wait for conditions, so a machine three times slower than a developer's fails none.
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    launchOptions: {
      ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}),
      args: [...(CHROMIUM_FLAGS ? CHROMIUM_FLAGS.split(" ") : []), JS_FLAGS],
    },
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // Tracing every test takes a third of the time; `npm run e2e -- --trace on FILE` traces one.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
