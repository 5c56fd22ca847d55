/** The figures of a measurement: every endpoint, operation and size over all of its runs. */
import {
  type BenchmarkOperation,
  type BenchmarkSample,
  benchmarkOperations,
} from "@stashlight/contracts/benchmark/sample";
import { type RunSummary, summariseRun } from "@stashlight/stats";
import type { Limit } from "../limit.ts";
import { missedLimit } from "../limit.ts";
import type { MeasuredRun } from "./measure.ts";

export interface Figures {
  readonly endpoint: string;
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly summary: RunSummary;
}

/** By endpoint as they are given, operation and size. */
export function figuresOf(runs: readonly MeasuredRun[], endpoints: readonly string[]): Figures[] {
  const samples = runs.flatMap((run) => run.samples);
  const groups = Map.groupBy(samples, ({ endpoint, operation, sizeBytes }) =>
    JSON.stringify([endpoint, operation, sizeBytes]),
  );
  const figures = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { endpoint = "", operation, sizeBytes } = first;
    return [{ endpoint, operation, sizeBytes, summary: summaryOf(group) }];
  });
  return figures.sort(
    (a, b) =>
      endpoints.indexOf(a.endpoint) - endpoints.indexOf(b.endpoint) ||
      benchmarkOperations.indexOf(a.operation) - benchmarkOperations.indexOf(b.operation) ||
      a.sizeBytes - b.sizeBytes,
  );
}

function summaryOf(samples: readonly BenchmarkSample[]): RunSummary {
  const wireMs = (wanted: boolean) =>
    samples.filter(({ outcome }) => (outcome === "ok") === wanted).map((sample) => sample.wireMs);
  return summariseRun({ ok: wireMs(true), censored: wireMs(false) });
}

/** A sentence for each limit that an endpoint does not keep. */
export function missedLimits(
  limits: readonly Limit[],
  endpoints: readonly string[],
  figures: readonly Figures[],
): string[] {
  return endpoints.flatMap((endpoint) =>
    limits.flatMap((limit) => {
      const measured = figures.find(
        (each) =>
          each.endpoint === endpoint &&
          each.operation === limit.operation &&
          each.sizeBytes === limit.sizeBytes,
      );
      return missedLimit(limit, endpoint, measured?.summary ?? null) ?? [];
    }),
  );
}
