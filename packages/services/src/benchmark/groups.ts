/** Samples of a run become groups: an operation at a size over so many connections, in figures and in full. */
import type { BenchmarkOperation, BenchmarkSample } from "@stashlight/contracts";
import type { Transaction } from "@stashlight/db";
import { summariseRun } from "@stashlight/stats";
import { methodOf } from "./find.ts";
import { legsOf } from "./method.ts";
import { packSamples } from "./pack.ts";

export interface RunOfGroups {
  id: string;
  /** Says over how many connections each leg went. */
  method: unknown;
  planId: string | null;
  endpointId: string | null;
  slotAt: Date;
}

/** Writes what a run measured; a run has its groups once. */
export async function storeGroups(
  tx: Pick<Transaction, "benchmarkGroup" | "benchmarkGroupSamples">,
  { id: runId, method, planId, endpointId, slotAt }: RunOfGroups,
  samples: readonly BenchmarkSample[],
): Promise<void> {
  const legs = legsOf(methodOf({ method }));
  const groups = groupsOf(samples, (leg) => legs[leg]?.connectionCount ?? 1);
  await tx.benchmarkGroup.createMany({
    data: groups.map(({ operation, sizeBytes, connectionCount, samples }) => ({
      runId,
      operation,
      sizeBytes,
      connectionCount,
      planId,
      endpointId,
      slotAt,
      ...figuresOf(samples),
    })),
  });
  await tx.benchmarkGroupSamples.createMany({
    data: groups.map(({ operation, sizeBytes, connectionCount, samples }) => ({
      runId,
      operation,
      sizeBytes,
      connectionCount,
      wireMs: samples.map(({ wireMs }) => wireMs),
      failedAt: samples.flatMap(({ outcome }, place) => (outcome === "ok" ? [] : [place])),
      packed: packSamples(samples),
    })),
  });
}

interface Group {
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
  samples: BenchmarkSample[];
}

function groupsOf(samples: readonly BenchmarkSample[], connectionsOf: (leg: number) => number): Group[] {
  const groups = new Map<string, Group>();
  for (const sample of samples.toSorted((a, b) => a.index - b.index)) {
    const { operation, sizeBytes } = sample;
    const connectionCount = connectionsOf(sample.leg ?? 0);
    const name = `${operation} ${sizeBytes} ${connectionCount}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { operation, sizeBytes, connectionCount, samples: [sample] });
    else group.samples.push(sample);
  }
  return [...groups.values()];
}

/** As the columns of `benchmark_group` are called. */
function figuresOf(samples: readonly BenchmarkSample[]) {
  const wireMsOf = (isOk: boolean) =>
    samples.filter(({ outcome }) => (outcome === "ok") === isOk).map(({ wireMs }) => wireMs);
  const summary = summariseRun({ ok: wireMsOf(true), censored: wireMsOf(false) });
  const { p5, p25, median, p75, p90, p95 } = summary.percentiles;
  return {
    n: summary.n,
    failureCount: summary.failureCount,
    taggedCount: samples.filter(({ isTagged }) => isTagged).length,
    coldCount: samples.filter(({ isCold }) => isCold).length,
    meanMs: summary.mean,
    sdMs: summary.sd,
    minMs: summary.min,
    p5Ms: p5.value,
    p25Ms: p25.value,
    medianMs: median.value,
    p75Ms: p75.value,
    p90Ms: p90.value,
    p95Ms: p95.value,
    maxMs: summary.max,
    medianLowMs: summary.medianInterval?.low ?? null,
    medianHighMs: summary.medianInterval?.high ?? null,
  };
}
