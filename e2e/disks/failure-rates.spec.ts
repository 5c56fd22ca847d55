import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { hddSerial } from "../support/measured-windows.ts";
import { post } from "../support/post.ts";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

const MODEL = "ST16000NM001G";
const run = promisify(execFile);

const models = (page: Page) => page.getByRole("table", { name: "Failure rates of models" });
const drives = (page: Page) => page.getByRole("table", { name: "Drives of the fleet" });
const ofModel = (page: Page) => models(page).getByRole("row", { name: new RegExp(`^${MODEL} `) });
const figure = (page: Page) =>
  page
    .getByRole("region", { name: "Durability now", exact: true })
    .getByRole("row", { name: new RegExp(`^Failures of ${MODEL} `) });

/** Imports a quarter of one day and three drives of the model, one of which failed, by the command line. */
async function importQuarter(url: string, token: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-stats-"));
  const rows = ["A", "B", "C"].map((serial) => `2026-05-01,${serial},${MODEL},${serial === "C" ? 1 : 0}`);
  writeFileSync(join(folder, "2026-05-01.csv"), ["date,serial_number,model,failure", ...rows, ""].join("\n"));
  try {
    const { stdout } = await run(
      process.execPath,
      [resolve("apps/cli/src/main.ts"), "drives", "import", folder],
      { env: { ...process.env, STASHLIGHT_URL: url, STASHLIGHT_TOKEN: token } },
    );
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function mark(page: Page, serial: string, state: string): Promise<void> {
  const row = drives(page).getByRole("row", { name: new RegExp(serial) });
  await row.getByRole("button", { name: `Mark ${MODEL} ${serial} as ${state}` }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: `Mark as ${state}` })
    .click();
  await expect(page.getByRole("dialog")).toBeHidden();
}

test("an operator marks a failed drive and imports a quarter, and the vault and a plan take the model's rate", async ({
  signedInAs,
  measuredVault,
  stashlight,
  rows,
}) => {
  const { name, podNodes } = await measuredVault({
    spanMs: 40 * MINUTE_MS,
    endMs: Date.now() + 12 * MINUTE_MS,
  });
  const node = podNodes[0] ?? "";
  const serial = hddSerial(node, "p7");
  const { page } = await signedInAs("operator");
  await page.goto("/disks/failure-rates");
  await post(page.request, stashlight.url, "schedule.runNow", { scheduleId: "drive-days" });
  await expect.poll(() => rows(`SELECT 1 FROM fleet_drive WHERE serial = '${serial}'`)).toHaveLength(1);
  await page.goto(`/disks/failure-rates?drive-q=${serial}`);
  await expect(ofModel(page)).toContainText("Backblaze Drive Stats for 2024");
  await expect(ofModel(page)).toContainText(/0 in \d+ days/);
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "failure-rates");

  await mark(page, serial, "failed");
  await expect(ofModel(page)).toContainText(/1 in \d+ days/);
  const { token } = await post<{ token: string }>(page.request, stashlight.url, "apiToken.create", {
    name: "Import",
    scopes: ["drives:write"],
    lifetimeDays: 1,
  });
  expect(await importQuarter(stashlight.url, token)).toContain("Stored 2026-Q2 (1 day).");
  await page.reload();
  await expect(ofModel(page)).toContainText("Drive Stats import, 2026-Q2");
  await expect(page.getByText(/2026-Q2: 1 failures? in 3 drive days of 1 models?/)).toBeVisible();

  await page.goto(`/vaults?${new URLSearchParams({ vault: name })}`);
  await page.getByText("Figures and assumptions behind it").click();
  await expect(figure(page)).toContainText(
    /Drive Stats import, 2026-Q2: 1 failure in 3 drive days; and 1 failure in \d+ drive days of this fleet/,
  );

  await page.goto("/planner");
  await page.locator("summary", { hasText: /^Durability$/ }).click();
  await page.getByRole("combobox", { name: "HDD model" }).click();
  await page.getByRole("option", { name: new RegExp(`^${MODEL}`) }).click();
  await expect(page.getByText(/per drive-year; Drive Stats import, 2026-Q2: 1 failure/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: /^Failures counted/ })).not.toHaveValue("");

  await page.goto(`/vaults?${new URLSearchParams({ node, device: "p3" })}`);
  await expect(page.getByRole("link", { name: "Failure rates of all models" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.goto(`/disks/failure-rates?drive-q=${serial}`);
  await mark(page, serial, "in use");
  await expect(ofModel(page)).toContainText(/0 in \d+ days/);
});
