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

/** A group as it is stored, without the run that it belongs to. */
export interface PreparedGroup extends ReturnType<typeof figuresOf> {
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
  wireMs: number[];
  failedAt: number[];
  packed: Uint8Array<ArrayBuffer>;
}

/** What a run measured, by operation, size and the connections that `connectionsOf` says a leg went over. */
export function prepareGroups(
  samples: readonly BenchmarkSample[],
  connectionsOf: (leg: number) => number,
): PreparedGroup[] {
  return groupsOf(samples, connectionsOf).map(({ samples: ofGroup, ...group }) => ({
    ...group,
    ...figuresOf(ofGroup),
    wireMs: ofGroup.map(({ wireMs }) => wireMs),
    failedAt: ofGroup.flatMap(({ outcome }, place) => (outcome === "ok" ? [] : [place])),
    packed: packSamples(ofGroup),
  }));
}

/** Writes what a run measured; a run has its groups once. */
export async function storeGroups(
  tx: GroupWriter,
  run: RunOfGroups,
  samples: readonly BenchmarkSample[],
): Promise<void> {
  const legs = legsOf(methodOf(run));
  await writeGroups(
    tx,
    run,
    prepareGroups(samples, (leg) => legs[leg]?.connectionCount ?? 1),
  );
}

type GroupWriter = Pick<Transaction, "benchmarkGroup" | "benchmarkGroupSamples">;

export async function writeGroups(
  tx: GroupWriter,
  { id: runId, planId, endpointId, slotAt }: Omit<RunOfGroups, "method">,
  groups: readonly PreparedGroup[],
): Promise<void> {
  await tx.benchmarkGroup.createMany({
    data: groups.map(({ wireMs, failedAt, packed, ...figures }) => ({
      ...figures,
      runId,
      planId,
      endpointId,
      slotAt,
    })),
  });
  await tx.benchmarkGroupSamples.createMany({
    data: groups.map(({ operation, sizeBytes, connectionCount, wireMs, failedAt, packed }) => ({
      runId,
      operation,
      sizeBytes,
      connectionCount,
      wireMs,
      failedAt,
      packed,
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
