import type { MeasuredVault } from "../support/measured-vault.ts";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";

let vault: MeasuredVault;

test.beforeAll(async ({ stashlight }) => {
  vault = await stashlight.seed.measuredVault();
});
test.afterAll(({ stashlight }) => stashlight.seed.forgetVault(vault));

test("each node's delivery, its missing data and the cost of agents are on one page, which fits a phone", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("viewer");
  await page.goto(`/system?q=${vault.coordinator}`);
  await expectLoaded(page);
  const nodes = page.getByRole("region", { name: "Delivery of each node" });
  await expect(nodes.getByRole("row").filter({ hasText: vault.coordinator })).toHaveCount(1);
  const gaps = page.getByRole("region", { name: "Gaps of the last two days" });
  await expect(gaps.getByRole("row").filter({ hasText: "its spool was full" }).first()).toBeVisible();
  await expect(page.getByText("Nothing was refused")).toBeVisible();
  const costs = page.getByRole("region", { name: "The cost of the agents" });
  await expect(costs.getByRole("row").filter({ hasText: vault.coordinator })).toContainText(/\d+\.\d %/);
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const overflowPx = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflowPx).toBe(0);
});
