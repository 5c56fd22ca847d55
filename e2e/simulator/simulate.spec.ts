import type { Page } from "@playwright/test";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

/** Waits until the page responds, because text typed earlier would be lost. */
async function openForm(page: Page) {
  await page.goto("/simulator");
  await expectLoaded(page);
  const form = page.getByRole("form", { name: "Scenario" });
  await expect(form.getByRole("button", { name: "Start simulation" })).toBeEnabled();
  return form;
}

async function choose(page: Page, label: string, option: string) {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
}

/** Reads the console's minus sign as well. */
const numbersIn = (text: string): number[] =>
  (text.replaceAll("\u2212", "-").match(/-?[\d.]+/g) ?? []).map(Number);

test("a scenario runs with progress, and its result shows what happened, what is exact and the seed", async ({
  signedInAs,
  rows,
}) => {
  const { page, user } = await signedInAs("operator");
  const form = await openForm(page);
  await choose(page, "Preset", "Ten-minute outage of four pods");
  await form.getByLabel("Name").fill(`Outage for ${user.id}`);
  await form.getByLabel("Length, minutes").fill("20");
  await form.getByLabel("Uploads per second").fill("20");
  await form.getByLabel("Begins at minute").fill("5");
  await form.getByLabel("Seed").fill("77");
  await form.getByRole("button", { name: "Start simulation" }).click();
  await expect(page).toHaveURL(/\/simulator\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: `Outage for ${user.id}`, level: 1 })).toBeVisible();
  await expect(page.getByRole("progressbar")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Does the stash fill?" })).toBeVisible({ timeout: 180_000 });
  await expect(
    page.getByText(/^Simulated, not measured: 20 min of a vault from seed 77, by version/),
  ).toBeVisible();
  const stretches = page.getByRole("table", { name: "Stretches" });
  await expect(stretches.getByRole("row").filter({ hasText: "4 pods away" })).toContainText("5:00");
  const formula = page.getByRole("table", { name: "Formula beside simulation" });
  await expect(formula.getByRole("row").filter({ hasText: "Little’s law" })).toContainText("%");
  await expect(page.getByText(/steps exact, the others joined/).first()).toBeVisible();
  await expect(page.getByText(/^This scenario does not use figures of the live vault/)).toBeVisible();
  await expectLoaded(page);
  await expectNoAxeViolations(page);
  await screenshot(page, "simulation");

  const [stored] = await rows<{ state: string; seed: number }>(
    "SELECT state, (scenario->>'seed')::int AS seed FROM simulation_run WHERE requested_by_id = $1",
    [user.id],
  );
  expect(stored).toEqual({ state: "succeeded", seed: 77 });
  const events = await rows(
    "SELECT action FROM audit_event WHERE actor_id = $1 AND action LIKE 'simulation.%'",
    [user.id],
  );
  expect(events).toEqual([{ action: "simulation.started" }]);
  await page.goto("/simulator");
  const run = page.getByRole("table", { name: "Simulations" }).getByRole("row");
  await expect(run.filter({ hasText: `Outage for ${user.id}` })).toContainText("Succeeded");
});

