/** Flags that a reader of a run must know before its figures: pitfalls that the samples reveal. */
import {
  type BenchmarkSample,
  formatLoad,
  formatMeasured,
  latencyMs,
  taggedShareMax,
} from "@stashlight/contracts/sample";
import { computeDrift } from "@stashlight/stats";

export const runFlagNames = [
  "contaminated",
  "drift",
  "delayed-ack",
  "larger-is-faster",
  "reconnected",
  "failures",
  "pause-missed",
  "etag-unchecked",
  "not-stored",
  "clock-off",
  "unsettled",
] as const;
export type RunFlagName = (typeof runFlagNames)[number];

export interface RunFlag {
  readonly name: RunFlagName;
  /** Observation, with its figures. */
  readonly sentence: string;
}

/** Fields of a sample that are kept to judge the run. */
export type JudgedSample = Pick<
  BenchmarkSample,
  | "operation"
  | "sizeBytes"
  | "leg"
  | "outcome"
  | "wireMs"
  | "intendedDelayMs"
  | "isCold"
  | "isTagged"
  | "achievedPauseMs"
  | "connection"
>;

export interface JudgedRun {
  readonly samples: readonly JudgedSample[];
  /** Number of connections of each leg, by leg number. */
  readonly connectionCounts: readonly number[];
  /** Null if the method has no pause. */
  readonly pauseMs: number | null;
  readonly uncheckedEtagCount: number;
  readonly storedFailures: readonly string[];
  readonly clockOffsetMs: number | null;
}

const SAMPLES_MIN = 20;
const CLOCK_OFFSET_MS_MAX = 5000;
/** A delayed acknowledgement comes after 40 ms. */
const ACK_MS = { from: 35, to: 45 } as const;

