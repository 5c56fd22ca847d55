import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import type { MeasuredVault } from "../support/measured-vault.ts";
import { expect, expectLoaded, expectNoAxeViolations, scrollTo, test } from "../support/test.ts";

let vault: MeasuredVault;

test.beforeAll(async ({ stashlight }) => {
  vault = await stashlight.seed.measuredVault();
});
test.afterAll(({ stashlight }) => stashlight.seed.forgetVault(vault));

const chart = (page: Page, title: string) => page.getByRole("region", { name: title });
const plotSlider = (panel: Locator) => panel.getByRole("slider");

/** Drags from one share of the plot's width to another. */
async function drag(page: Page, plot: Locator, from: number, to: number): Promise<void> {
  await scrollTo(plot);
  const box = await plot.boundingBox();
  if (box === null) throw new Error("The plot is not on the page.");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * ((from + to) / 2), y);
  await page.mouse.move(box.x + box.width * to, y);
  await page.mouse.up();
}

test("dragging over a chart zooms the whole page, and Back undoes it", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/fsync?from=now-1h&to=now");
  const panel = chart(page, "How long do SSDs take to sync?");
  await expect(plotSlider(panel)).toBeVisible();
  await drag(page, plotSlider(panel), 0.7, 0.9);
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}T/);
  const zoomed = new URL(page.url()).searchParams;
  const lengthMs = Date.parse(zoomed.get("to") ?? "") - Date.parse(zoomed.get("from") ?? "");
  expect(lengthMs / 60_000).toBeGreaterThan(10);
  expect(lengthMs / 60_000).toBeLessThan(14);
  await expect(page.getByRole("button", { name: /^Time range: / })).not.toHaveText(/Last hour/);
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/from=now-1h/);
  await expect(page.getByRole("button", { name: "Time range: Last hour" })).toBeVisible();
});

test("a chosen time is kept on other pages with charts, and on no others", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  const time = "from=now-24h&to=now-12h";
  await page.goto(`/fsync?${time}`);
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: "Stash" }).click();
  await expect(page.getByRole("heading", { name: "Stash", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(`/stash?${time}`);
  await expect(navigation.getByRole("link", { name: "Stash" })).toHaveAttribute("aria-current", "page");
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await expect(page).toHaveURL(`/write-path?${time}`);
  await expect(page.getByRole("heading", { name: "Write path", level: 1 })).toBeVisible();
  await navigation.getByRole("link", { name: "Alerts" }).click();
  await expect(page).toHaveURL("/alerts");
});

test("pointing at one chart shows the moment in all charts, and the keyboard reads and zooms", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/fsync?from=now-1h&to=now");
  const panel = chart(page, "How long do SSDs take to sync?");
  await expect(page.getByRole("slider")).toHaveCount(4);
  const plot = plotSlider(panel);
  const box = await plot.boundingBox();
  if (box === null) throw new Error("The plot is not on the page.");
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
  await expect(page.locator("[data-crosshair]")).toHaveCount(4);
  await expect(page.locator("[data-moment]")).toHaveCount(1);
  await expect(panel.locator("[data-moment]")).toContainText(/p99[\d.]+ msn [\d,]+/);
  await page.mouse.move(2, 2);
  await expect(page.locator("[data-crosshair]")).toHaveCount(0);

  await plot.focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(plot).toHaveAttribute("aria-valuetext", /p99 [\d.]+ ms, n [\d,]+/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}T/);
});

test("a period without data is hatched and shows its reason", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  const aroundGap = {
    from: new Date(vault.gap.startMs - 300_000).toISOString(),
    to: new Date(vault.gap.endMs + 300_000).toISOString(),
  };
  await page.goto(`/stash?${new URLSearchParams(aroundGap)}`);
  const panel = chart(page, "Is the stash filling?");
  await expect(panel.locator("[data-gap]").filter({ hasText: "its spool was full" })).toHaveCount(1);
});

