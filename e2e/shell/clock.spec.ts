import type { Page } from "@playwright/test";
import { DAY_MS } from "@stashlight/contracts/time";
import { expect, expectLoaded, test } from "../support/test.ts";

/** Sets the browser's clock this far ahead of the server's, as on a machine with a wrong date. */
const setClock = (page: Page, aheadMs: number): Promise<unknown> =>
  page.addInitScript((ahead) => {
    const { now } = Date;
    Date.now = () => now() + ahead;
  }, aheadMs);

test("a browser whose clock is a day behind shows current figures and by how much it is off", async ({
  signedInAs,
  measuredVault,
}) => {
  const { name } = await measuredVault({ spanMs: 12 * 60_000 });
  const { page } = await signedInAs("viewer");
  await setClock(page, -DAY_MS);
  await page.goto(`/?from=now-30m&to=now&scope=${name}`);
  await expectLoaded(page);
  await expect(page.getByText(/^This browser's clock is 1 d behind the server's\./)).toBeVisible();
  const occupied = page.getByRole("region", { name: "Write path" });
  await expect(occupied).toContainText(/Stash occupied.*[\d.]+\s*%/);
  await expect(occupied).toContainText(/\d+ (s|min) ago/);
});

test("a browser with the right clock gets no warning", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/health");
  await expectLoaded(page);
  await expect(page.getByText(/This browser's clock/)).toHaveCount(0);
});
