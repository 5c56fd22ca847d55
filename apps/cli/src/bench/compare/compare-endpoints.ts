/**
 * Compares two endpoints by their runs in common slots, load by load. The functions of the console's pages decide which
 * samples are disturbed, when a winner may be named, and the sentence.
 */
import { findFlags, type Leg } from "@stashlight/benchmark";
import {
  type BenchmarkSide,
  type BenchmarkSlots,
  type BenchmarkVerdict,
  formatBackToBack,
  formatComparison,
  gateVerdict,
  isGateOpen,
} from "@stashlight/contracts/benchmark";
import { type BenchmarkSample, formatLoad, latencyMs } from "@stashlight/contracts/sample";
import { compareLegs, type Interval, meanInterval, RUNS_MIN } from "@stashlight/stats";
import { UsageError } from "../../usage-error.ts";
import { findLoad, type Load } from "../leg-loads.ts";

/** A run that succeeded or failed as a whole, as measured or read from a file. */
export interface JudgedRun {
  /** Name in error messages. */
  readonly source: string;
  readonly endpoint: string;
  readonly slotMs: number;
  /** Method and parameters, so that runs of different methods are never compared. */
  readonly method: string;
  readonly connectionCounts: readonly Leg["connectionCount"][];
  readonly samples: readonly BenchmarkSample[];
  /** True for a run that failed as a whole: it counts as a failure at every load, and its samples are ignored. */
  readonly hasFailed: boolean;
}

export interface LoadVerdict extends Load {
  readonly sentence: string;
  readonly verdict: BenchmarkVerdict;
  readonly slots: BenchmarkSlots;
  /** Mean of the first endpoint divided by that of the second; null if not comparable. */
  readonly ratio: { readonly value: number; readonly interval: Interval | null } | null;
  /** Corrected for testing after every slot; null with too few slots. */
  readonly pValue: number | null;
}

interface RunOfLoad {
  readonly source: string;
  readonly slotMs: number;
  readonly okMs: readonly number[];
  readonly failureCount: number;
  readonly isDisturbed: boolean;
}

const minimumEffect = { kind: "share", share: 0.05 } as const;

/** Judges each load for which the two endpoints share a slot. */
export function judgeLoads(runs: readonly JudgedRun[], names: readonly [string, string]): LoadVerdict[] {
  const ofEndpoints = runs.filter(({ endpoint }) => names.includes(endpoint));
  const loads = new Map<string, { load: Load; method: string }>();
  for (const run of ofEndpoints) {
    for (const sample of run.hasFailed ? [] : run.samples) {
      const load = findLoad(sample, run.connectionCounts);
      if (load.operation !== "TCP_CONNECT")
        loads.set(JSON.stringify([run.method, load]), { load, method: run.method });
    }
  }
  return [...loads.values()].flatMap(({ load, method }) => {
    const [a, b] = names.map((name) =>
      ofEndpoints
        .filter((run) => run.endpoint === name && run.method === method)
        .flatMap((run) => takeLoad(run, load) ?? [])
        .sort((one, other) => one.slotMs - other.slotMs),
    ) as [RunOfLoad[], RunOfLoad[]];
    for (const side of [a, b]) requireComparable(side, load);
    return judgeLoad(load, names, [a, b]) ?? [];
  });
}

/** Sentences for verdicts on slots of one command, which are within one hour. */
export function describeVerdicts(verdicts: readonly Pick<LoadVerdict, "sentence" | "slots">[]): string[] {
  const sentences = verdicts.map(({ sentence }) => sentence);
  const [most] = verdicts
    .map(({ slots }) => slots)
    .toSorted((a, b) => b.undisturbedCount - a.undisturbedCount || b.measuredCount - a.measuredCount);
  if (most === undefined) return sentences;
  const pairCount = most.undisturbedCount === 0 ? most.measuredCount : most.undisturbedCount;
  if (pairCount < 2) return sentences;
  return [...sentences, formatBackToBack({ backToBackCount: pairCount, pairCount, slots: most })];
}

/** Throws a UsageError if two runs have the same slot, or if a run reports 0 ms for every request. */
function requireComparable(
  runs: readonly RunOfLoad[],
  { operation, sizeBytes, connectionCount }: Load,
): void {
  const what = formatLoad(operation, sizeBytes, connectionCount);
  for (const [at, { slotMs, source, okMs }] of runs.entries()) {
    const before = runs[at - 1];
    if (before?.slotMs === slotMs) {
      throw new UsageError(
        `${before.source} and ${source} have the same slot (${new Date(slotMs).toISOString()}) and load (${what}); pass each run only once.`,
      );
    }
    if (okMs.length > 0 && okMs.every((ms) => ms === 0)) {
      throw new UsageError(
        `${source} reports 0 ms for every ${what}, which cannot be compared; leave the file out.`,
      );
    }
  }
}

