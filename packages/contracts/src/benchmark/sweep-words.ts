/** What sweeps and restore times say, in sentences: the same on a page, in a report and on the command line. */
import type { BenchmarkEstimate } from "./result.ts";
import type { BenchmarkOperation } from "./sample.ts";
import { formatSize, sizeText } from "./sizes.ts";
import type { BenchmarkSweep, BenchmarkSweepPlace } from "./sweep.ts";
import { taggedShareMax } from "./tagged-share.ts";

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

/** "Random read" for RANDOM_READ; null for what is asked of a store. */
export const formatDriveOperation = (operation: BenchmarkOperation): string | null =>
  driveVerbs[operation] ?? null;

/** " over 4 connections", or " at queue depth 4" on a drive; nothing for one. */
export function formatOver(operation: BenchmarkOperation, connectionCount: number): string {
  if (connectionCount === 1) return "";
  return operation in driveVerbs
    ? ` at queue depth ${connectionCount}`
    : ` over ${connectionCount} connections`;
}

/** The name of an operation as people say it: "Upload" for PUT. */
export const formatOperation = (operation: BenchmarkOperation): string =>
  verbs[operation] ?? driveVerbs[operation] ?? operation;

type Judged = Pick<BenchmarkSweepPlace, "cells" | "series">;

/** For each operation who is fastest at which sizes: neighbouring sizes with one answer are one part of the sentence. */
export function formatFastest(place: Judged): string[] {
  const byOperation = Map.groupBy(
    place.cells,
    ({ operation, connectionCount }) => `${operation} ${connectionCount}`,
  );
  return [...byOperation.values()].flatMap((cells) => {
    const [first] = cells;
    const parts = partsOf(cells.toSorted((a, b) => a.sizeBytes - b.sizeBytes));
    if (first === undefined || parts.length === 0) return [];
    const over = formatOver(first.operation, first.connectionCount);
    return [
      `${formatOperation(first.operation)}${over}: ${parts.map((part) => formatPart(part, place)).join("; ")}.`,
    ];
  });
}

interface Part {
  readonly answer: string | number;
  readonly fromBytes: number;
  toBytes: number;
}

function partsOf(cells: BenchmarkSweepPlace["cells"]): Part[] {
  const parts: Part[] = [];
  for (const { fastest, because, sizeBytes } of cells) {
    if (because === "alone") continue;
    const answer = fastest ?? because ?? "test";
    const last = parts.at(-1);
    if (last?.answer === answer) last.toBytes = sizeBytes;
    else parts.push({ answer, fromBytes: sizeBytes, toBytes: sizeBytes });
  }
  return parts;
}

function formatPart({ answer, fromBytes, toBytes }: Part, { series }: Judged): string {
  const sizes =
    fromBytes === toBytes
      ? `at ${formatSize(fromBytes)}`
      : `from ${formatSize(fromBytes)} to ${formatSize(toBytes)}`;
  if (answer === "test") return `not distinguishable ${sizes}`;
  if (answer === "minimum") return `too little difference to matter ${sizes}`;
  return `${series[Number(answer)]?.endpoint.name ?? "a deleted endpoint"} is fastest ${sizes}`;
}

/** What the marks of a place rest on, and what is needed for more. */
export function formatBasis(
  { basis, slotCount, excludedSlotCount }: BenchmarkSweepPlace,
  { comparisonCount, slotCountMin }: Pick<BenchmarkSweep, "comparisonCount" | "slotCountMin">,
): string {
  const tests = `${comparisonCount} ${comparisonCount === 1 ? "comparison" : "comparisons, corrected together by Holm's method"}`;
  const excluded =
    excludedSlotCount === 0
      ? ""
      : ` ${excludedSlotCount} with a contaminated run ${excludedSlotCount === 1 ? "is" : "are"} left out.`;
  if (basis === "none") return "No slot has figures of two endpoints yet, so nothing is compared.";
  if (basis === "slots") {
    return `“Fastest” rests on the medians of ${slotCount} common slots in pairs (${tests}).${excluded}`;
  }
  return `“Fastest” rests on the samples of the newest common slot (${tests}), so it holds for that hour and not for a day. A verdict over time needs ${slotCountMin} common slots, and there ${slotCount === 1 ? "is" : "are"} ${slotCount}.${excluded}`;
}

/** Names the contaminated runs that were compared; null without one. */
export function formatContaminatedRuns({
  contaminatedRuns,
}: Pick<BenchmarkSweepPlace, "contaminatedRuns">): string | null {
  if (contaminatedRuns.length === 0) return null;
  const runs = contaminatedRuns.map(
    ({ endpointName, taggedShare }) => `${endpointName} (${(100 * taggedShare).toFixed(0)} %)`,
  );
  return `Contaminated runs are among those compared, because too few others remain: ${runs.join(", ")} of the samples fell into a disturbance of the measuring computer, which is more than ${100 * taggedShareMax} %. Do not rely on small differences.`;
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

/** For example: "B2: 10 GB as 100 objects of 100 MB: 17 min (15 min to 20 min), one after the other, …". */
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
  const range =
    seconds.low === null || seconds.high === null
      ? "too few downloads for an interval"
      : `${formatSeconds(seconds.low)} to ${formatSeconds(seconds.high)}`;
  const way = connectionCount === 1 ? "one after the other" : `over ${connectionCount} connections`;
  const measured =
    measuredConnectionCount === 1 ? "one connection" : `${measuredConnectionCount} connections`;
  const source = `from ${sampleCount} downloads over ${measured}`;
  const failures = failureCount === 0 ? "" : `, beside ${failureCount} that failed`;
  const warning = answer.isExtrapolated ? "; extrapolated" : "";
  return `${endpointName}: ${what}: ${formatSeconds(seconds.value)} (${range}), ${way}, ${mbPerSecond.value.toFixed(1)} MB/s; ${source}${failures}${warning}.`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${Number(seconds.toPrecision(3))} s`;
  const minutes = seconds / 60;
  return minutes < 120
    ? `${Number(minutes.toPrecision(3))} min`
    : `${Number((minutes / 60).toPrecision(3))} h`;
}
