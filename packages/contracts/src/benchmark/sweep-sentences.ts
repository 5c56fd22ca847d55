/** Describes sweeps and restore times in the sentences of pages, reports and the command line. */

import type { BenchmarkOperation } from "../sample/sample.ts";
import { formatSize, sizeText } from "../sample/sizes.ts";
import { formatSlots } from "./gate.ts";
import type { BenchmarkEstimate } from "./result.ts";
import type { BenchmarkSweep, BenchmarkSweepPlace } from "./sweep.ts";

const verbs: Partial<Record<BenchmarkOperation, string>> = {
  PUT: "Upload",
  GET: "Download",
  DELETE: "Delete",
};

const driveVerbs: Partial<Record<BenchmarkOperation, string>> = {
  READ: "Read",
  WRITE: "Write",
  SYNC: "Synced write",
  RANDOM_READ: "Random read",
  RANDOM_WRITE: "Random write",
  MIXED: "Reads and writes",
};

/** Formats "Random read" for RANDOM_READ; null for operations on a store. */
export const formatDriveOperation = (operation: BenchmarkOperation): string | null =>
  driveVerbs[operation] ?? null;

/** Formats " over 4 connections", or " at queue depth 4" on a drive; empty for one. */
export function formatOver(operation: BenchmarkOperation, connectionCount: number): string {
  if (connectionCount === 1) return "";
  return operation in driveVerbs
    ? ` at queue depth ${connectionCount}`
    : ` over ${connectionCount} connections`;
}

/** Common name of an operation: "Upload" for PUT. */
export const formatOperation = (operation: BenchmarkOperation): string =>
  verbs[operation] ?? driveVerbs[operation] ?? operation;

type Judged = Pick<BenchmarkSweepPlace, "cells" | "series">;

/**
 * Names the fastest endpoint at each size, for each operation: neighbouring sizes with the same answer share a part of
 * the sentence.
 */
export function formatFastest(place: Judged): string[] {
  const byOperation = Map.groupBy(
    place.cells,
    ({ operation, connectionCount }) => `${operation} ${connectionCount}`,
  );
  return [...byOperation.values()].flatMap((cells) => {
    const [first] = cells;
    const parts = groupCells(
      cells.toSorted((a, b) => a.sizeBytes - b.sizeBytes),
      place,
    );
    if (first === undefined || parts.length === 0) return [];
    const over = formatOver(first.operation, first.connectionCount);
    return [`${formatOperation(first.operation)}${over}: ${parts.map(formatPart).join("; ")}.`];
  });
}

interface Part {
  readonly answer: string;
  readonly fromBytes: number;
  toBytes: number;
}

function groupCells(cells: BenchmarkSweepPlace["cells"], place: Judged): Part[] {
  const parts: Part[] = [];
  for (const cell of cells) {
    if (cell.because === "alone") continue;
    const answer = describeFastest(cell, place);
    const last = parts.at(-1);
    if (last?.answer === answer) last.toBytes = cell.sizeBytes;
    else parts.push({ answer, fromBytes: cell.sizeBytes, toBytes: cell.sizeBytes });
  }
  return parts;
}

function describeFastest(
  { fastest, leader, because, slots }: BenchmarkSweepPlace["cells"][number],
  place: Judged,
): string {
  const seriesName = (series: number) => place.series[series]?.endpoint.name ?? "a deleted endpoint";
  if (fastest !== null) return `${seriesName(fastest)} is fastest`;
  if (because === "minimum") return "too little difference to matter";
  if (because === "success") return "success rates differ, so speed is not compared";
  if (because === "correction") return "no fastest endpoint after the correction for all comparisons";
  if (because !== "slots" || slots === null) return "not distinguishable";
  const pair = place.series.length <= 2 ? "" : `${slots.ofSeries.map(seriesName).join(" and ")}: `;
  const state = leader === null ? "not judged yet" : `${seriesName(leader)} leads, not tested`;
  return `${state} (${pair}${formatSlots(slots)})`;
}

