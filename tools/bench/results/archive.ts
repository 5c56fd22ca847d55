/**
 * A synthetic archive of benchmark runs, each labelled as simulated. Values of a run are drawn like those of 100
 * samples around a level; samples are stored as by the product, by SQL, because thirty thousand transactions would take
 * an hour.
 */
import { randomUUID } from "node:crypto";
import { FIGURES_EDITION } from "@stashlight/services/benchmark";
import type { Platform } from "@stashlight/services/platform";

export const slotMs = 6 * 3_600_000;
const SLOT_COUNT = Math.round(5 * 365.25 * 4);
const SAMPLES_A_RUN = 100;
const levelsMs = [118, 157, 125, 131];
const sizes = [
  { bytes: 256_000, factor: 1 },
  { bytes: 1_000_000, factor: 1.2 },
];
const toMs = Date.UTC(2026, 10, 1);

export interface Archive {
  planId: string;
  endpointIds: string[];
  fromMs: number;
  toMs: number;
  runCount: number;
}

export async function fillArchive({ metrics }: Platform, say: (line: string) => void): Promise<Archive> {
  const planId = randomUUID();
  const fromMs = toMs - SLOT_COUNT * slotMs;
  await metrics.query(
    `INSERT INTO schedule (id, kind, name, description, cron, planned_until, created_at, updated_at)
     VALUES ($1, 'benchmark', $1, 'simulated', '0 */6 * * *', now(), now(), now())`,
    [planId],
  );
  await metrics.query(
    `INSERT INTO benchmark_plan (id, schedule_id, name, description, method, created_at, updated_at)
     VALUES ($1, $2, 'Archive', 'simulated', '{"name":"small-uploads","parameters":{"pauseMs":10}}', now(), now())`,
    [planId, planId],
  );
  const endpointIds: string[] = [];
  for (const [place, levelMs] of levelsMs.entries()) {
    say(`filling in ${SLOT_COUNT} simulated runs of endpoint ${place + 1} of ${levelsMs.length}`);
    const endpointId = randomUUID();
    endpointIds.push(endpointId);
    const name = `Simulated ${place + 1}`;
    await metrics.query(
      `INSERT INTO endpoint (id, name, kind, url, region, bucket, prefix, addressing, ca_pem, access_key_id,
                             secret_access_key, created_at, updated_at)
       VALUES ($1, $2, 's3-compatible', 'https://bench.test', 'none', 'bench', '', 'path', '', 'none', 'none', now(), now())`,
      [endpointId, name],
    );
    await fillEndpoint(metrics, { planId, endpointId, name, levelMs, fromMs });
  }
  return { planId, endpointIds, fromMs, toMs, runCount: SLOT_COUNT * levelsMs.length };
}

interface Filled {
  planId: string;
  endpointId: string;
  name: string;
  levelMs: number;
  fromMs: number;
}

async function fillEndpoint(
  metrics: Platform["metrics"],
  { planId, endpointId, name, levelMs, fromMs }: Filled,
): Promise<void> {
  await metrics.query(
    `INSERT INTO benchmark_run (id, plan_id, plan_name, endpoint_id, endpoint_name, vantage_name, method, slot_at,
                                attempt, state, position, progress, sample_count, label, created_at)
     SELECT gen_random_uuid(), $1, 'Archive', $2, $3, 'Simulated', '{"name":"small-uploads","parameters":{}}',
            to_timestamp($4::float8 / 1000 + slot * $5::float8 / 1000), 1, 'succeeded', 0, 1, $6, 'simulated', now()
       FROM generate_series(0, $7::int - 1) AS slot`,
    [planId, endpointId, name, fromMs, slotMs, SAMPLES_A_RUN * sizes.length, SLOT_COUNT],
  );
  for (const { bytes, factor } of sizes) {
    const level = levelMs * factor;
    await metrics.query(
      `INSERT INTO benchmark_group (run_id, operation, size_bytes, connection_count, plan_id, endpoint_id, slot_at, n,
                                    failure_count, tagged_count, cold_count, mean_ms, sd_ms, min_ms, p5_ms, p25_ms,
                                    median_ms, p75_ms, p90_ms, p95_ms, max_ms, median_low_ms, median_high_ms, figures_edition)
       SELECT id, 'PUT', $2, 1, plan_id, endpoint_id, slot_at, $3::int, 0, 0, 0, at, at * 0.08, at * 0.8, at * 0.88,
              at * 0.95, at * 0.99, at * 1.05, at * 1.1, at * 1.15, at * 1.6, at * 0.97, at * 1.01, ${FIGURES_EDITION}
         FROM (SELECT run.*, $4::float8 * (0.95 + 0.1 * random()) AS at FROM benchmark_run run WHERE endpoint_id = $1) AS run`,
      [endpointId, bytes, SAMPLES_A_RUN, level],
    );
    await metrics.query(
      `INSERT INTO benchmark_group_samples (run_id, operation, size_bytes, connection_count, latency_ms, failed_at, packed)
       SELECT id, 'PUT', $2, 1, ARRAY(SELECT $4::float8 * (0.9 + 0.2 * random() + 0 * length(run.id::text))
                                        FROM generate_series(1, $3::int)), '{}', '\\x01'
         FROM benchmark_run run WHERE endpoint_id = $1`,
      [endpointId, bytes, SAMPLES_A_RUN, level],
    );
  }
}