export function findFlags(run: JudgedRun): RunFlag[] {
  const groups = [...groupSamples(run.samples).values()];
  return [
    contamination(run.samples),
    failures(run.samples),
    reconnections(run.samples),
    ...groups.map((group) => drift(group, run.connectionCounts)),
    ...groups.map(delayedAcks),
    ...largerIsFaster(groups),
    missedPauses(run),
    ...endpointFlags(run),
  ].filter((flag) => flag !== null);
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const operationName = ({ operation, sizeBytes }: JudgedSample): string =>
  formatMeasured(operation, sizeBytes);

function groupSamples(samples: readonly JudgedSample[]): Map<string, JudgedSample[]> {
  const groups = new Map<string, JudgedSample[]>();
  for (const sample of samples) {
    const name = `${sample.leg}/${sample.operation}/${sample.sizeBytes}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [sample]);
    else group.push(sample);
  }
  return groups;
}

function contamination(samples: readonly JudgedSample[]): RunFlag | null {
  const tagged = samples.filter(({ isTagged }) => isTagged).length;
  const share = samples.length === 0 ? 0 : tagged / samples.length;
  if (share <= taggedShareMax) return null;
  return {
    name: "contaminated",
    sentence: `The client itself was disturbed during ${percent(share)} of the samples (${tagged} of ${samples.length}): its figures may be those of this machine.`,
  };
}

function failures(samples: readonly JudgedSample[]): RunFlag | null {
  const failed = samples.filter(({ outcome }) => outcome !== "ok").length;
  if (failed === 0) return null;
  return {
    name: "failures",
    sentence: `${failed} of ${samples.length} operations failed or timed out; their latencies are lower bounds.`,
  };
}

/** Cold samples of requests; each connection is opened before the first one. */
function reconnections(samples: readonly JudgedSample[]): RunFlag | null {
  const requests = samples.filter(({ operation }) => operation !== "TCP_CONNECT");
  const cold = requests.filter(({ isCold }) => isCold).length;
  if (cold === 0) return null;
  return {
    name: "reconnected",
    sentence: `${cold} of ${requests.length} operations had to open a connection, and their figures include that time.`,
  };
}

function drift(group: readonly JudgedSample[], connectionCounts: readonly number[]): RunFlag | null {
  const ok = group.filter(({ outcome }) => outcome === "ok");
  const [first] = ok;
  if (first === undefined || ok.length < SAMPLES_MIN) return null;
  const { rho, isDrifting } = computeDrift(ok.map(latencyMs));
  if (rho === null || !isDrifting) return null;
  const way = rho > 0 ? "slower" : "faster";
  return {
    name: "drift",
    sentence: `${formatLoad(first.operation, first.sizeBytes, connectionCounts[first.leg ?? 0] ?? 1)} became ${way} during the run (rank correlation ${rho.toFixed(2)} with the order).`,
  };
}

/** A peak at 40 ms that is denser than the ranges on either side. */
function delayedAcks(group: readonly JudgedSample[]): RunFlag | null {
  if (group.length < SAMPLES_MIN) return null;
  const within = (from: number, to: number) =>
    group.filter(({ wireMs }) => wireMs >= from && wireMs < to).length;
  const { from, to } = ACK_MS;
  const width = to - from;
  const count = within(from, to);
  const beside = Math.max(within(from - width, from), within(to, to + width));
  if (count < group.length / 10 || count <= 2 * beside) return null;
  return {
    name: "delayed-ack",
    sentence: `${count} of ${group.length} ${operationName(group[0] as JudgedSample)} took 35 to 45 ms: that is how long a delayed acknowledgement waits.`,
  };
}

function medianLatencyMs(group: readonly JudgedSample[]): number {
  const sorted = group.map(latencyMs).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Over the same number of connections a larger object takes longer; otherwise something else is being measured. */
function largerIsFaster(groups: readonly (readonly JudgedSample[])[]): RunFlag[] {
  const judged = groups.filter(
    (group) => group.length >= SAMPLES_MIN && group[0]?.operation !== "TCP_CONNECT",
  );
  const bySize = judged.toSorted((a, b) => (a[0]?.sizeBytes ?? 0) - (b[0]?.sizeBytes ?? 0));
  return bySize.flatMap((larger, place) => {
    const [of] = larger as [JudgedSample];
    const slower = bySize
      .slice(0, place)
      .find(
        (smaller) =>
          smaller[0]?.operation === of.operation &&
          smaller[0].sizeBytes < of.sizeBytes &&
          countConnections(smaller) === countConnections(larger) &&
          medianLatencyMs(smaller) > medianLatencyMs(larger),
      );
    if (slower === undefined) return [];
    const sentence = `${operationName(of)} was faster (median ${medianLatencyMs(larger).toFixed(1)} ms) than ${operationName(slower[0] as JudgedSample)} (${medianLatencyMs(slower).toFixed(1)} ms).`;
    return [{ name: "larger-is-faster" as const, sentence }];
  });
}

function countConnections(group: readonly JudgedSample[]): number {
  return new Set(group.map(({ connection }) => connection)).size;
}

/** A pause that exceeds the requested one by a fifth, or by 2 ms, makes a different load. */
function missedPauses({ samples, pauseMs }: JudgedRun): RunFlag | null {
  if (pauseMs === null) return null;
  const pauses = samples.flatMap(({ achievedPauseMs }) => achievedPauseMs ?? []).sort((a, b) => a - b);
  const median = pauses[pauses.length >> 1];
  if (median === undefined || median <= pauseMs + Math.max(2, pauseMs / 5)) return null;
  return {
    name: "pause-missed",
    sentence: `The pause was ${median.toFixed(2)} ms (median) instead of the requested ${pauseMs} ms.`,
  };
}

function endpointFlags({ uncheckedEtagCount, storedFailures, clockOffsetMs }: JudgedRun): RunFlag[] {
  const flags: RunFlag[] = [];
  if (uncheckedEtagCount > 0) {
    const sentence = `The ETags of ${uncheckedEtagCount} uploads are not MD5s, so they cannot show whether the stored content is correct.`;
    flags.push({ name: "etag-unchecked", sentence });
  }
  if (storedFailures.length > 0) {
    const sentence = `${storedFailures.length} of the uploads checked afterwards were not stored as sent; the first is ${storedFailures[0]}.`;
    flags.push({ name: "not-stored", sentence });
  }
  if (clockOffsetMs !== null && Math.abs(clockOffsetMs) > CLOCK_OFFSET_MS_MAX) {
    const seconds = (clockOffsetMs / 1000).toFixed(0);
    flags.push({ name: "clock-off", sentence: `This machine's clock is ${seconds} s from the endpoint's.` });
  }
  return flags;
}
