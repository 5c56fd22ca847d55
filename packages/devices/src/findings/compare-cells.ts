/** Compares groups of hosts, such as providers, in each measured cell. */
import {
  byPlace,
  type ComparedCell,
  type ComparedFigure,
  cellIops,
  type DiskCell,
  type DiskCellResult,
  diskCellKey,
  mainLatency,
} from "@stashlight/contracts/disk";
import {
  compareGroups,
  createRandom,
  type GroupContest,
  type HostRuns,
  median,
  varianceComponents,
} from "@stashlight/stats";
import { formatCount, formatShare, formatSize } from "./format.ts";

/** Fields of a measured cell that a comparison needs. */
export type MeasuredCell = Pick<
  DiskCellResult,
  "cell" | "readsPerSecond" | "writesPerSecond" | "read" | "write" | "perSecond"
>;

export interface MeasuredGroup {
  readonly name: string;
  /** Cells of the runs of each host. */
  readonly hosts: readonly (readonly (readonly MeasuredCell[])[])[];
}

export interface CellComparison {
  readonly cells: readonly ComparedCell[];
  /** Confidence of each test, chosen so that all tests have 95 % together. */
  readonly confidence: number;
}

const CONFIDENCE = 0.95;
/** Largest confidence that compareGroups accepts. */
const CONFIDENCE_MAX = 0.9999;
const TEST_DRAWS = 100;
const SEED = 1;

/**
 * Compares the groups in each cell that at least one of them has. IOPS are the median over hosts of the median over
 * their runs; intervals and verdicts are those of compareGroups (packages/stats), whose unit is the host. Every cell is
 * a separate test, so each needs a higher confidence (Bonferroni).
 */
export function compareCells(groups: readonly MeasuredGroup[]): CellComparison {
  const cells = distinctCells(groups);
  const confidence = Math.min(CONFIDENCE_MAX, 1 - (1 - CONFIDENCE) / Math.max(1, cells.length));
  return {
    confidence,
    cells: cells.map((cell) => compareCell(cell, groups, confidence)),
  };
}

function distinctCells(groups: readonly MeasuredGroup[]): DiskCell[] {
  const all = groups.flatMap(({ hosts }) => hosts.flat(2).map(({ cell }) => cell));
  return [...new Map(all.map((cell) => [diskCellKey(cell), cell])).values()].sort(byPlace);
}

type Hosts = readonly (readonly MeasuredCell[])[];

function compareCell(cell: DiskCell, groups: readonly MeasuredGroup[], confidence: number): ComparedCell {
  const key = diskCellKey(cell);
  const measured = groups.map(
    ({ hosts }): Hosts =>
      hosts
        .map((runs) => runs.flatMap((run) => run.filter((each) => diskCellKey(each.cell) === key)))
        .filter((runs) => runs.length > 0),
  );
  const present = measured.flatMap((hosts, i) => (hosts.length === 0 ? [] : [i]));
  const rates = present.map((i) => (measured[i] as Hosts).map((runs) => runs.map(cellIops)));
  const shown = compareGroups({ groups: rates, random: createRandom(SEED), confidence: CONFIDENCE });
  const tested = compareGroups({
    groups: rates,
    random: createRandom(SEED),
    confidence,
    drawCount: TEST_DRAWS,
  });
  const figures = groups.map((_, i): ComparedFigure | null => {
    const figure = shown.groups[present.indexOf(i)];
    if (figure === undefined) return null;
    const hosts = measured[i] as Hosts;
    const { median: iops, interval, hostCount } = figure;
    const latency = (of: "p50Us" | "p99Us"): number | null => medianOfHosts(hosts, of);
    return {
      iops,
      interval: interval && { low: interval.low, high: interval.high, confidence: interval.confidence },
      p50Us: latency("p50Us"),
      p99Us: latency("p99Us"),
      hostCount,
      runCount: hosts.flat().length,
      spread: varianceShares(hosts),
    };
  });
  const names = present.map((i) => (groups[i] as MeasuredGroup).name);
  const medians = shown.groups.map((figure) => figure.median);
  return {
    cell,
    title: cellTitle(cell),
    figures,
    verdicts: tested.contests.map((contest) => describeContest(contest, names, medians)),
  };
}

function medianOfHosts(hosts: Hosts, of: "p50Us" | "p99Us"): number | null {
  const ofHosts = hosts.flatMap((runs) => {
    const values = runs.flatMap((run) => mainLatency(run)[of] ?? []);
    return values.length === 0 ? [] : median(values);
  });
  return ofHosts.length === 0 ? null : median(ofHosts);
}

/** Formats a cell as "random reads of 4 KiB, queue depth 32". */
export function cellTitle({
  access,
  readShare,
  blockBytes,
  queueDepth,
  syncsWrites,
}: ComparedCell["cell"]): string {
  const size = formatSize(blockBytes);
  if (syncsWrites) {
    const beside = readShare === 0 ? "" : ` beside ${Math.round(readShare * 100)} % reads`;
    return `synced appends of ${size}${beside}, ${queueDepth} ${queueDepth === 1 ? "writer" : "writers"}`;
  }
  const what =
    readShare === 1
      ? "reads"
      : readShare === 0
        ? "writes"
        : `I/O with ${Math.round(readShare * 100)} % reads`;
  return `${access} ${what} of ${size}, queue depth ${queueDepth}`;
}

/**
 * Standard deviations between hosts, between runs and within runs, as shares of the mean; null if too few were
 * measured.
 */
function varianceShares(hosts: Hosts): ComparedFigure["spread"] {
  const seconds: HostRuns[] = hosts.map((runs) => runs.map(({ perSecond }) => [...perSecond.iops]));
  const all = seconds.flat().flatMap((run) => Array.from(run));
  const mean = all.reduce((sum, iops) => sum + iops, 0) / all.length;
  const canTell =
    hosts.length > 1 &&
    seconds.some((runs) => runs.length > 1) &&
    seconds.flat().every((run) => run.length > 1) &&
    mean > 0;
  if (!canTell) return null;
  const { betweenHosts, betweenRuns, withinRuns } = varianceComponents(seconds);
  const varianceShare = ({ variance }: { variance: number }): number => Math.sqrt(variance) / mean;
  return {
    hosts: varianceShare(betweenHosts),
    runs: varianceShare(betweenRuns),
    seconds: varianceShare(withinRuns),
  };
}

function describeContest(
  { a, b, verdict, pValue, confidenceMax }: GroupContest,
  names: readonly string[],
  medians: readonly number[],
): string {
  const [nameA, nameB] = [names[a] as string, names[b] as string];
  const [ofA, ofB] = [medians[a] as number, medians[b] as number];
  switch (verdict) {
    case "a-higher":
      return `${nameA} is faster than ${nameB}, with ${ratio(ofA, ofB)} the IOPS (p ${pValue.toFixed(4)}).`;
    case "b-higher":
      return `${nameB} is faster than ${nameA}, with ${ratio(ofB, ofA)} the IOPS (p ${pValue.toFixed(4)}).`;
    case "undecided":
      return `${nameA} and ${nameB} cannot be distinguished (p ${pValue.toFixed(4)}).`;
    case "too-few-hosts":
      return `Too few hosts to distinguish ${nameA} (${formatCount(ofA)} IOPS) from ${nameB} (${formatCount(ofB)}); they support at most ${formatShare(confidenceMax)}.`;
  }
}

const ratio = (high: number, low: number): string =>
  low === 0 ? "infinitely many times" : `${(high / low).toFixed(2)} times`;
