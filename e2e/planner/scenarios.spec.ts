import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";
import { pictures } from "./pictures.ts";

const field = (page: Page, name: string) => page.getByRole("textbox", { name });

async function saveAs(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Save as" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this plan" });
  await dialog.getByRole("textbox", { name: "Name of the plan" }).fill(name);
  await dialog.getByRole("button", { name: "Save plan" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

test("a plan is saved, changed, compared with another, and deleted by its name", async ({
  signedInAs,
  rows,
}) => {
  const { page } = await signedInAs("operator");
  const [first, second] = [`Spring ${randomUUID().slice(0, 6)}`, `Summer ${randomUUID().slice(0, 6)}`];
  await page.goto("/planner");
  await expectLoaded(page);
  await saveAs(page, first);
  await expect(page).toHaveURL(/scenario=/);
  await field(page, "Small uploads").fill("40000");
  await saveAs(page, second);
  await page.getByRole("combobox", { name: "Compare with" }).click();
  await page.getByRole("option", { name: first }).click();
  const answers = page.getByRole("table", { name: "Answers compared" });
  await expect(answers.getByRole("row", { name: /Drives ≠/ })).toContainText("70");
  await expect(page.getByRole("table", { name: "Inputs that differ" })).toContainText("40000 1/s");
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(answers).toBeVisible();
  await expect(field(page, "Small uploads")).toHaveValue("40000");

  await field(page, "Small uploads").fill("50000");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() =>
      rows("SELECT input->>'uploadsPerSecond' AS rate FROM plan_scenario WHERE name = $1", [second]),
    )
    .toEqual([{ rate: "50000" }]);
  await page.getByRole("button", { name: `Actions for ${second}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await confirm.getByRole("textbox").fill(second);
  await confirm.getByRole("button", { name: "Delete plan" }).click();
  await expect(page.getByRole("heading", { name: "Planner", level: 1 })).toBeVisible();
  expect(await rows("SELECT 1 FROM plan_scenario WHERE name = $1", [second])).toEqual([]);
});

test("who saves over somebody else's newer version is told who it was", async ({
  signedInAs,
  rows,
  guard,
}) => {
  guard.expectError(/status of 409.*planner\.updateScenario/);
  const { page } = await signedInAs("operator");
  const name = `Shared ${randomUUID().slice(0, 6)}`;
  await page.goto("/planner");
  await expectLoaded(page);
  await saveAs(page, name);
  await rows(
    "UPDATE plan_scenario SET updated_at = updated_at + interval '1 s', updated_by_name = 'Grace' WHERE name = $1",
    [name],
  );
  await field(page, "Small uploads").fill("40000");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(`Grace saved "${name}" after you opened it`)).toBeVisible();
});

test("a plan is read by whoever has its link, until it is revoked", async ({
  signedInAs,
  visitor,
  guard,
}) => {
  guard.expectError(/status of 412.*planner\.readReport/);
  const { page } = await signedInAs("operator");
  const name = `Board ${randomUUID().slice(0, 6)}`;
  await page.goto("/planner");
  await expectLoaded(page);
  await saveAs(page, name);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share report" });
  await dialog.getByRole("button", { name: "Make link" }).click();
  const shown = dialog.getByText(/\/plan#[A-Za-z0-9_-]{43}/);
  await expect(shown).toBeVisible();
  const url = /\S+\/plan#[A-Za-z0-9_-]{43}/.exec((await shown.textContent()) ?? "")?.[0] ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();

  const reader = await visitor();
  await reader.goto(url);
  await expect(reader.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(reader.getByText(/70 drives in 7 servers; placement decides/)).toBeVisible();
  await expect(reader.getByRole("table", { name: "Inputs" })).toContainText("2000 1/s");
  await expectNoAxeViolations(reader);
  await pictures(reader, "planner-shared");

  await page.getByRole("button", { name: `Revoke the link to ${name}` }).click();
  await expect(page.getByRole("list", { name: "Report links" })).toContainText("Revoked");
  await reader.reload();
  await expect(reader.getByText("This report is not there any more")).toBeVisible();
});

test("a plan is exported for the command line, for programs and for spreadsheets", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner");
  await expectLoaded(page);
  const exported = async (item: string) => {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const downloading = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: item }).click();
    return readFile(await (await downloading).path(), "utf8");
  };
  expect(JSON.parse(await exported("Inputs as JSON")).uploadsPerSecond).toBe(2000);
  expect(JSON.parse(await exported("Answer as JSON")).answer.plan.drives).toBe(70);
  expect(await exported("Answer as CSV")).toContain('"answer","Drives","70","drives"');
});

test("a viewer plans, and is told which role saving needs", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner");
  await expect(page.getByText("Saving and sharing need the role operator.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save as" })).toHaveCount(0);
});
