/** Pitfalls that runs flagged: whoever reads the verdict must know of them. */
import {
  type BenchmarkCaveat,
  type BenchmarkSubject,
  benchmarkCaveatKinds,
} from "@stashlight/contracts/benchmark/result";
import { MEDIAN_SAMPLES_MIN } from "@stashlight/stats";
import type { Core } from "../core.ts";
import { present } from "../present.ts";
import type { SidesOfSlots } from "./undisturbed-slots.ts";

interface Row {
  name: string;
  count: string;
}

/** The last try that succeeded speaks for a slot that was tried again. */
const query = `
  WITH runs AS (
    SELECT DISTINCT ON (endpoint_id, slot_at) id, report FROM benchmark_run
     WHERE plan_id = $1 AND endpoint_id = ANY($2::uuid[]) AND slot_at >= $3 AND slot_at < $4 AND state = 'succeeded'
     ORDER BY endpoint_id, slot_at, attempt DESC
  )
  SELECT flag ->> 'name' AS name, count(DISTINCT id) AS count
    FROM runs, jsonb_array_elements(coalesce(report -> 'flags', '[]')) AS flag
   WHERE flag ->> 'name' = ANY($5::text[]) GROUP BY flag ->> 'name'`;

/** Slots of an endpoint in which no try succeeded. */
const failedQuery = `
  SELECT FROM benchmark_run
   WHERE plan_id = $1 AND endpoint_id = ANY($2::uuid[]) AND slot_at >= $3 AND slot_at < $4
   GROUP BY endpoint_id, slot_at HAVING bool_or(state = 'failed') AND NOT bool_or(state = 'succeeded')`;

export async function readCaveats(
  { metrics }: Pick<Core, "metrics">,
  { planId, fromMs, toMs }: Pick<BenchmarkSubject, "planId" | "fromMs" | "toMs">,
  sides: SidesOfSlots,
): Promise<BenchmarkCaveat[]> {
  const asked = [
    planId,
    [sides.a.endpoint.id, sides.b.endpoint.id],
    new Date(fromMs),
    new Date(toMs),
  ] as const;
  const { rows } = await metrics.query<Row>(query, [...asked, benchmarkCaveatKinds]);
  const failedCount = (await metrics.query(failedQuery, [...asked])).rows.length;
  const runCount = sides.a.runs.slotMs.length + sides.b.runs.slotMs.length;
  const counts: Partial<Record<BenchmarkCaveat["kind"], number>> = {
    "same store": (await isOneStore(metrics, sides)) ? runCount : 0,
    failed: failedCount,
    "few samples": runsOfFewSamples(sides),
    drift: driftingRuns(sides),
  };
  return benchmarkCaveatKinds.flatMap((kind): BenchmarkCaveat[] => {
    const count = counts[kind] ?? Number(rows.find(({ name }) => name === kind)?.count ?? 0);
    const ofRuns = kind === "failed" ? runCount + failedCount : runCount;
    return count === 0 ? [] : [{ kind, count, runCount: ofRuns }];
  });
}

/** Decides by address and bucket. A vault's own endpoints are paths through one store, and deleted ones are unknown. */
async function isOneStore(metrics: Core["metrics"], { a, b }: SidesOfSlots): Promise<boolean> {
  const { rows } = await metrics.query(
    `SELECT FROM endpoint AS a JOIN endpoint AS b ON (a.kind, a.url, a.bucket) = (b.kind, b.url, b.bucket)
      WHERE a.id = $1 AND b.id = $2 AND a.kind <> 'drive' AND a.built_in_key IS NULL AND b.built_in_key IS NULL`,
    [a.endpoint.id, b.endpoint.id],
  );
  return rows.length > 0;
}

/** Runs with successes, and with too few of them for an interval of the median. */
const runsOfFewSamples = ({ a, b }: SidesOfSlots): number =>
  [a, b].reduce(
    (sum, { runs }) =>
      sum +
      runs.slotMs.filter(
        (_, i) =>
          !Number.isNaN(present(runs.medianMs[i])) &&
          Number.isNaN(present(runs.medianLowMs[i])) &&
          // A run that drifted has no interval either, and is named as that.
          present(runs.n[i]) < MEDIAN_SAMPLES_MIN,
      ).length,
    0,
  );

const driftingRuns = ({ a, b }: SidesOfSlots): number =>
  [a, b].reduce((sum, { runs }) => sum + runs.isDrifting.filter((is) => is === 1).length, 0);
