import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, test } from "../support/test.ts";
import { pictures } from "./pictures.ts";

/** Finds a field of the form by the start of its name, which differs from those of the range fields. */
const field = (page: Page, name: string) => page.getByRole("textbox", { name: new RegExp(`^${name}`) });

async function saveAs(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Save as" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this plan" });
  await dialog.getByRole("textbox", { name: "Name of the plan" }).fill(name);
  await dialog.getByRole("button", { name: "Save plan" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

async function chooseShape(page: Page, shape: string): Promise<void> {
  await page.getByRole("combobox", { name: "Distribution of Small uploads" }).click();
  await page.getByRole("option", { name: shape }).click();
}

/** Shares the open plan and returns the link. */
async function share(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share report" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  const shown = dialog.getByText(/\/plan#[A-Za-z0-9_-]{43}/);
  await expect(shown).toBeVisible();
  const url = /\S+\/plan#[A-Za-z0-9_-]{43}/.exec((await shown.textContent()) ?? "")?.[0] ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();
  return url;
}

test("a plan is saved, changed, compared with another and deleted by its name", async ({
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
  await expect(answers.getByRole("row", { name: /Drives ≠/ })).toHaveText("Drives ≠14021");
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

test("a user who saves over another user's newer version is shown that user's name", async ({
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

test("anyone with its link can read a plan until the link is revoked", async ({
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
  const url = await share(page);

  const reader = await visitor();
  await reader.goto(url);
  await expect(reader.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(reader.getByText(/21 drives in 7 servers; placement decides/)).toBeVisible();
  await expect(reader.getByRole("table", { name: "Inputs" })).toContainText("2000 1/s");
  await expectNoAxeViolations(reader);
  await pictures(reader, "planner-shared");

  await page.getByRole("button", { name: `Revoke the link to ${name}` }).click();
  await expect(page.getByRole("list", { name: "Report links" })).toContainText("Revoked");
  await reader.reload();
  await expect(reader.getByText("This report no longer exists")).toBeVisible();
});

test("notes and ranges are saved with a plan, compared, exported and shown to readers of its link", async ({
  signedInAs,
  visitor,
}) => {
  const { page } = await signedInAs("operator");
  const [noted, plain] = [`Noted ${randomUUID().slice(0, 6)}`, `Plain ${randomUUID().slice(0, 6)}`];
  const note = page.getByRole("textbox", { name: "Notes for readers" });
  await page.goto("/planner");
  await expectLoaded(page);
  await saveAs(page, plain);
  await note.fill("Prices of the offer of May.\nThe board decides in June.");
  await chooseShape(page, "Triangular");
  await field(page, "Most likely, Small uploads").fill("2500");
  await field(page, "To, Small uploads").fill("4000");
  await saveAs(page, noted);
  await page.reload();
  await expect(note).toHaveValue(/offer of May/);
  await expect(field(page, "Most likely, Small uploads")).toHaveValue("2500");
  await page.getByRole("combobox", { name: "Compare with" }).click();
  await page.getByRole("option", { name: plain }).click();
  await expect(page.getByRole("table", { name: "Inputs that differ" })).toContainText(
    "1,600 to 4,000 1/s, most likely 2,500",
  );
  await expect(page.getByRole("region", { name: "Notes of this plan" })).toContainText("The board decides");

  await page.getByRole("button", { name: "Export", exact: true }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Answer as CSV" }).click();
  const csv = await readFile(await (await downloading).path(), "utf8");
  expect(csv).toContain('"range","uploadsPerSecond.mode","2500",""');
  expect(csv).toContain("The board decides in June.");

  const reader = await visitor();
  await reader.goto(await share(page));
  await expect(reader.getByText("The board decides in June.")).toBeVisible();
  const uncertainty = reader.getByRole("region", { name: "How sure is it?" });
  await expect(uncertainty.getByRole("table", { name: "Ranges" })).toContainText("most likely 2,500");
  await expect(uncertainty).toContainText(/of 10,000 draws/);
});

test("an invalid range shows a message, and the last valid draws stay, marked as old", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("operator");
  await page.goto("/planner");
  const uncertainty = page.getByRole("region", { name: "How sure is it?" });
  const drawn = uncertainty.getByText(/of 10,000 draws/);
  const good = (await drawn.textContent()) ?? "";
  for (const [text, sentence] of [
    ["", "Enter a number."],
    ["1e30", "Uploads per second must be above 0 and at most 1,000,000,000."],
    ["9000", "A range must not end below its beginning."],
  ] as const) {
    await field(page, "From, Small uploads").fill(text);
    await expect(uncertainty).toContainText(sentence);
    await expect(uncertainty).toContainText("The last valid draws");
    await expect(drawn).toHaveText(good);
    await expect(page.getByRole("button", { name: "Save as" })).toBeDisabled();
  }
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Undo the range of Small uploads" }).click();
  await expect(field(page, "From, Small uploads")).toHaveValue("1600");
  await expect(page.getByRole("button", { name: "Save as" })).toBeEnabled();
  await field(page, "To, Small uploads").fill("100000");
  await expect(drawn).not.toHaveText(good);
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
  expect(JSON.parse(await exported("Answer as JSON")).answer.plan.drives).toBe(21);
  expect(await exported("Answer as CSV")).toContain('"answer","Drives","21","drives"');
});

test("a viewer can plan, and sees which role saving needs", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/planner");
  await expect(page.getByText("You need the operator role to save and share plans.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save as" })).toHaveCount(0);
});
