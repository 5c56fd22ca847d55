import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { MeasuredVault } from "../support/measured-vault.ts";
import { expect, test } from "../support/test.ts";

let vault: MeasuredVault;

test.beforeAll(async ({ stashlight }) => {
  vault = await stashlight.seed.measuredVault();
});
test.afterAll(({ stashlight }) => stashlight.seed.forgetVault(vault));

const stalls = (page: Page, medium: "SSD" | "HDD") =>
  page.getByRole("region", { name: `Stalls on ${medium}` });

/** Filters by node, because other specs have vaults with stalls. */
async function showOwn(page: Page, medium: "SSD" | "HDD", node: string): Promise<void> {
  await page.getByRole("searchbox", { name: `Filter Stalls on ${medium}` }).fill(node);
  await expect(page).toHaveURL(new RegExp(node));
}

test("a single stall is listed with its drive, samples and median, and the page zooms to it", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/fsync?from=now-1h&to=now");
  const node = vault.stashNodes[0] ?? "";
  await showOwn(page, "SSD", node);
  const row = stalls(page, "SSD").getByRole("row").nth(1);
  await expect(row).toContainText(/^900 mss1/);
  await expect(row).toContainText(node);
  await expect(row).toContainText(/1\.\d+ ms401$/);
  await row.getByRole("button").click();
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}T/);
  await expect(row).toContainText("900 ms");
  await page.goBack();
  await expect(page).toHaveURL(/from=now-1h/);
  await row.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/vaults\\?from=\\d{4}.*node=${node}&device=s1`));
});

test("the limit decides which syncs are stalls, and is in the link with sort and filter", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/fsync?from=now-1h&to=now&pod-over=100");
  await showOwn(page, "HDD", vault.slowHdd.node);
  await expect(stalls(page, "HDD").getByRole("row").nth(1)).toContainText(vault.slowHdd.device);
  await page.getByRole("combobox", { name: "Stalls on HDD: syncs that took longer than" }).click();
  await page.getByRole("option", { name: "over 10 s" }).click();
  await expect(page).toHaveURL(/pod-over=10000/);
  await expect(stalls(page, "HDD").getByRole("row")).toHaveCount(2);
  await page.goto("/fsync?from=now-1h&to=now&stash-over=500&stash-stall-sort=-when");
  await expect(stalls(page, "SSD").getByRole("columnheader", { name: "Window" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
});

test("stalls are exported in milliseconds", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/fsync?from=now-1h&to=now");
  await showOwn(page, "SSD", vault.stashNodes[0] ?? "");
  await page.getByRole("button", { name: "Export", exact: true }).nth(1).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: /Export CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("fsync-stash-stalls.csv");
  expect(await readFile(await download.path(), "utf8")).toMatch(/\r\n900,s1,/);
});
