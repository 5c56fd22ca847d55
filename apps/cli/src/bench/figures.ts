/** Values of a measurement: every endpoint and load over all of its runs. */
import { addStart, collectStarts, summariseStarts } from "@stashlight/benchmark-formats/starts";
import {
  type BenchmarkSample,
  type BenchmarkStarts,
  benchmarkOperations,
  latencyMs,
} from "@stashlight/contracts/sample";
import { type MeanOfRuns, meanInterval, type RunSummary, summariseRun } from "@stashlight/stats";
import { type Limit, missedLimit } from "../limit.ts";
import { findLoad, type Legs, type Load, listConnections } from "./leg-loads.ts";
import type { MeasuredRun } from "./measure.ts";

export interface Figures extends Load {
  readonly endpoint: string;
  readonly summary: RunSummary;
  /** Mean of the runs' means, with the interval between runs; null without a success. */
  readonly runs: MeanOfRuns | null;
  readonly starts: BenchmarkStarts | null;
}

/** Sorts by endpoint as given, operation, size and connections. */
export function summariseLoads(
  runs: readonly MeasuredRun[],
  endpoints: readonly string[],
  legs: Legs,
): Figures[] {
  const connectionCounts = listConnections(legs);
  const loaded = runs.flatMap(({ endpoint, runId, samples }) =>
    samples.map((sample) => ({ runId, sample, key: { endpoint, ...findLoad(sample, connectionCounts) } })),
  );
  const groups = Map.groupBy(loaded, ({ key }) =>
    JSON.stringify([key.endpoint, key.operation, key.sizeBytes, key.connectionCount]),
  );
  const figures = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const samples = group.map(({ sample }) => sample);
    const ofRuns = [...Map.groupBy(group, ({ runId }) => runId).values()];
    return [
      {
        ...first.key,
        summary: withoutPooledInterval(summariseSamples(samples), ofRuns.length),
        runs: averageRuns(ofRuns.map((run) => run.map(({ sample }) => sample))),
        starts: findStarts(samples),
      },
    ];
  });
  return figures.sort(
    (a, b) =>
      endpoints.indexOf(a.endpoint) - endpoints.indexOf(b.endpoint) ||
      benchmarkOperations.indexOf(a.operation) - benchmarkOperations.indexOf(b.operation) ||
      a.sizeBytes - b.sizeBytes ||
      a.connectionCount - b.connectionCount,
  );
}

function summariseSamples(samples: readonly BenchmarkSample[]): RunSummary {
  const latencies = (wanted: boolean) =>
    samples.filter(({ outcome }) => (outcome === "ok") === wanted).map(latencyMs);
  return summariseRun({ ok: latencies(true), censored: latencies(false) });
}

/** Samples of a run share that run's level, so an interval over samples of several runs is invalid. */
const withoutPooledInterval = (summary: RunSummary, runCount: number): RunSummary =>
  runCount === 1 ? summary : { ...summary, medianInterval: null };

/** A run without a success has no mean. */
function averageRuns(runs: readonly (readonly BenchmarkSample[])[]): MeanOfRuns | null {
  const means = runs.flatMap((samples) => summariseSamples(samples).mean ?? []);
  return means.length === 0 ? null : meanInterval(means);
}

function findStarts(samples: readonly BenchmarkSample[]): BenchmarkStarts | null {
  const starts = collectStarts();
  for (const sample of samples) addStart(starts, sample);
  return summariseStarts(starts);
}

/** One sentence for each limit that an endpoint exceeds, or for which nothing was measured. */
export function missedLimits(
  limits: readonly Limit[],
  endpoints: readonly string[],
  figures: readonly Figures[],
): string[] {
  return endpoints.flatMap((endpoint) =>
    limits.flatMap((limit) => {
      const ofLimit = figures.filter(
        (each) =>
          each.endpoint === endpoint &&
          each.operation === limit.operation &&
          each.sizeBytes === limit.sizeBytes &&
          (limit.connectionCount === null || each.connectionCount === limit.connectionCount),
      );
      return missedLimit(limit, endpoint, ofLimit[0]?.summary ?? null) ?? [];
    }),
  );
}
