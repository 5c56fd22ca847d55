import type { Page } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

const space = (page: Page) => page.getByRole("region", { name: "Space" });
const vaultsUrl = (place: Record<string, string>) => `/vaults?${new URLSearchParams(place)}`;

test("a vault that fills up is a problem on the overview, with its fill and remedy, and 40 minutes of history give no forecast", async ({
  signedInAs,
  measuredVault,
}) => {
  const other = await measuredVault();
  // Full but simulated, so it is no problem.
  const simulated = await measuredVault({
    spanMs: 10 * 60_000,
    podFill: [0.99, 0.99],
    isSimulated: true,
  });
  // Grows by eight per cent in 40 minutes; a straight line would reach the end within the hour.
  const vault = await measuredVault({ podFill: [0.8, 0.88] });
  const { page } = await signedInAs("viewer");
  await page.goto("/");
  await expect(page.getByRole("region", { name: "Problems" })).toContainText(
    new RegExp(`Vault ${vault.name} is 88(\\.\\d)? % full\\. Delete objects or enlarge the vault\\.`),
  );
  await expect(page.getByRole("main")).not.toContainText(simulated.name);
  // Restricts the scope to two vaults, whose figures include the newest minute; with more drives in scope, that minute
  // waits for the roll-up.
  await page.goto(`/?scope=${vault.name},${other.name}`);
  await expect(space(page)).toContainText("Vault fill");
  await expect(space(page)).toContainText(/88\.\d%/);
  await expect(space(page)).toContainText(
    new RegExp(`${vault.name}; (others|${other.name}) [\\d.]+( to [\\d.]+)? %`),
  );
  await expect(page.getByRole("main")).not.toContainText(simulated.name);
  await expect(space(page)).toContainText("Vault time to full");
  await expect(space(page)).toContainText("No forecast.");
  await expect(space(page)).toContainText(/\d+ minutes of history, 6 hours are needed/);
  await expect(page.getByRole("main")).not.toContainText("will be full in");
  await expect(space(page)).toContainText("1.14×");
  await expect(space(page)).toContainText("8 % of the bytes in use");
});

test("the chosen vaults are shown alone, on this page and on the next", async ({
  signedInAs,
  measuredVault,
}) => {
  const short = { spanMs: 10 * 60_000 };
  const [vault, other] = [
    await measuredVault({ ...short, podFill: [0.3, 0.3] }),
    await measuredVault({ ...short, podFill: [0.5, 0.5] }),
  ];
  const { page } = await signedInAs("viewer");
  await page.goto("/");
  await page.getByRole("button", { name: /^Scope: .* vaults$/ }).click();
  await expectNoAxeViolations(page);
  await page.getByRole("menuitemcheckbox", { name: vault.name, exact: true }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(new RegExp(`scope=${vault.name}`));
  await expect(page.getByRole("button", { name: `Scope: Vault ${vault.name}` })).toBeVisible();
  await expect(space(page)).toContainText(/30\.\d%/);
  await expect(page.getByRole("main")).not.toContainText(other.name);
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: "Alerts" }).click();
  await expect(page.getByRole("heading", { name: "Alerts", level: 1 })).toBeVisible();
  await navigation.getByRole("link", { name: "Vaults" }).click();
  await expect(page).toHaveURL(new RegExp(`scope=${vault.name}`));
  await expect(page.getByRole("table", { name: "Vaults", exact: true }).getByRole("row")).toHaveCount(2);
  await page.goto(`/stash?scope=${vault.name},${other.name}`);
  const pods = page.getByRole("region", { name: "Which pod does the stash wait for?" });
  await expect(pods).toContainText(`${vault.name}/p3`);
  await expect(pods).toContainText(`${other.name}/p3`);
  await page.goto(`/fsync?scope=${vault.name},${other.name}`);
  const drives = page.getByRole("region", { name: "HDD drives, slowest first" });
  await expect(drives.getByRole("columnheader", { name: "Vault" })).toBeVisible();
  await expectLoaded(page);
  await screenshot(page, "scope-two-vaults");
});

test("the space of a vault, of a pod's node and of its drive is shown on the page of each", async ({
  signedInAs,
  measuredVault,
}) => {
  const vault = await measuredVault({ podFill: [0.5, 0.5] });
  const { page } = await signedInAs("viewer");
  const [node = ""] = vault.podNodes;
  const places: [Record<string, string>, string, RegExp][] = [
    // Space for objects excludes parity: 16 of 20 drives of 105 GiB. A node has ten drives.
    [{ vault: vault.name }, "Vault fill", /90\d GB used of 1\.8 TB for objects/],
    [{ node }, "Node fill", /56\d GB used of 1\.13 TB for shards, parity included/],
    [{ node, device: "p3" }, "Drive fill", /56\.\d GB used of 113 GB for shards, parity included/],
  ];
  for (const [place, title, statistic] of places) {
    await page.goto(vaultsUrl(place));
    await expect(space(page)).toContainText(title);
    await expect(space(page)).toContainText(/50\.\d%/);
    await expect(space(page)).toContainText(statistic);
  }
  await expect(page.getByRole("region", { name: "How full is it?" })).toBeVisible();
  await page.goto(vaultsUrl({ node: vault.stashNodes[0] ?? "" }));
  await expectLoaded(page);
  await expect(space(page)).toHaveCount(0);
});

test("the rules that warn of a full vault exist by default", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/alerts");
  await page.getByText(/ rules are not applicable: /).click();
  for (const [name, sentence] of [
    ["Vault 80 % full", "above 80 % for 1 min"],
    ["Vault full", "above 95 % for 1 min"],
    ["Vault full within 24 h", "full in less than 24 h for 10 min"],
  ] as const) {
    await expect(page.getByRole("row", { name: new RegExp(`^${name} .*${sentence}`) })).toBeVisible();
  }
});