test("figures of the live vault fill in a scenario, and its result is compared with measured uploads", async ({
  signedInAs,
  measuredVault,
}) => {
  await measuredVault();
  const { page, user } = await signedInAs("operator");
  const form = await openForm(page);
  await form.getByRole("button", { name: "Take figures from the live vault" }).click();
  await expect(form.getByText(/^Measured on the live vault from /)).toBeVisible();
  await expect(form.getByText(/^Uploads through the stash: n [\d,]+/)).toBeVisible();
  await expect(form.getByRole("combobox", { name: "Stash drive" })).toContainText(
    "as measured on the live vault",
  );
  // Adds drives: the test's vault has six, and an upload with 16+4 needs twenty.
  await form.getByLabel("Stash servers").fill("7");
  await form.getByLabel("Drives per server").fill("3");
  await form.getByLabel("Name").fill(`Predicted for ${user.id}`);
  await form.getByLabel("Length, minutes").fill("5");
  await form.getByLabel("Uploads per second").fill("20");
  await form.getByRole("button", { name: "Start simulation" }).click();

  const table = page.getByRole("table", { name: "Prediction beside measurement" });
  await expect(table).toBeVisible({ timeout: 180_000 });
  const errors: number[] = [];
  for (const name of ["p50", "p99"]) {
    const cells = await table.getByRole("row").filter({ hasText: name }).getByRole("cell").allInnerTexts();
    const [predicted, measured, interval, error, range] = cells.slice(-5) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const percent = (Number.parseFloat(predicted) / Number.parseFloat(measured) - 1) * 100;
    // Tolerates rounding: the page divides before it rounds both figures and the error to three digits, half a percent
    // at most.
    const roundingPercent = 0.0101 * (100 + percent) + 0.005 * Math.abs(percent);
    const [shownPercent = Number.NaN] = numbersIn(error);
    expect(Math.abs(shownPercent - percent)).toBeLessThanOrEqual(roundingPercent);
    const [low = Number.NaN, high = Number.NaN] = numbersIn(interval);
    expect(low).toBeLessThanOrEqual(Number.parseFloat(measured));
    expect(high).toBeGreaterThanOrEqual(Number.parseFloat(measured));
    expect(numbersIn(range)).toHaveLength(2);
    errors.push(percent);
  }
  const verdict = page.getByText(/^(Within|Not within) 15 %[.,]/);
  await expect(verdict).toContainText(
    errors.every((error) => Math.abs(error) <= 15) ? "Within" : "Not within",
  );
  await expect(verdict).toContainText(/measured on n [\d,]+/);
  await expectLoaded(page);
  await expectNoAxeViolations(page);

  const measuredCount = async () => /measured on n ([\d,]+)/.exec((await verdict.textContent()) ?? "")?.[1];
  const before = await measuredCount();
  await choose(page, "Compared with", "the last 15 minutes");
  await expect.poll(measuredCount).not.toBe(before);
});

test("a long simulation is cancelled while it runs, and deleted", async ({ signedInAs, rows }) => {
  const { page, user } = await signedInAs("operator");
  const form = await openForm(page);
  await form.getByLabel("Name").fill(`Long for ${user.id}`);
  await form.getByLabel("Uploads per second").fill("2000");
  await form.getByRole("button", { name: "Start simulation" }).click();
  const cancel = page.getByRole("button", { name: "Cancel simulation" });
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", /events/, {
    timeout: 90_000,
  });
  await cancel.click();
  await expect(page.getByText(`Cancelled by ${user.name}.`)).toBeVisible();
  expect(await rows("SELECT state FROM simulation_run WHERE requested_by_id = $1", [user.id])).toEqual([
    { state: "cancelled" },
  ]);
  await page.getByRole("button", { name: "Delete simulation" }).click();
  await expect(page).toHaveURL(/\/simulator$/);
  await expect(page.getByRole("link", { name: `Long for ${user.id}` })).toHaveCount(0);
});

test("an impossible value is reported beside its field, and the typed text stays", async ({
  signedInAs,
  guard,
}) => {
  guard.expectError(/status of 400.*simulation\.start/);
  const { page } = await signedInAs("operator");
  const form = await openForm(page);
  const rate = form.getByLabel("Uploads per second");
  const start = form.getByRole("button", { name: "Start simulation" });
  for (const [typed, told] of [
    ["many", "Enter a number, such as 10 or 0.5."],
    ["-1", "Uploads per second must be from 0.001 to 100,000."],
    ["1e30", "Uploads per second must be from 0.001 to 100,000."],
  ] as const) {
    await rate.fill(typed);
    await start.click();
    await expect(rate).toHaveAccessibleDescription(told);
    await expect(rate).toHaveValue(typed);
  }
  await rate.fill("10");
  await choose(page, "Kind of fault", "Pods are away");
  await form.getByLabel("Begins at minute").fill("90");
  await start.click();
  await expect(form.getByLabel("Begins at minute")).toHaveAccessibleDescription(
    "A fault must begin before the simulation ends.",
  );
  await expect(page).toHaveURL(/\/simulator$/);
});

test("a viewer reads simulations, and sees which role is needed to start one", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.goto("/simulator");
  await expect(page.getByText("You need the operator role to start a simulation.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Start simulation" })).toBeDisabled();
});
