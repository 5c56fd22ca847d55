import type { Page } from "@playwright/test";
import type { MeasuredVault } from "../support/measured-vault.ts";
import { post } from "../support/post.ts";
import { isPictured, readmePicture, screenshot } from "../support/screenshot.ts";
import { expectLoaded, type SeededInstallation, test } from "../support/test.ts";

const SPAN_MS = 75 * 60_000;

const pagePaths = ({ name, stashNodes, podNodes }: MeasuredVault): Record<string, string> => ({
  overview: "/",
  "write-path": "/write-path",
  stash: "/stash",
  fsync: "/fsync",
  vaults: "/vaults",
  vault: `/vaults?${new URLSearchParams({ vault: name })}`,
  node: `/vaults?${new URLSearchParams({ node: podNodes[0] ?? "" })}`,
  device: `/vaults?${new URLSearchParams({ node: stashNodes[0] ?? "", device: "s1" })}`,
  explorer: "/explorer?metric=stashlight_fsync_seconds&by=device&where=tier:stash",
  dashboards: "/dashboards",
  benchmarks: "/benchmarks",
  "benchmark-import": "/benchmarks/import",
  "benchmark-compare": "/benchmarks/compare",
  volumes: "/planner/volumes",
  drives: "/planner/drives",
  simulator: "/simulator",
  alerts: "/alerts",
  system: "/system",
  jobs: "/jobs",
  health: "/health",
  users: "/admin/users",
  nodes: "/admin/nodes",
  channels: "/admin/channels",
  endpoints: "/admin/endpoints",
  "access-keys": "/admin/access-keys",
  audit: "/admin/audit",
  settings: "/settings",
  "api-tokens": "/settings/api-tokens",
  glossary: "/help/glossary",
});

/** Made on request only, because the pictures are for readers and assert nothing. */
if (isPictured) {
  test("every page has a screenshot at both widths in both themes", async ({
    signedInAs,
    stashlight,
    rows,
  }) => {
    test.setTimeout(900_000);
    const { page, user } = await signedInAs("admin");
    await rows("UPDATE user_account SET name = 'Ada Byron', email = 'ada@example.org' WHERE id = $1", [
      user.id,
    ]);
    await someWork(page, stashlight);
    const endMs = Date.now();
    const vault = await stashlight.seed.measuredVault({ spanMs: SPAN_MS, endMs, label: "east" });
    // Stops the clock when the newest window has arrived, so that no figure ages while the pictures
    // are taken.
    await page.clock.setFixedTime(endMs + 4_000);
    await stopServerClock(page, endMs + 4_000);
    await page.goto("/");
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await settled(page);
      await readmePicture(page, `readme-${theme}`);
    }
    for (const [name, path] of Object.entries(pagePaths(vault))) {
      await page.goto(path);
      await settled(page);
      await screenshot(page, name);
    }
  });
}

/** Makes changes and runs a job, so that lists of events are not empty. */
async function someWork(page: Page, { url }: SeededInstallation): Promise<void> {
  await post(page.request, url, "user.invite", { email: "grace@example.org", role: "operator" });
  await post(page.request, url, "schedule.runNow", { scheduleId: "housekeeping" });
  await post(page.request, url, "node.createToken", { vault: "west", role: "pod" });
}

/** Stops the server's clock in answers, which the console would follow. */
async function stopServerClock(page: Page, atMs: number): Promise<void> {
  const date = new Date(atMs).toUTCString();
  await page.route("**/*", async (route) => {
    const isPage = route.request().resourceType() === "document";
    if (!isPage && !route.request().url().includes("/api/trpc/")) return route.fallback();
    const response = await route.fetch({ maxRedirects: 0 });
    const headers = { ...response.headers(), date };
    if (!isPage) return route.fulfill({ response, headers });
    const body = (await response.text()).replaceAll(/(serverTimeMs\\?":)\d+/g, `$1${atMs}`);
    return route.fulfill({ response, headers, body });
  });
}

/** Waits until the page has loaded and every chart is drawn. */
async function settled(page: Page): Promise<void> {
  await expectLoaded(page);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
}