function takeLoad(run: JudgedRun, load: Load): RunOfLoad | null {
  const { source, slotMs } = run;
  if (run.hasFailed) return { source, slotMs, okMs: [], failureCount: 1, isDisturbed: false };
  const samples = run.samples.filter((sample) => {
    const { operation, sizeBytes, connectionCount } = findLoad(sample, run.connectionCounts);
    return (
      operation === load.operation && sizeBytes === load.sizeBytes && connectionCount === load.connectionCount
    );
  });
  if (samples.length === 0) return null;
  const flags = findFlags({
    samples: run.samples,
    connectionCounts: run.connectionCounts,
    pauseMs: null,
    uncheckedEtagCount: 0,
    storedFailures: [],
    clockOffsetMs: null,
  });
  const drifted = `${formatLoad(load.operation, load.sizeBytes, load.connectionCount)} became `;
  const okMs = samples.filter(({ outcome }) => outcome === "ok").map(latencyMs);
  return {
    source,
    slotMs,
    okMs,
    failureCount: samples.length - okMs.length,
    isDisturbed: flags.some(
      ({ name, sentence }) => name === "contaminated" || (name === "drift" && sentence.startsWith(drifted)),
    ),
  };
}

interface SharedSlot {
  readonly a: RunOfLoad;
  readonly b: RunOfLoad;
}

/** A run whose median is a failure has no time to compare, but counts in the success rate. */
const hasMedian = ({ okMs, failureCount }: RunOfLoad): boolean =>
  okMs.length > 0 && okMs.length >= failureCount;
const areTimed = ({ a, b }: SharedSlot): boolean => hasMedian(a) && hasMedian(b);
const isUndisturbed = ({ a, b }: SharedSlot): boolean => !a.isDisturbed && !b.isDisturbed;

function judgeLoad(
  load: Load,
  names: readonly [string, string],
  [a, b]: readonly [readonly RunOfLoad[], readonly RunOfLoad[]],
): LoadVerdict | null {
  const slotsOfB = new Map(b.map((run) => [run.slotMs, run]));
  const shared = a.flatMap((run): SharedSlot[] => {
    const other = slotsOfB.get(run.slotMs);
    return other === undefined ? [] : [{ a: run, b: other }];
  });
  const measured = shared.filter(areTimed);
  if (measured.length === 0) return null;
  const undisturbed = measured.filter(isUndisturbed);
  const compared = undisturbed.length > 0 ? shared.filter(isUndisturbed) : measured;
  const timed = compared.filter(areTimed);
  const slots = {
    measuredCount: measured.length,
    undisturbedCount: undisturbed.length,
    neededCount: RUNS_MIN,
  };
  const legs = [toSeries(compared.map((slot) => slot.a)), toSeries(compared.map((slot) => slot.b))];
  const { pairs } = compareLegs({ legs, pairs: [[0, 1]], minimumEffect });
  const [pair] = pairs;
  if (pair === undefined) return null;
  const verdict = gateVerdict(pair.verdict, slots);
  const faster = { which: pair.faster.which, words: pair.faster.words };
  const question = {
    ...load,
    planId: "",
    endpointAId: "a",
    endpointBId: "b",
    fromMs: 0,
    toMs: 1,
    minimumEffect,
  };
  const shown = {
    ...pair,
    a: toSide(
      names[0],
      a,
      timed.map((slot) => slot.a),
    ),
    b: toSide(
      names[1],
      b,
      timed.map((slot) => slot.b),
    ),
    verdict,
    faster,
    slots,
    question,
  };
  const interval = isGateOpen(slots) ? pair.ratio.interval : null;
  const what = formatLoad(load.operation, load.sizeBytes, load.connectionCount);
  const sentence = `${what}: ${formatComparison(shown)}`;
  const pValue = isGateOpen(slots) ? pair.pValue : null;
  return { ...load, sentence, verdict, slots, ratio: { value: pair.ratio.value, interval }, pValue };
}

function toSeries(runs: readonly RunOfLoad[]) {
  const offsets = [0];
  for (const { okMs } of runs) offsets.push((offsets.at(-1) ?? 0) + okMs.length);
  return {
    slotsMs: runs.map(({ slotMs }) => slotMs),
    offsets,
    values: Float64Array.from(runs.flatMap(({ okMs }) => okMs)),
    censoredCounts: runs.map(({ failureCount }) => failureCount),
  };
}

function toSide(name: string, all: readonly RunOfLoad[], compared: readonly RunOfLoad[]): BenchmarkSide {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const { mean: value, interval } = meanInterval(compared.map(({ okMs }) => mean(okMs)));
  const failureCount = all.reduce((sum, run) => sum + run.failureCount, 0);
  return {
    endpoint: { id: name, name, label: "measured", place: null },
    runCount: all.length,
    sampleCount: all.reduce((sum, { okMs }) => sum + okMs.length, failureCount),
    failureCount,
    taggedCount: 0,
    meanMs: { value, low: interval?.low ?? null, high: interval?.high ?? null },
  };
}
