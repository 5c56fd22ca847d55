import type { Page } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";

const space = (page: Page) => page.getByRole("region", { name: "Space" });
const placeOf = (place: Record<string, string>) => `/vaults?${new URLSearchParams(place)}`;

test("a vault that fills up is a problem on the overview, with its fullness, its time to full and what to do", async ({
  signedInAs,
  stashlight,
}) => {
  await stashlight.seed.measuredVault();
  // It grows by eight per cent in 40 minutes, so the remaining twelve are taken within an hour.
  const vault = await stashlight.seed.measuredVault({ podFill: [0.8, 0.88] });
  const { page } = await signedInAs("viewer");
  await page.goto("/");
  await expect(page.getByRole("region", { name: "Problems" })).toContainText(
    new RegExp(
      `Pods of vault ${vault.name} are 88 % full. At the growth rate of this range the vault will be full in [^.]*\\.?[^.]*\\. Delete objects or enlarge the vault\\.`,
    ),
  );
  await expect(space(page)).toContainText("Vault occupied");
  await expect(space(page)).toContainText(/88\.\d%/);
  await expect(space(page)).toContainText(`vault ${vault.name}, the fullest of`);
  await expect(space(page)).toContainText("Vault time to full");
  await expect(space(page)).toContainText("1.14×");
  await expect(space(page)).toContainText("8 % of the bytes in use");
  await expectLoaded(page);
  await expectNoAxeViolations(page);
});

test("the space of a vault, of a pod's node and of its drive is on their own pages", async ({
  signedInAs,
  stashlight,
}) => {
  const vault = await stashlight.seed.measuredVault({ podFill: [0.5, 0.5] });
  const { page } = await signedInAs("viewer");
  const [node = ""] = vault.podNodes;
  const places: [Record<string, string>, string, RegExp][] = [
    // 20 drives of 105 GiB, then ten, then one.
    [{ vault: vault.name }, "Vault occupied", /1\.1\d TB of 2\.25 TB/],
    [{ node }, "Node occupied", /56\d GB of 1,127 GB/],
    [{ node, device: "p3" }, "Drive occupied", /56\.\d GB of 113 GB/],
  ];
  for (const [place, title, statistic] of places) {
    await page.goto(placeOf(place));
    await expect(space(page)).toContainText(title);
    await expect(space(page)).toContainText(/50\.\d%/);
    await expect(space(page)).toContainText(statistic);
  }
  await expect(page.getByRole("region", { name: "How full is it?" })).toBeVisible();
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await page.goto(placeOf({ node: vault.stashNodes[0] ?? "" }));
  await expectLoaded(page);
  await expect(space(page)).toHaveCount(0);
});

test("the rules that warn of a full vault are there from the start", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/alerts");
  for (const [name, sentence] of [
    ["Vault 80 % full", "last value above 80 % for 1 min"],
    ["Vault full", "last value above 95 % for 1 min"],
    ["Vault full within 24 h", "full in less than 24 h for 1 h"],
  ] as const) {
    await expect(page.getByRole("row", { name: new RegExp(`^${name} .*${sentence}`) })).toBeVisible();
  }
});
