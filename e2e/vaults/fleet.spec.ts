import { readFile } from "node:fs/promises";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

test("the table of vaults shows fill, time to full, uploads and alerts, with the worst vault first", async ({
  signedInAs,
  stashlight,
  measuredVault,
}) => {
  const short = { spanMs: 20 * 60_000 };
  const quiet = await measuredVault({ ...short, podFill: [0.3, 0.3] });
  const filling = await measuredVault({ ...short, podFill: [0.83, 0.87] });
  const firing = await stashlight.seed.firingDrives(3);
  const { page } = await signedInAs("viewer");
  await page.goto(`/vaults?from=now-1h&to=now&scope=${quiet.name},${filling.name},${firing.vault}`);
  const table = page.getByRole("table", { name: "Vaults", exact: true });
  const rows = table.getByRole("row");
  await expect(rows).toHaveCount(4);
  for (const name of ["Problems", "Fill", "Stash occupied", "Time to full", "Upload p99"]) {
    await expect(table.getByRole("columnheader", { name, exact: true })).toBeVisible();
  }
  // This vault has one firing alert for three drives, and no figures.
  await expect(rows.nth(1)).toContainText(firing.vault);
  await expect(rows.nth(1)).toContainText("1 alert firing");
  await expect(rows.nth(2)).toContainText(filling.name);
  await expect(rows.nth(2)).toContainText(/87\.?\d* %/);
  await expect(
    rows.nth(2).getByTitle(/^No forecast\. \d+ minutes of history, 6 hours are needed$/),
  ).toBeVisible();
  await expect(rows.nth(2)).toContainText(/1\d\.?\d* ms/);
  await expect(rows.nth(3)).toContainText(quiet.name);
  await expect(rows.nth(3)).toContainText("none");

  await table.getByRole("button", { name: "Fill", exact: true }).click();
  await expect(rows.nth(1)).toContainText(quiet.name);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await page.getByRole("button", { name: "Export", exact: true }).click();
      await page.getByRole("menuitem", { name: /CSV/ }).click();
    })(),
  ]);
  const [header = "", ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(header).toContain('"Firing alerts, by cause","Used share of the space for objects, %"');
  expect(lines.find((line) => line.startsWith(firing.vault))).toMatch(/,1,/);
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "vaults-table");
});
