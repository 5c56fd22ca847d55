import { expect, type QueryRows, test } from "../support/test.ts";

const checks = ["Database", "Worker", "Jobs", "Disk", "Audit log", "Supervision"];

async function workerPid(rows: QueryRows): Promise<number> {
  const [row] = await rows<{ pid: number }>(
    "SELECT pid FROM process_heartbeat WHERE kind = 'worker' ORDER BY started_at DESC LIMIT 1",
  );
  if (row === undefined) throw new Error("No worker has given a sign of life.");
  return row.pid;
}

test("the installation's figures have their unit, age and source", async ({ signedInAs, rows }) => {
  const { page, user } = await signedInAs("operator");
  // Runs housekeeping, because the audit log's state is unknown before.
  const [schedule] = await rows<{ id: string }>("SELECT id FROM schedule WHERE id = 'housekeeping'");
  const data = { json: { scheduleId: schedule?.id } };
  expect((await page.request.post("/api/trpc/schedule.runNow", { data })).ok()).toBe(true);
  await expect
    .poll(() => rows("SELECT state FROM schedule_run WHERE requested_by_id = $1", [user.id]), {
      timeout: 60_000,
    })
    .toEqual([{ state: "succeeded" }]);
  await page.goto("/");
  const tiles = page.getByRole("region", { name: "Installation" });
  await expect(tiles.getByRole("link")).toHaveText(checks);
  await expect(tiles.getByText(/one query · (just now|\d+ s ago) · this console/)).toBeVisible();
  await expect(tiles.getByText(/free on the data folder's disk/)).toBeVisible();
  await tiles.getByRole("link", { name: "Disk" }).click();
  await expect(page).toHaveURL("/health");

  const list = page.getByRole("region", { name: "Checks" });
  await expect(list.getByRole("listitem")).toHaveCount(checks.length);
  for (const name of checks) {
    const check = list.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
    await expect(check.getByText("Good", { exact: true })).toBeVisible();
  }
  await expect(list.getByText(/^[\d.]+\s?ms$/).first()).toBeVisible();
  const processes = page.getByRole("region", { name: "Processes" });
  await expect(processes.getByRole("row").filter({ hasText: "console ·" })).toHaveCount(1);
  await expect(
    processes.getByRole("row").filter({ hasText: /worker ·.*\d MiB|worker ·.*\d MB/ }),
  ).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Copy version of Postgres / })).toBeVisible();
  const outgrown = page.getByRole("region", { name: "When is one Postgres outgrown?" });
  // Accepts a limit too: a nearly full disk reaches its limit on the first day.
  await expect(outgrown).toContainText(/Not enough history yet: \d+ of 37 days|One Postgres is outgrown, at/);
  await expect(outgrown).toContainText(
    /Growth.*not enough history yet.*n 0 · (just now|\d+ s ago) · inventory/,
  );
});

test("a worker that fell silent is the first problem shown, and one that ended is started again", async ({
  signedInAs,
  rows,
}) => {
  const { page } = await signedInAs("viewer");
  const pid = await workerPid(rows);
  process.kill(pid, "SIGSTOP");
  try {
    // Ages the heartbeat instead of waiting for half an hour.
    await rows("UPDATE process_heartbeat SET seen_at = now() - interval '30 minutes' WHERE kind = 'worker'");
    await page.goto("/health");
    const first = page.getByRole("region", { name: "Checks" }).getByRole("listitem").first();
    await expect(first.getByRole("heading", { name: "Worker" })).toBeVisible();
    await expect(first).toContainText("Bad");
    await expect(first).toContainText("went silent; start it again.");
    await page.goto("/");
    await expect(page.getByRole("region", { name: "Problems" })).toContainText(
      "went silent; start it again.",
    );
  } finally {
    process.kill(pid, "SIGKILL");
  }
  await expect.poll(() => workerPid(rows), { timeout: 60_000 }).not.toBe(pid);
  await page.goto("/health");
  const worker = page
    .getByRole("region", { name: "Checks" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "Worker" }) });
  await expect(worker).toContainText("A worker is running.");
});