test("a chart is available as a table and as a CSV file", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/stash?from=now-1h&to=now");
  const panel = chart(page, "Is purge keeping up?");
  await panel.getByRole("button", { name: "View “Is purge keeping up?” as table" }).click();
  const table = panel.getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveText([
    "Time",
    "p50, s",
    "n",
    "p90, s",
    "p99, s",
    "slowest, s",
  ]);
  expect(await table.getByRole("row").count()).toBeGreaterThan(100);
  await panel.getByRole("button", { name: "Actions for “Is purge keeping up?”" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Download as CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("purge-lag.csv");
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines[0]).toBe('Time,"p50, s",n,"p90, s","p99, s","slowest, s"');
  expect(lines[1]).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z,[\d.]+,\d+,/);
});

test("the slowest drive is listed first, and leads to its own charts", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto(`/fsync?from=now-1h&to=now&scope=${vault.name}`);
  const first = page.getByRole("region", { name: "HDD drives, slowest first" }).getByRole("row").nth(1);
  await expect(first).toContainText(vault.slowHdd.device);
  const drives = page.getByRole("region", { name: "HDD drives, slowest first" });
  await expect(drives.getByRole("columnheader", { name: "p99" })).toBeVisible();
  await expect(drives.getByRole("row", { name: /^p7 / })).toContainText(
    /slow since \d\d:\d\d, [23]\.\d times its usual/,
  );
  await first.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`node=${vault.slowHdd.node}&device=p3`));
  await expect(page.getByRole("navigation", { name: "Place" })).toContainText(
    `All vaults/${vault.name}/${vault.slowHdd.node}/p3`,
  );
  await expect(plotSlider(chart(page, "How long does p3 take to sync?"))).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`p3 of ${vault.slowHdd.node}`);
  // The title may begin with the number of firing alerts.
  await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?p3 of ${vault.slowHdd.node} · Stashlight$`));
  await page.getByRole("link", { name: vault.name, exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${vault.name} · Stashlight$`));
  await page.getByRole("link", { name: "All vaults" }).click();
  await expect(page).toHaveTitle(/^(\(\d+\) )?Vaults · Stashlight$/);
});

test("the palette finds a node, a drive and a vault by name, and leads to them", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  const { node, device } = vault.slowHdd;
  await page.goto("/health");
  for (const [text, option, title] of [
    [node, new RegExp(`^${node}.*pod of ${vault.name}`), node],
    [`${device} ${node}`, new RegExp(`^${device} of ${node}`), `${device} of ${node}`],
    [vault.name, new RegExp(`^${vault.name}.*nodes`), vault.name],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search everything" }).fill(text);
    await page.getByRole("option", { name: option }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  }
});

test("the vault is a map of its drives, and a click leads to a drive", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto(`/vaults?vault=${vault.name}`);
  await expect(
    page.getByRole("link", { name: /^Pod p\d+: (running|silent), [\d.]+ % full, \d+ shards? not durable$/ }),
  ).toHaveCount(20);
  await page.getByRole("link", { name: /^Stash device s4: / }).click();
  await expect(chart(page, "How full is it?")).toBeVisible();
});

test("a paused page advances again once it is resumed, and is compared with the day before on request", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/stash?from=now-1h&to=now");
  const plot = plotSlider(chart(page, "Is the stash filling?"));
  await page.getByRole("button", { name: "Pause" }).click();
  const heldMs = await plot.getAttribute("aria-valuemax");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect.poll(() => plot.getAttribute("aria-valuemax")).not.toBe(heldMs);

  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL(/compare=previous/);
  await expect(page.getByRole("button", { name: "With the day before" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("the drives of a node are shown side by side, and a drive's link leads to its page", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto(`/vaults?node=${vault.podNodes[0]}`);
  const section = page.getByRole("region", { name: "Is one drive slower than the others?" });
  await expect(section.getByRole("slider")).toHaveCount(10);
  await section.getByRole("link", { name: "p3", exact: true }).click();
  await expect(page).toHaveURL(/device=p3/);
});

for (const path of ["/fsync", "/stash", "/", "/vaults"]) {
  test(`the page ${path} with data is accessible in both themes, and fits a phone`, async ({
    signedInAs,
  }) => {
    const { page } = await signedInAs("viewer");
    await page.goto(path);
    await expectLoaded(page);
    await expectNoAxeViolations(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const overflowPx = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(overflowPx).toBe(0);
  });
}
