import type { Locator, Page } from "@playwright/test";
import type { MeasuredVault } from "../support/measured-vault.ts";
import { post } from "../support/post.ts";
import {
  expect,
  expectLoaded,
  expectNoAxeViolations,
  isPictured,
  screenshot,
  test,
} from "../support/test.ts";

let vault: MeasuredVault;

test.beforeAll(async ({ stashlight }) => {
  vault = await stashlight.seed.measuredVault();
});
test.afterAll(({ stashlight }) => stashlight.seed.forgetVault(vault));

const chart = (page: Page, title: string) => page.getByRole("region", { name: title, exact: true });

async function choose(panel: Locator, page: Page, item: string): Promise<void> {
  await panel.getByRole("button", { name: /^Actions for / }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

interface Query {
  readonly metric: string;
  readonly where?: Record<string, string[]>;
  readonly splitBy?: string;
  readonly statistic: string;
}

const queries: Record<string, Query> = {
  "Uploads, per second": { metric: "stashlight_uploads_total", statistic: "rate" },
  "SSD syncs": {
    metric: "stashlight_fsync_seconds",
    where: { tier: ["stash"] },
    splitBy: "device",
    statistic: "p99",
  },
};

/** Creates a dashboard with charts of the given titles; returns its id. */
async function make(page: Page, url: string, name: string, titles: readonly string[]): Promise<string> {
  const { dashboardId } = await post<{ dashboardId: string }>(page.request, url, "dashboard.create", {
    name,
  });
  for (const title of titles) await pin(page, url, dashboardId, title);
  return dashboardId;
}

async function pin(page: Page, url: string, dashboardId: string, title: string): Promise<void> {
  const query = queries[title] ?? { metric: "stashlight_connections", statistic: "sum" };
  await post(page.request, url, "dashboard.pinPanel", {
    dashboardId,
    title,
    query: { where: {}, splitBy: null, ...query },
  });
}

const panelTitles = (page: Page) => page.getByRole("heading", { level: 3 });

test("a viewer pins charts from the explorer and from a page, and reorders, renames and removes them", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/dashboards");
  await expect(page.getByText("You have no dashboard yet")).toBeVisible();
  await page.getByRole("link", { name: "Open Explorer" }).click();
  await page.goto("/explorer?metric=stashlight_fsync_seconds&by=device&where=tier:stash");
  const explored = chart(page, "Fsync, p99 by device");
  await choose(explored, page, "Pin to dashboard");
  const dialog = page.getByRole("dialog", { name: "Pin to dashboard" });
  await dialog.getByRole("textbox", { name: "Name of the dashboard" }).fill("On call");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Pin chart" }).click();
  await expect(dialog).toHaveCount(0);

  await page.goto("/stash");
  await choose(chart(page, "Is purge keeping up?"), page, "Pin to dashboard");
  await expect(dialog.getByRole("combobox", { name: "Dashboard" })).toContainText("On call");
  await dialog.getByRole("button", { name: "Pin chart" }).click();
  await page.getByRole("button", { name: "Open dashboard" }).click();
  await expect(page.getByRole("heading", { name: "On call", level: 1 })).toBeVisible();
  await expect(panelTitles(page)).toHaveText(["Fsync, p99 by device", "Is purge keeping up?"]);
  await expect(chart(page, "Is purge keeping up?").getByRole("slider")).toBeVisible();

  await choose(chart(page, "Is purge keeping up?"), page, "Move earlier");
  await expect(panelTitles(page)).toHaveText(["Is purge keeping up?", "Fsync, p99 by device"]);
  await choose(chart(page, "Fsync, p99 by device"), page, "Rename");
  await page.getByRole("textbox", { name: "Title of the chart" }).fill("SSDs");
  await page.getByRole("button", { name: "Rename chart" }).click();
  await expect(panelTitles(page)).toHaveText(["Is purge keeping up?", "SSDs"]);
  await choose(chart(page, "Is purge keeping up?"), page, "Remove from dashboard");
  await expect(panelTitles(page)).toHaveText(["SSDs"]);
  await choose(chart(page, "SSDs"), page, "Open in Explorer");
  await expect(page).toHaveURL(/\/explorer\?.*metric=stashlight_fsync_seconds/);
  await expect(page.getByRole("combobox", { name: /^tier/ })).toContainText("stash");
});

test("two tabs that change one dashboard lose no change, and a deleted dashboard is reported as deleted", async ({
  signedInAs,
  stashlight,
  guard,
}) => {
  guard.expectError(/status of 404.*dashboard\.get/);
  const { page } = await signedInAs("viewer");
  const dashboardId = await make(page, stashlight.url, "Two tabs", ["One", "Two"]);
  await page.goto(`/dashboards/${dashboardId}`);
  await expect(panelTitles(page)).toHaveText(["One", "Two"]);
  const other = await page.context().newPage();
  await other.goto(`/dashboards/${dashboardId}`);
  await expect(panelTitles(other)).toHaveText(["One", "Two"]);
  await pin(page, stashlight.url, dashboardId, "Three");
  await choose(chart(other, "Two"), other, "Move earlier");
  await expect(panelTitles(other)).toHaveText(["Two", "One", "Three"]);
  await expect(panelTitles(page)).toHaveText(["Two", "One", "Three"], { timeout: 20_000 });
  await other.getByRole("button", { name: "Actions for Two tabs" }).click();
  await other.getByRole("menuitem", { name: "Delete dashboard" }).click();
  await other.getByRole("button", { name: "Delete dashboard" }).click();
  await expect(other).toHaveURL("/dashboards");
  await expect(page.getByText("This dashboard does not exist")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole("link", { name: "All dashboards" })).toBeVisible();
});

test("all users can read a shared dashboard until it is unshared", async ({
  signedInAs,
  stashlight,
  guard,
}) => {
  guard.expectError(/status of 404.*dashboard\.get/);
  const { page, user } = await signedInAs("viewer");
  const dashboardId = await make(page, stashlight.url, "Shared one", ["SSD syncs"]);
  await page.goto(`/dashboards/${dashboardId}`);
  await page.getByRole("button", { name: "Actions for Shared one" }).click();
  await page.getByRole("menuitem", { name: "Share with all users" }).click();
  await expect(page.getByText("Shared: every signed-in user can read it")).toBeVisible();
  const { page: reader } = await signedInAs("admin");
  await reader.goto("/dashboards");
  const shared = reader.getByRole("region", { name: "Shared by others" });
  await expect(shared.getByRole("listitem").filter({ hasText: "Shared one" })).toContainText(user.name);
  await shared.getByRole("link", { name: "Shared one" }).click();
  await expect(reader.getByText(`Shared by ${user.name}, who alone can change it`)).toBeVisible();
  await chart(reader, "SSD syncs")
    .getByRole("button", { name: /^Actions for / })
    .click();
  await expect(reader.getByRole("menuitem", { name: "Download as CSV" })).toBeVisible();
  await expect(reader.getByRole("menuitem", { name: "Remove from dashboard" })).toHaveCount(0);
  await reader.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for Shared one" }).click();
  await page.getByRole("menuitem", { name: "Stop sharing" }).click();
  await expect(reader.getByText("its owner no longer shares it")).toBeVisible({ timeout: 20_000 });
});

test("a start page leads from / to the dashboard, and the Overview stays one click away", async ({
  signedInAs,
  stashlight,
}) => {
  const { page } = await signedInAs("viewer");
  const dashboardId = await make(page, stashlight.url, "Home", ["Uploads, per second"]);
  await page.goto(`/dashboards/${dashboardId}`);
  await page.getByRole("button", { name: "Actions for Home" }).click();
  await page.getByRole("menuitem", { name: "Make it your start page" }).click();
  await expect(page.getByText("Your start page", { exact: true })).toBeVisible();
  await page.goto("/");
  await expect(page).toHaveURL(`/dashboards/${dashboardId}`);
  await page.getByRole("link", { name: "Go to Overview" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Overview" });
  await expect(link).toHaveAttribute("aria-current", "page");
  await page.goBack();
  await page.getByRole("button", { name: "Actions for Home" }).click();
  await page.getByRole("menuitem", { name: "Make the Overview your start page" }).click();
  await expect(page.getByText("Your start page", { exact: true })).toHaveCount(0);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});

test("a chart whose metric no longer exists reports that in its place, on a dashboard of twenty charts", async ({
  signedInAs,
  stashlight,
  rows,
}) => {
  const { page } = await signedInAs("viewer");
  const many = Array.from({ length: 17 }, (_, i) => `Chart ${i}`);
  const titles = [...Object.keys(queries), "Gone", ...many];
  const dashboardId = await make(page, stashlight.url, "Many", titles);
  await rows(
    `UPDATE dashboard_panel SET query = jsonb_set(query, '{metric}', '"stashlight_gone_seconds"')
      WHERE dashboard_id = $1::uuid AND title = 'Gone'`,
    [dashboardId],
  );
  await page.goto(`/dashboards/${dashboardId}`);
  await expectLoaded(page);
  await expect(panelTitles(page)).toHaveText(titles);
  const gone = chart(page, "Gone");
  await expect(gone).toContainText("The catalogue has no metric “stashlight_gone_seconds”");
  await expect(chart(page, "SSD syncs").getByRole("slider")).toBeVisible();
  await expectNoAxeViolations(page);
  if (isPictured) {
    await screenshot(page, "dashboard");
    await page.goto("/dashboards");
    await expectLoaded(page);
    await screenshot(page, "dashboards-own");
    await page.goto(`/dashboards/${dashboardId}`);
    await expectLoaded(page);
  }
  await gone.getByRole("button", { name: "Remove from dashboard" }).click();
  await expect(gone).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  const overflowPx = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflowPx).toBe(0);
});
