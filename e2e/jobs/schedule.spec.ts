import { expect, expectNoAxeViolations, test } from "../support/test.ts";

const scheduleName = "Session and audit housekeeping";

test("a manual run is queued, succeeds and is in the history with its outcome", async ({
  signedInAs,
  rows,
}) => {
  const { page, user } = await signedInAs("operator");
  await page.goto("/jobs");
  await page.getByRole("button", { name: `Run ${scheduleName} now` }).click();
  await expect(page.getByText("Run queued")).toBeVisible();
  const run = page
    .getByRole("table", { name: "Runs" })
    .getByRole("row")
    .filter({ hasText: `Manual, ${user.name}` });
  await expect(run).toContainText(/succeeded/i, { timeout: 60_000 });
  const [stored] = await rows<{ state: string; outcome: string; attempts: number }>(
    "SELECT state, outcome, attempts FROM schedule_run WHERE requested_by_id = $1",
    [user.id],
  );
  expect(stored).toMatchObject({ state: "succeeded", attempts: 1, outcome: expect.stringMatching(/./) });
  await expect(run).toContainText(stored?.outcome ?? "");
  await expectNoAxeViolations(page);
});

test("successful scheduled roll-ups are listed on request, and manual ones always", async ({
  signedInAs,
  rows,
  guard,
}) => {
  const { page, user } = await signedInAs("operator");
  const rollUp = "Metric roll-up";
  await expect
    .poll(
      () =>
        rows(
          "SELECT 1 FROM schedule_run WHERE schedule_id = 'metric-roll-up' AND trigger = 'schedule' AND state = 'succeeded'",
        ),
      { timeout: 120_000 },
    )
    .not.toEqual([]);
  await page.goto("/jobs");
  // A run by hand is refused while this minute's roll-up is running.
  guard.expectError(/409 \(Conflict\).*schedule\.runNow/);
  await expect(async () => {
    await page.getByRole("button", { name: `Run ${rollUp} now` }).click();
    await expect(page.getByText("Run queued")).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  const runs = page.getByRole("table", { name: "Runs" }).getByRole("row").filter({ hasText: rollUp });
  const byHand = runs.filter({ hasText: `Manual, ${user.name}` });
  await expect(byHand).toContainText(/succeeded/i, { timeout: 60_000 });
  const scheduled = runs.filter({ hasText: /succeeded/i }).filter({ hasNotText: "Manual" });
  await expect(scheduled).toHaveCount(0);
  await page.getByRole("checkbox", { name: "List roll-ups that succeeded" }).check();
  await expect(scheduled.first()).toBeVisible();
  await expect(byHand).toBeVisible();
});

test("a paused schedule plans no run until it is resumed", async ({ signedInAs, rows }) => {
  const { page, user } = await signedInAs("admin");
  // Excludes benchmarks, because other specs pause theirs.
  const pausedIds = () => rows("SELECT id FROM schedule WHERE paused_at IS NOT NULL AND kind <> 'benchmark'");
  await page.goto("/jobs");
  const schedule = page
    .getByRole("table", { name: "Schedules" })
    .getByRole("row")
    .filter({ hasText: scheduleName });
  await expect(schedule).toContainText(/in \d+ /);
  await schedule.getByRole("button", { name: `Pause ${scheduleName}` }).click();
  await page
    .getByRole("dialog", { name: `Pause “${scheduleName}”?` })
    .getByRole("button", { name: "Pause schedule" })
    .click();
  await expect(schedule.getByText("Paused", { exact: true })).toBeVisible();
  await expect(schedule.getByText("paused", { exact: true })).toBeVisible();
  expect(await pausedIds()).toEqual([{ id: "housekeeping" }]);

  await schedule.getByRole("button", { name: `Resume ${scheduleName}` }).click();
  await expect(page.getByText("Schedule resumed")).toBeVisible();
  await expect(schedule).toContainText(/in \d+ /);
  expect(await pausedIds()).toEqual([]);
  const events = await rows(
    "SELECT action FROM audit_event WHERE actor_id = $1 AND action LIKE 'schedule.%' ORDER BY sequence",
    [user.id],
  );
  expect(events).toEqual([{ action: "schedule.paused" }, { action: "schedule.resumed" }]);
});
