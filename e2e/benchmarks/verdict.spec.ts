import { createBenchmark } from "../support/seeded-benchmark.ts";
import { expect, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

const slotMs = 6 * 3_600_000;

const insertRuns = `
  INSERT INTO benchmark_run (id, plan_id, endpoint_id, endpoint_name, vantage_name, method, slot_at, attempt, state,
                             position, progress, sample_count, tagged_share, label, created_at, report)
  SELECT gen_random_uuid(), $1, $2, $3, 'This worker', '{"name":"small-uploads","parameters":{"pauseMs":10}}',
         to_timestamp(($4::float8 + slot * $5::float8) / 1000), 1, 'succeeded', 0, 1, 100, CASE WHEN slot >= $6::int - $7::int THEN 0.2 ELSE 0 END, 'measured', now(),
         jsonb_build_object('isContaminated', false, 'flags', CASE WHEN slot = 0 THEN
           '[{"name":"reconnected","sentence":"One of 100 operations had to open a connection."}]'::jsonb ELSE '[]' END)
    FROM generate_series(0, $6::int - 1) AS slot`;

/** A fifth of the samples in the newest slots are tagged as contaminated. */
const insertGroups = `
  INSERT INTO benchmark_group (run_id, operation, size_bytes, connection_count, plan_id, endpoint_id, slot_at, n,
                               failure_count, tagged_count, cold_count, mean_ms, sd_ms, median_ms, median_low_ms,
                               median_high_ms)
  SELECT id, 'PUT', 256000, 1, plan_id, endpoint_id, slot_at, 100, 0, CASE WHEN place <= $3::int THEN 20 ELSE 0 END, 0,
         at, 3, at, at - 1, at + 1
    FROM (SELECT run.*, $2::float8 + random() AS at, row_number() OVER (ORDER BY slot_at DESC) AS place
            FROM benchmark_run run WHERE endpoint_id = $1) AS run`;

for (const { title, slotCount, contaminatedCount } of [
  { title: "contaminated runs are counted and left out of the verdict", slotCount: 8, contaminatedCount: 2 },
  {
    title: "no endpoint is called the fastest if too few slots are undisturbed",
    slotCount: 7,
    contaminatedCount: 6,
  },
  {
    title: "slots missing for a verdict are counted, and queued with one click",
    slotCount: 3,
    contaminatedCount: 0,
  },
]) {
  test(title, async ({ signedInAs, stashlight, rows }) => {
    const { page } = await signedInAs("admin");
    const name = `Verdict of ${slotCount}`;
    const { planId, fast, slow } = await createBenchmark(page, stashlight, { name, isPaused: false });
    const ids = [fast, slow];
    const startMs = Math.floor(Date.now() / slotMs) * slotMs - slotCount * slotMs;
    for (const [i, id] of ids.entries()) {
      const endpointName = `${i === 0 ? "Fast" : "Slow"} of ${name}`;
      const disturbedCount = i === 0 ? 0 : contaminatedCount;
      await rows(insertRuns, [planId, id, endpointName, startMs, slotMs, slotCount, disturbedCount]);
      await rows(insertGroups, [id, i === 0 ? 100 : 133, disturbedCount]);
    }
    await page.goto(`/benchmarks/plans/${planId}/results`);
    if (slotCount === 8) {
      await expect(page.getByText("Contaminated runs are left out of the verdict")).toBeVisible();
      await expect(page.getByText(/2 of 16 runs are contaminated/)).toBeVisible();
      await expect(page.getByText(/is faster than .* over 6 undisturbed of 8 slots/).first()).toBeVisible();
      await expect(
        page.getByText(/The paired t test decides: p .*, corrected for a look after every slot/),
      ).toBeVisible();
      await expect(page.getByText("2 of 16 runs reconnected")).toBeVisible();
      await expect(page.getByText(/had to open connections while they measured/)).toBeVisible();
    } else if (slotCount === 7) {
      await expect(page.getByText(/leads, not tested: 7 slots, 1 undisturbed, 6 needed/)).toBeVisible();
      await expect(page.getByText(/is faster than/)).toHaveCount(0);
      await expect(page.getByText("fastest", { exact: true })).toHaveCount(0);
    } else {
      await expect(page.getByText(/leads, not tested: 3 of 6 slots\./)).toBeVisible();
      await expect(page.getByText(/The next slot is at/)).toBeVisible();
      await expect(page.getByRole("table", { name: "Comparison" })).toContainText("3 of 6 slots");
      await page.getByRole("button", { name: "Run until verdict" }).click();
      await expect(page.getByText("3 slots queued")).toBeVisible();
      expect(await rows(slotsOfPlan, [planId])).toHaveLength(3);
    }
    await expectNoAxeViolations(page);
    await screenshot(page, `benchmark-verdict-${slotCount}`);
    await page.goto("/benchmarks");
    const row = page
      .getByRole("table", { name: "Benchmark schedules" })
      .getByRole("row")
      .filter({ hasText: name });
    await expect(row.getByText(/\d reconnected/)).toBeAttached();
    if (slotCount === 8) {
      await expect(row.getByText(/is faster than .* over 6 undisturbed of 8 slots/)).toBeVisible();
      await expect(row.getByText(/^2 contaminated/)).toBeVisible();
    } else {
      const counted = slotCount === 3 ? "3 of 6 slots" : "7 slots, 1 undisturbed, 6 needed";
      await expect(row.getByText(counted)).toHaveCount(1);
    }
    await row.getByRole("link", { name: "Results" }).click();
    await expect(page).toHaveURL(`/benchmarks/plans/${planId}/results`);
  });
}

const slotsOfPlan = `SELECT 1 FROM schedule_run r JOIN benchmark_plan p ON p.schedule_id = r.schedule_id
  WHERE p.id = $1 AND r.trigger = 'manual'`;
