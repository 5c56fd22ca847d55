import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { MeasuredVault } from "../support/measured-vault.ts";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";

let vault: MeasuredVault;

test.beforeAll(async ({ stashlight }) => {
  vault = await stashlight.seed.measuredVault();
});
test.afterAll(({ stashlight }) => stashlight.seed.forgetVault(vault));

const waterfall = (page: Page, uploadId: string) =>
  page.getByRole("region", { name: `Upload ${uploadId}`, exact: true });
const uploads = (page: Page) => page.getByRole("region", { name: "Slowest uploads" });

test("the slowest upload is drawn first, with each shard's path and what decided its duration, also on a phone", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/write-path?from=now-1h&to=now");
  const panel = waterfall(page, vault.traces.slowestId);
  await expect(panel).toContainText("The upload waited longest for shard 7 on the stash");
  await expect(panel.locator("[data-bar^=pod-]")).toHaveCount(20);
  await expect(panel.locator("[data-bar^=stash-]")).toHaveCount(20);
  await expect(panel.locator("[data-bar=encode]")).toHaveCount(1);
  await expect(panel.locator("[data-moment]")).toHaveCount(3);
  await expect(panel.locator("[data-bar=stash-11]")).toHaveAttribute("data-late", "true");
  await expect(panel.locator("[data-bar=pod-15]")).toHaveAttribute("title", /no answer recorded/);
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const overflowPx = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflowPx).toBe(0);
});

test("the chosen upload is in the address, and Back removes it", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/write-path?from=now-1h&to=now&path=direct");
  await expect(waterfall(page, vault.traces.directId)).toContainText("on the direct path");
  await uploads(page).getByRole("row").nth(1).getByRole("button").first().click();
  await expect(page).toHaveURL(new RegExp(`upload=${vault.traces.directId}`));
  const another = await signedInAs("viewer");
  await another.page.goto(page.url());
  await expect(waterfall(another.page, vault.traces.directId)).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/upload=/);
});

test("an upload is also available as a table and as a file", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto(`/write-path?upload=${vault.traces.slowestId}`);
  const panel = waterfall(page, vault.traces.slowestId);
  await panel.getByRole("button", { name: "View the upload as table" }).click();
  await expect(panel.getByRole("row")).toHaveCount(21);
  await panel.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: /CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`upload-${vault.traces.slowestId}.csv`);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(21);
});

test("a missing trace is reported as missing, and the other uploads stay listed", async ({
  signedInAs,
  guard,
}) => {
  // The missing trace is queried separately, so its error does not affect the others.
  guard.expectError(/status of 404.*trace\.get/);
  const { page } = await signedInAs("viewer");
  await page.goto("/write-path?upload=gone");
  await expect(page.getByText("This upload has no trace")).toBeVisible();
  await expect(uploads(page).getByRole("row").nth(1)).toBeVisible();
});

test("a time range without a sampled upload shows that there is none", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/write-path?from=2026-01-01&to=2026-01-02");
  await expect(page.getByText("No sampled uploads in this time range")).toBeVisible();
});