const formatPart = ({ answer, fromBytes, toBytes }: Part): string =>
  fromBytes === toBytes
    ? `${answer} at ${formatSize(fromBytes)}`
    : `${answer} from ${formatSize(fromBytes)} to ${formatSize(toBytes)}`;

/** Explains the basis of a place's marks. */
export function formatBasis(
  { cells }: Pick<BenchmarkSweepPlace, "cells">,
  { comparisonCount }: Pick<BenchmarkSweep, "comparisonCount">,
): string {
  if (cells.every(({ slots }) => slots === null)) {
    return "No slot has figures of two endpoints yet, so nothing is compared.";
  }
  if (comparisonCount === 0) return "“Fastest” appears once there are enough undisturbed slots.";
  const tests = `${comparisonCount} ${comparisonCount === 1 ? "comparison" : "comparisons, corrected together by Holm's method"}`;
  return `“Fastest” is based on the undisturbed slots of every pair of endpoints (${tests}), corrected for a look after every slot.`;
}

interface RestoreAsked {
  readonly objectCount: number;
  readonly objectBytes: number;
  readonly connectionCount: number;
}

interface RestoreAnswer {
  readonly endpointName: string;
  readonly sampleCount: number;
  readonly failureCount: number;
  readonly measuredConnectionCount: number;
  readonly seconds: BenchmarkEstimate | null;
  readonly mbPerSecond: BenchmarkEstimate | null;
  readonly isExtrapolated: boolean;
}

/** Formats, for example: "B2: 10 GB as 100 objects of 100 MB: 17 min (15 min to 20 min), one after the other, …". */
export function formatRestore(
  { objectCount, objectBytes, connectionCount }: RestoreAsked,
  answer: RestoreAnswer,
): string {
  const { endpointName, seconds, mbPerSecond, sampleCount, failureCount, measuredConnectionCount } = answer;
  const objects = objectCount === 1 ? "1 object" : `${objectCount.toLocaleString("en-US")} objects`;
  const what = `${sizeText(objectCount * objectBytes)} as ${objects} of ${sizeText(objectBytes)}`;
  if (seconds === null || mbPerSecond === null) {
    return `${endpointName}: ${what}: unknown, because no download of this size succeeded.`;
  }
  const way = connectionCount === 1 ? "one after the other" : `over ${connectionCount} connections`;
  const measured =
    measuredConnectionCount === 1 ? "one connection" : `${measuredConnectionCount} connections`;
  const source = `from ${sampleCount} downloads over ${measured}`;
  const failures = failureCount === 0 ? "" : `, beside ${failureCount} that failed`;
  const warning = answer.isExtrapolated ? "; extrapolated" : "";
  if (connectionCount > measuredConnectionCount) {
    const bound = `${formatSeconds(seconds.value)}, ${way}, at the ${mbPerSecond.value.toFixed(1)} MB/s that were measured over ${measured}`;
    return `${endpointName}: ${what}: ${bound} (a bound without an interval, because ${connectionCount} connections were not measured); ${source}${failures}${warning}.`;
  }
  const missing =
    connectionCount === measuredConnectionCount ? "too few downloads for an interval" : "no interval";
  const range =
    seconds.low === null || seconds.high === null
      ? missing
      : `${formatSeconds(seconds.low)} to ${formatSeconds(seconds.high)}`;
  return `${endpointName}: ${what}: ${formatSeconds(seconds.value)} (${range}), ${way}, ${mbPerSecond.value.toFixed(1)} MB/s; ${source}${failures}${warning}.`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${Number(seconds.toPrecision(3))} s`;
  const minutes = seconds / 60;
  return minutes < 120
    ? `${Number(minutes.toPrecision(3))} min`
    : `${Number((minutes / 60).toPrecision(3))} h`;
}
