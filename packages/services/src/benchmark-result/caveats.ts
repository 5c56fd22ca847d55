/** Caveats that runs flagged and readers of the verdict must know. */
import {
  type BenchmarkCaveat,
  type BenchmarkSubject,
  benchmarkCaveatKinds,
} from "@stashlight/contracts/benchmark";
import { MEDIAN_SAMPLES_MIN } from "@stashlight/stats";
import { hasEarlierLatency } from "../benchmark/figures-edition.ts";
import type { Core } from "../core.ts";
import { present } from "../present.ts";
import type { FailedRuns } from "./failed-runs.ts";
import type { SidesOfSlots } from "./undisturbed-slots.ts";

interface Row {
  name: string;
  count: string;
}

/** For a retried slot, the last successful attempt counts. */
const query = `
  WITH runs AS (
    SELECT DISTINCT ON (endpoint_id, slot_at) id, report FROM benchmark_run
     WHERE plan_id = $1 AND endpoint_id = ANY($2::uuid[]) AND slot_at >= $3 AND slot_at < $4 AND state = 'succeeded'
     ORDER BY endpoint_id, slot_at, attempt DESC
  )
  SELECT flag ->> 'name' AS name, count(DISTINCT id) AS count
    FROM runs, jsonb_array_elements(coalesce(report -> 'flags', '[]')) AS flag
   WHERE flag ->> 'name' = ANY($5::text[]) GROUP BY flag ->> 'name'`;

/** Runs with figures of an earlier release, which are unused until they are recomputed. */
const earlierQuery = `
  SELECT count(DISTINCT run.id) AS count
    FROM benchmark_group g JOIN benchmark_run run ON run.id = g.run_id
   WHERE g.plan_id = $1 AND g.endpoint_id = ANY($2::uuid[]) AND g.slot_at >= $3 AND g.slot_at < $4
     AND run.state = 'succeeded' AND ${hasEarlierLatency("g", "run")}`;

/** Counts the runs of these endpoints whose latencies are being recomputed. */
export async function countEarlierRuns(
  { metrics }: Pick<Core, "metrics">,
  { planId, fromMs, toMs }: Pick<BenchmarkSubject, "planId" | "fromMs" | "toMs">,
  endpointIds: readonly string[],
): Promise<number> {
  const asked = [planId, endpointIds, new Date(fromMs), new Date(toMs)];
  const { rows } = await metrics.query<{ count: string }>(earlierQuery, asked);
  return Number(rows[0]?.count ?? 0);
}

export async function readCaveats(
  { metrics }: Pick<Core, "metrics">,
  subject: Pick<BenchmarkSubject, "planId" | "fromMs" | "toMs">,
  sides: SidesOfSlots,
  failed: readonly FailedRuns[],
): Promise<BenchmarkCaveat[]> {
  const endpointIds = [sides.a.endpoint.id, sides.b.endpoint.id];
  const period = [new Date(subject.fromMs), new Date(subject.toMs)];
  const { rows } = await metrics.query<Row>(query, [
    ...[subject.planId, endpointIds, ...period],
    benchmarkCaveatKinds,
  ]);
  const uncounted = {
    "not begun": failed
      .filter(({ endpointId }) => endpointIds.includes(endpointId))
      .reduce((sum, { otherCount }) => sum + otherCount, 0),
    recomputing: await countEarlierRuns({ metrics }, subject, endpointIds),
  };
  const runCount = sides.a.runs.slotMs.length + sides.b.runs.slotMs.length;
  const counts: Partial<Record<BenchmarkCaveat["kind"], number>> = {
    "same store": (await isOneStore(metrics, sides)) ? runCount : 0,
    ...uncounted,
    failed: countFailed(sides),
    "few samples": runsOfFewSamples(sides),
    drift: driftingRuns(sides),
  };
  return benchmarkCaveatKinds.flatMap((kind): BenchmarkCaveat[] => {
    const count = counts[kind] ?? Number(rows.find(({ name }) => name === kind)?.count ?? 0);
    const isUncounted = kind === "not begun" || kind === "recomputing";
    return count === 0 ? [] : [{ kind, count, runCount: isUncounted ? runCount + count : runCount }];
  });
}

/**
 * True if both endpoints have the same kind, address and bucket. False for built-in endpoints, which are paths through
 * one store on purpose, for drives, and for deleted endpoints.
 */
async function isOneStore(metrics: Core["metrics"], { a, b }: SidesOfSlots): Promise<boolean> {
  const { rows } = await metrics.query(
    `SELECT FROM endpoint AS a JOIN endpoint AS b ON (a.kind, a.url, a.bucket) = (b.kind, b.url, b.bucket)
      WHERE a.id = $1 AND b.id = $2 AND a.kind <> 'drive' AND a.built_in_key IS NULL AND b.built_in_key IS NULL`,
    [a.endpoint.id, b.endpoint.id],
  );
  return rows.length > 0;
}

/** Runs with successes, but too few of them for an interval of the median. */
const runsOfFewSamples = ({ a, b }: SidesOfSlots): number =>
  [a, b].reduce(
    (sum, { runs }) =>
      sum +
      runs.slotMs.filter(
        (_, i) =>
          !Number.isNaN(present(runs.medianMs[i])) &&
          Number.isNaN(present(runs.medianLowMs[i])) &&
          // A run with drift has no interval either, and is reported as drift.
          present(runs.n[i]) < MEDIAN_SAMPLES_MIN,
      ).length,
    0,
  );

const countFailed = ({ a, b }: SidesOfSlots): number =>
  [a, b].reduce((sum, { runs }) => sum + runs.hasFailed.filter((is) => is === 1).length, 0);

const driftingRuns = ({ a, b }: SidesOfSlots): number =>
  [a, b].reduce((sum, { runs }) => sum + runs.isDrifting.filter((is) => is === 1).length, 0);
