import { post } from "../support/post.ts";
import { expect, expectLoaded, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

/** Inserts a slot that ran from 20 to 15 minutes ago. */
const insertSlot = `
  INSERT INTO schedule_run (schedule_id, planned_at, trigger, state, started_at, finished_at)
  SELECT schedule_id, now() - interval '20 minutes', 'schedule', 'succeeded', now() - interval '20 minutes',
         now() - interval '15 minutes'
    FROM benchmark_plan WHERE id = $1
  RETURNING planned_at`;
const insertRun = `
  INSERT INTO benchmark_run (id, plan_id, endpoint_id, endpoint_name, vantage_name, method, slot_at, attempt, state,
                             position, progress, sample_count, label, created_at)
  SELECT gen_random_uuid(), $1, $2, 'Vault', 'This worker', '{"name":"pings","parameters":{}}', planned_at, 1,
         'succeeded', 0, 1, 100, 'measured', now()
    FROM schedule_run JOIN benchmark_plan ON benchmark_plan.schedule_id = schedule_run.schedule_id
   WHERE benchmark_plan.id = $1`;

test("benchmarks, annotations and maintenance are marked on charts of their time, and a benchmark's mark leads to its plan", async ({
  signedInAs,
  stashlight,
  rows,
  measuredVault,
}) => {
  const vault = await measuredVault();
  const { page } = await signedInAs("admin");
  const { endpointId } = await post<{ endpointId: string }>(page.request, stashlight.url, "endpoint.create", {
    name: "Vault of the marks",
    kind: "vault",
    url: "https://203.0.113.7",
    region: "us-east-1",
    bucket: "benchmarks",
    credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "notUsedByAnybody" },
  });
  const { planId } = await post<{ planId: string }>(page.request, stashlight.url, "benchmarkPlan.create", {
    name: "Marked plan",
    endpointIds: [endpointId],
    method: { name: "pings", parameters: {} },
    cron: "0 3 1 1 *",
  });
  await rows(insertSlot, [planId]);
  await rows(insertRun, [planId, endpointId]);
  const minutesAgo = (count: number) => Date.now() - count * 60_000;
  await post(page.request, stashlight.url, "annotation.create", {
    text: `Deploy of ${vault.name}`,
    startMs: minutesAgo(40),
  });
  await post(page.request, stashlight.url, "alert.planMaintenance", {
    reason: "Rack is moved",
    labels: { vault: [vault.name] },
    startMs: minutesAgo(10),
    endMs: minutesAgo(-60),
  });
  // Shows all vaults, because the benchmark's endpoint belongs to none.
  await page.goto("/fsync?from=now-1h&to=now&scope=all");
  const panel = page.getByRole("region", { name: "How long do SSDs take to sync?" });
  const mark = panel.getByRole("link", {
    name: /to .*: Benchmark: Marked plan, took 5 min; its vault is not known$/,
  });
  await expect(mark).toBeVisible();
  // Filters by name, because other specs plan maintenance in the same installation.
  for (const words of [`Deploy of ${vault.name}`, "Maintenance: Rack is moved"]) {
    await expect(panel.locator("[data-annotation]").filter({ hasText: words })).toHaveCount(1);
  }
  await expect(panel.getByRole("link", { name: /to .*: Maintenance: Rack is moved$/ })).toBeVisible();
  await expectLoaded(page);
  await screenshot(page, "chart-annotations");
  await expectNoAxeViolations(page);
  await mark.click();
  await expect(page).toHaveURL(`/benchmarks/plans/${planId}`);
  await expect(page.getByText("about $", { exact: false })).toHaveCount(0);
  await expect(
    page.getByText("unknown without a price list for every endpoint and run").first(),
  ).toBeVisible();
});
