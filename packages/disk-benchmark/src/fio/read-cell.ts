import type { DiskCell, DiskCellResult, DiskLatency } from "@stashlight/contracts/disk";
import { samplesNeeded } from "@stashlight/stats";
import { DiskError } from "../disk-error.ts";
import { findSteadyState, STEADY_ROUNDS } from "../steady-state.ts";

export interface FioTexts {
  readonly json: string;
  /** Logs with one line per second: "milliseconds, value, 0 for reads and 1 for writes, block, ...". */
  readonly iops: string;
  readonly latencies: string;
}

interface Times {
  readonly mean: number;
  readonly max: number;
  readonly percentile?: Readonly<Record<string, number>>;
}

interface Side {
  readonly total_ios: number;
  readonly io_bytes: number;
  readonly runtime: number;
  readonly iops: number;
  readonly clat_ns: Times;
  /** Includes the submission; has percentiles if they were requested. */
  readonly lat_ns?: Times;
}

const latencyTimes = ({ lat_ns, clat_ns }: Side): Times =>
  lat_ns?.percentile === undefined ? clat_ns : lat_ns;

/** Reads fio's output. Throws a DiskError if fio reported an error, or lacks the figures of version 3.25 and later. */
export function readFioCell(cell: DiskCell, { json, iops, latencies }: FioTexts): DiskCellResult {
  const { read, write, error } = parseJob(json);
  if (error !== 0) throw new DiskError(`fio ended with the system's error ${error}.`);
  const seconds = Math.max(read.runtime, write.runtime) / 1_000;
  const rates = parsePerSecond(iops);
  const times = parsePerSecond(latencies);
  addLastSecond({ read, write, seconds }, rates, times);
  const total = rates.map((sides) => sides[0] + sides[1]);
  const { roundSeconds } = cell;
  const rounds = roundSeconds === null ? [] : averageRounds(rates, roundSeconds);
  const last = rounds.slice(-STEADY_ROUNDS);
  const settledRate = (side: 0 | 1, all: number): number =>
    last.length === 0 ? all : last.reduce((sum, round) => sum + round[side], 0) / last.length;
  return {
    cell,
    seconds,
    readsPerSecond: settledRate(0, read.iops),
    writesPerSecond: settledRate(1, write.iops),
    read: sideLatency(read),
    write: sideLatency(write),
    steadyState:
      roundSeconds === null ? null : findSteadyState(rounds.map(([reads, writes]) => reads + writes)),
    perSecond: {
      iops: total,
      meanUs: rates.map((sides, second) => {
        const [readNs, writeNs] = times[second] ?? [0, 0];
        return (readNs * sides[0] + writeNs * sides[1]) / Math.max(1, sides[0] + sides[1]) / 1_000;
      }),
    },
    writtenBytes: write.io_bytes,
  };
}

function parseJob(json: string): { read: Side; write: Side; error: number } {
  try {
    // Notes may precede the JSON.
    const told: unknown = JSON.parse(json.slice(Math.max(0, json.indexOf("{"))));
    const [job] = (told as { jobs: { read: Side; write: Side; error: number }[] }).jobs;
    if (job !== undefined && isSide(job.read) && isSide(job.write)) return job;
  } catch {
    // Invalid JSON is reported below, like JSON without the figures.
  }
  throw new DiskError(
    "fio's output lacks figures that version 3.25 and later report; use the built-in reader and writer instead.",
  );
}

const isSide = (side: Partial<Side> | undefined): boolean =>
  side !== undefined &&
  [side.total_ios, side.io_bytes, side.runtime, side.iops, side.clat_ns?.mean].every(Number.isFinite);

type Sides = [read: number, write: number];

/** Parses the values of each second, separately for reads and writes. */
function parsePerSecond(log: string): Sides[] {
  const seconds: Sides[] = [];
  for (const line of log.split("\n")) {
    const [ms = Number.NaN, value = Number.NaN, side] = line.split(",").map(Number);
    if (!Number.isFinite(value) || (side !== 0 && side !== 1)) continue;
    const second = Math.max(0, Math.round(ms / 1_000) - 1);
    while (seconds.length <= second) seconds.push([0, 0]);
    (seconds[second] as Sides)[side] += value;
  }
  return seconds;
}

/** Runtimes are whole milliseconds and may be one or two short. */
const ROUNDING_SECONDS = 0.005;

/** fio writes no line for a second that ends with the run; the totals contain the missing part. */
function addLastSecond(
  { read, write, seconds }: { readonly read: Side; readonly write: Side; readonly seconds: number },
  rates: Sides[],
  times: Sides[],
): void {
  if (rates.length === 0 || rates.length !== Math.floor(seconds + ROUNDING_SECONDS) - 1) return;
  const rest = ([read, write] as const).map((of, side) => {
    const n = of.total_ios;
    const { mean } = latencyTimes(of);
    const sum = (measure: (sides: Sides, second: number) => number): number =>
      rates.reduce((total, sides, second) => total + measure(sides, second), 0);
    const count = Math.max(0, n - sum((sides) => sides[side] ?? 0));
    const ns = Math.max(
      0,
      n * mean - sum((sides, second) => (sides[side] ?? 0) * (times[second]?.[side] ?? 0)),
    );
    return { count, meanNs: count === 0 ? 0 : ns / count };
  });
  times[rates.length] = [rest[0]?.meanNs ?? 0, rest[1]?.meanNs ?? 0];
  rates.push([rest[0]?.count ?? 0, rest[1]?.count ?? 0]);
}

/** Computes the mean rates of whole rounds. */
function averageRounds(rates: readonly Sides[], roundSeconds: number): Sides[] {
  return Array.from({ length: Math.floor(rates.length / roundSeconds) }, (_, round): Sides => {
    const part = rates.slice(round * roundSeconds, (round + 1) * roundSeconds);
    const roundMean = (side: 0 | 1): number => part.reduce((sum, each) => sum + each[side], 0) / roundSeconds;
    return [roundMean(0), roundMean(1)];
  });
}

function sideLatency(side: Side): DiskLatency {
  const n = side.total_ios;
  const times = latencyTimes(side);
  const quantile = (name: string, perMillion: number): number | null => {
    const ns = times.percentile?.[name];
    return ns === undefined || n < samplesNeeded(perMillion) ? null : ns / 1_000;
  };
  return {
    n,
    meanUs: n === 0 ? null : times.mean / 1_000,
    p50Us: quantile("50.000000", 500_000),
    p99Us: quantile("99.000000", 990_000),
    p999Us: quantile("99.900000", 999_000),
    maxUs: n === 0 ? null : times.max / 1_000,
  };
}
