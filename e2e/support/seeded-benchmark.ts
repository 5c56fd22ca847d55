import type { Page } from "@playwright/test";
import { post } from "./post.ts";
import type { QueryRows, SeededInstallation } from "./test.ts";

const SLOT_COUNT = 20;
const SLOT_MS = 6 * 3_600_000;

/** Creates a schedule of two endpoints at addresses where no server listens. */
export async function createBenchmark(
  page: Page,
  stashlight: SeededInstallation,
  { name, isPaused }: { readonly name: string; readonly isPaused: boolean },
) {
  const endpoint = (of: string) =>
    post<{ endpointId: string }>(page.request, stashlight.url, "endpoint.create", {
      name: `${of} of ${name}`,
      kind: "s3-compatible",
      url: "https://203.0.113.7",
      region: "us-east-1",
      bucket: `benchmarks-${of.toLowerCase()}`,
      credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "notUsedByAnybody" },
    });
  const fast = (await endpoint("Fast")).endpointId;
  const slow = (await endpoint("Slow")).endpointId;
  const { planId } = await post<{ planId: string }>(page.request, stashlight.url, "benchmarkPlan.create", {
    name,
    endpointIds: [fast, slow],
    method: { name: "small-uploads", parameters: {} },
    cron: "0 */6 * * *",
    isPaused,
  });
  return { planId, fast, slow };
}

/** A schedule of two endpoints with five days of runs, in which one endpoint is a third slower. */
export async function seedBenchmark(
  page: Page,
  stashlight: SeededInstallation,
  rows: QueryRows,
  name: string,
) {
  const { planId, fast, slow } = await createBenchmark(page, stashlight, { name, isPaused: true });
  const startMs = Math.floor(Date.now() / SLOT_MS) * SLOT_MS - SLOT_COUNT * SLOT_MS;
  for (const [id, title, levelMs] of [
    [fast, `Fast of ${name}`, 100],
    [slow, `Slow of ${name}`, 133],
  ] as const) {
    await seedEndpoint(rows, { planId, id, title, levelMs, startMs });
  }
  return planId;
}

async function seedEndpoint(
  rows: QueryRows,
  of: { planId: string; id: string; title: string; levelMs: number; startMs: number },
) {
  await rows(
    `INSERT INTO benchmark_run (id, plan_id, endpoint_id, endpoint_name, vantage_name, method, slot_at, attempt, state,
                                position, progress, sample_count, label, created_at)
     SELECT gen_random_uuid(), $1, $2, $3, 'This worker', '{"name":"small-uploads","parameters":{"pauseMs":10}}',
            to_timestamp(($4::float8 + slot * $5::float8) / 1000), 1, 'succeeded', 0, 1, 100, 'measured', now()
       FROM generate_series(0, $6::int - 1) AS slot`,
    [of.planId, of.id, of.title, of.startMs, SLOT_MS, SLOT_COUNT],
  );
  await rows(
    `INSERT INTO benchmark_group (run_id, operation, size_bytes, connection_count, plan_id, endpoint_id, slot_at, n,
                                  failure_count, tagged_count, cold_count, mean_ms, sd_ms, median_ms, median_low_ms,
                                  median_high_ms)
     SELECT id, 'PUT', 256000, 1, plan_id, endpoint_id, slot_at, 100, 0, 0, 0, at, 3, at, at - 1, at + 1
       FROM (SELECT run.*, $2::float8 + random() AS at FROM benchmark_run run WHERE endpoint_id = $1) AS run`,
    [of.id, of.levelMs],
  );
}
