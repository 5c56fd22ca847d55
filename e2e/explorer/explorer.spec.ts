import type { Page } from "@playwright/test";
import type { MeasuredVault } from "../support/measured-vault.ts";
import {
  expect,
  expectLoaded,
  expectNoAxeViolations,
  isPictured,
  screenshot,
  scrollTo,
  test,
} from "../support/test.ts";

let vault: MeasuredVault;

test.beforeAll(async ({ stashlight }) => {
  vault = await stashlight.seed.measuredVault();
});
test.afterAll(({ stashlight }) => stashlight.seed.forgetVault(vault));

const chart = (page: Page, title: string) => page.getByRole("region", { name: title });

async function choose(page: Page, field: RegExp, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option }).first().click();
}

/** Returns a column's value for the newest window in the chart's table. */
async function newestRow(page: Page, title: string, column: string): Promise<string> {
  await chart(page, title)
    .getByRole("button", { name: /as table/ })
    .click();
  const table = chart(page, title).getByRole("table");
  await expect(table.getByRole("columnheader", { name: column })).toBeVisible();
  const headers = await table.getByRole("columnheader").allInnerTexts();
  const cell = table.getByRole("row").nth(1).getByRole("cell").nth(headers.indexOf(column));
  return (await cell.textContent()) ?? "";
}

test("a metric can be filtered, split and shown by another statistic, and the address is a link to the chart", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/explorer?from=now-1h&to=now");
  await expect(page.getByRole("link", { name: /Which SSD of the stash is slow/ })).toBeVisible();
  await page.getByRole("combobox", { name: /^Metric/ }).click();
  await page.getByRole("combobox", { name: "Search metrics" }).fill("fsync_sec");
  await expectNoAxeViolations(page);
  await page.getByRole("option", { name: /^stashlight_fsync_seconds / }).click();
  await expect(chart(page, "Fsync, percentiles").getByRole("slider")).toBeVisible();

  await page.getByRole("combobox", { name: /^tier/ }).click();
  await page.getByRole("option", { name: "pod", exact: true }).click();
  await page.keyboard.press("Escape");
  await choose(page, /^Split by/, "device");
  const panel = chart(page, "Fsync, p99 by device");
  await expect(panel).toContainText("stashlight_fsync_seconds; tier: pod");
  await choose(page, /^Statistic/, "slowest");
  const slowest = chart(page, "Fsync, slowest by device");
  await slowest.getByRole("button", { name: /as table/ }).click();
  await expect(
    slowest.getByRole("columnheader", { name: `${vault.slowHdd.node}/${vault.slowHdd.device}, ms` }),
  ).toBeVisible();
  await expect(page).toHaveURL(/metric=stashlight_fsync_seconds/);

  const link = page.url();
  const other = await signedInAs("viewer");
  await other.page.goto(link);
  await expect(chart(other.page, "Fsync, slowest by device").getByRole("slider")).toBeVisible();
  await expect(other.page.getByRole("combobox", { name: /^tier/ })).toContainText("pod");
  await page.goBack();
  await expect(chart(page, "Fsync, p99 by device")).toBeVisible();
});

test("counters are shown as rates, gauges as levels, and percentiles without enough samples are marked", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  // Restricts the scope, because other specs have vaults in the same installation.
  const explorer = `/explorer?from=now-30m&to=now&scope=${vault.name}`;
  await page.goto(`${explorer}&metric=stashlight_uploads_total`);
  await expect(chart(page, "Uploads, per second")).toContainText("stashlight_uploads_total · /s");
  expect(await newestRow(page, "Uploads, per second", "per second, /s")).toMatch(/^[\d.]+$/);
  await page.goto(`${explorer}&metric=stashlight_stash_used_bytes&stat=sum&by=stash`);
  const used = await newestRow(page, "Stash used, sum by stash", `${vault.stashNodes[0]}, GB`);
  expect(Number(used), "three devices of 1.1 GiB and more").toBeGreaterThan(3.3);
  await page.goto(`${explorer}&metric=stashlight_fsync_seconds&by=device&stat=p999&where=tier:pod`);
  await expect(chart(page, "Fsync, p99.9 by device")).toContainText(/needs 10,000 samples per window/);
  await page.goto(`${explorer}&metric=stashlight_fsync_seconds&stat=distribution`);
  await expect(chart(page, "Fsync, distribution").getByRole("slider")).toBeVisible();
});

test("an address with an unknown metric or label lists the known ones, and an empty chart shows why it is empty", async ({
  signedInAs,
  measuredVault,
}) => {
  // A vault of the test, because the coordinators of other specs' vaults report every metric.
  const { name: vault } = await measuredVault();
  const { page } = await signedInAs("viewer");
  await page.goto("/explorer?metric=stashlight_fsync_ms");
  await expect(page.getByText(/The catalogue has no metric “stashlight_fsync_ms”/)).toContainText(
    "stashlight_fsync_seconds",
  );
  await page.goto("/explorer?metric=stashlight_fsync_seconds&by=pod");
  await expect(page.getByText("It has vault, node, tier, device and modelled.")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.goto(`/explorer?metric=stashlight_leased_holds&scope=${vault}`);
  await expect(chart(page, "Leased holds, mean")).toContainText("No node has reported this yet.");
  await page.goto("/explorer?metric=stashlight_fsync_seconds&where=device:nowhere");
  await expect(chart(page, "Fsync, percentiles")).toContainText("No series of this metric has these labels");
});

test("the explorer draws each of many groups separately too, is accessible in both themes, and fits a phone", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  const split = "metric=stashlight_fsync_seconds&by=device&stat=max";
  await page.goto(`/explorer?from=now-1h&to=now&${split}&scope=${vault.name}`);
  // A split with more lines than colours also has separate charts, each with its own link.
  const drive = `${vault.slowHdd.node}/${vault.slowHdd.device}`;
  const alone = page.getByRole("region", { name: "Separate charts" });
  await scrollTo(alone);
  await expect(
    alone.getByRole("region", { name: new RegExp(`${drive}$`) }).getByRole("slider"),
  ).toBeVisible();
  await expect(alone.getByRole("region", { name: new RegExp(`${drive}$`) })).toContainText(
    /· read from \d+ series in 26 groups/,
  );
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await choose(page, /^Statistic/, "mean");
  await expect(alone.getByRole("region", { name: new RegExp(`${drive}$`) })).toContainText("mean · ms");
  await alone
    .getByRole("region", { name: new RegExp(`${drive}$`) })
    .getByRole("button", { name: /as table/ })
    .click();
  await expect(alone.getByRole("columnheader", { name: /^mean, / })).toBeVisible();
  await page.goBack();
  await alone.getByRole("link", { name: new RegExp(`${drive}$`) }).click();
  await expect(page.getByRole("heading", { name: "Fsync, slowest", exact: true })).toBeVisible();
  await expect(page.getByRole("combobox", { name: /^device/ })).toContainText(vault.slowHdd.device);
  await expect(alone).toHaveCount(0);
  await page.goBack();
  if (isPictured) {
    await screenshot(page, "explorer-split");
    await page.getByRole("combobox", { name: /^Metric/ }).click();
    await screenshot(page, "explorer-metrics");
    await page.keyboard.press("Escape");
    await page.goto("/explorer");
    await expectLoaded(page);
    await screenshot(page, "explorer-empty");
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const overflowPx = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflowPx).toBe(0);
});
