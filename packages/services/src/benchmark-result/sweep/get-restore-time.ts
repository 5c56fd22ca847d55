import {
  type BenchmarkEndpointRef,
  type BenchmarkEstimate,
  type BenchmarkRestoreQuestion,
  type BenchmarkRestoreTime,
  formatRestore,
} from "@stashlight/contracts/benchmark";
import type { RestoreEstimate } from "@stashlight/stats";
import { requireRole, type Verb } from "../../context.ts";
import type { Core } from "../../core.ts";
import type { WithCalculator } from "../calculator.ts";
import { placeOfEndpoint } from "../endpoint-place.ts";
import { findPlanOfResults } from "../results-plan.ts";

/** More downloads would not improve the interval, and would make the answer slow. */
const SAMPLES_MAX = 5000;

interface Row {
  id: string;
  name: string;
  label: BenchmarkEndpointRef["label"];
  place: number | null;
  connection_count: number;
  latency_ms: number[];
  failed_at: number[];
}

const query = `
  SELECT run.endpoint_id AS id, run.endpoint_name AS name, run.label,
         ${placeOfEndpoint("run.endpoint_id")} AS place, s.connection_count, s.latency_ms[:${SAMPLES_MAX}] AS latency_ms,
         s.failed_at
    FROM benchmark_run run
    JOIN benchmark_group_samples s ON s.run_id = run.id AND s.operation = 'GET' AND s.size_bytes = $2
   WHERE run.plan_id = $1 AND run.slot_at >= $3 AND run.slot_at < $4 AND run.state = 'succeeded'
     AND run.endpoint_id IS NOT NULL
   ORDER BY run.endpoint_name, run.slot_at DESC, run.attempt DESC LIMIT 2000`;

/** Estimates the restore time from each endpoint of a plan, by its newest measured downloads of that size. */
export async function getRestoreTime({
  ctx,
  input,
}: Verb<BenchmarkRestoreQuestion, WithCalculator>): Promise<BenchmarkRestoreTime[]> {
  requireRole(ctx, "viewer");
  return readRestoreTimes(ctx.platform, input);
}

export async function readRestoreTimes(
  platform: WithCalculator,
  question: BenchmarkRestoreQuestion,
): Promise<BenchmarkRestoreTime[]> {
  const { planId, objectBytes, objectCount, connectionCount, fromMs, toMs } = question;
  await findPlanOfResults(platform.db, planId);
  const sides = await readDownloads(platform, question);
  const { estimates } = await platform.calculator.compute<"restore">({
    kind: "restore",
    series: sides.map(({ durationsMs, measuredConnectionCount }) => ({
      durationsMs,
      connectionCount: measuredConnectionCount,
    })),
    objectBytes,
    objectCount,
    connectionCount,
    // The same question about the same period has the same answer.
    seed: (fromMs + toMs + objectCount) % 2 ** 31,
  });
  return sides.map((side, at) => toRestoreTime(question, side, estimates[at] ?? null));
}

interface Side {
  readonly endpoint: BenchmarkEndpointRef;
  readonly measuredConnectionCount: number;
  readonly runCount: number;
  readonly failureCount: number;
  readonly durationsMs: Float64Array<ArrayBuffer>;
}

/** Uses the closest number of connections if an endpoint was measured with several. */
async function readDownloads(
  { metrics }: Pick<Core, "metrics">,
  question: BenchmarkRestoreQuestion,
): Promise<Side[]> {
  const { planId, objectBytes, fromMs, toMs } = question;
  const { rows } = await metrics.query<Row>(query, [planId, objectBytes, new Date(fromMs), new Date(toMs)]);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((ofEndpoint): Side[] => {
    const distance = (row: Row): number => Math.abs(row.connection_count - question.connectionCount);
    const nearest = ofEndpoint.reduce((best, row) => (distance(row) < distance(best) ? row : best));
    return toSide(ofEndpoint.filter((row) => row.connection_count === nearest.connection_count));
  });
}

function toSide(rows: readonly Row[]): Side[] {
  const [first] = rows;
  if (first === undefined) return [];
  const durations: number[] = [];
  let failureCount = 0;
  let runCount = 0;
  for (const { latency_ms, failed_at } of rows) {
    if (durations.length + failureCount >= SAMPLES_MAX) break;
    const failed = new Set(failed_at);
    runCount += 1;
    failureCount += failed.size;
    durations.push(...latency_ms.filter((_, at) => !failed.has(at)));
  }
  const { id, name, label, place, connection_count } = first;
  return [
    {
      endpoint: { id, name, label, place },
      measuredConnectionCount: connection_count,
      runCount,
      failureCount,
      durationsMs: Float64Array.from(durations),
    },
  ];
}

function toRestoreTime(
  question: BenchmarkRestoreQuestion,
  { endpoint, measuredConnectionCount, runCount, failureCount, durationsMs }: Side,
  estimate: RestoreEstimate | null,
): BenchmarkRestoreTime {
  const figures = {
    measuredConnectionCount,
    sampleCount: durationsMs.length,
    failureCount,
    seconds: estimate && withInterval(estimate.seconds, estimate.secondsInterval),
    mbPerSecond: estimate && withInterval(estimate.mbPerSecond, estimate.mbPerSecondInterval),
    isExtrapolated: estimate?.isExtrapolated ?? false,
  };
  return {
    ...figures,
    endpoint,
    runCount,
    sentence: formatRestore(question, { endpointName: endpoint.name, ...figures }),
  };
}

const withInterval = (value: number, interval: RestoreEstimate["secondsInterval"]): BenchmarkEstimate => ({
  value,
  low: interval?.low ?? null,
  high: interval?.high ?? null,
});
