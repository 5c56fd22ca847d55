/** Describes operation starts in lines below the values. */
import { addStart, collectStarts, summariseStarts } from "@stashlight/benchmark-formats/starts";
import { type BenchmarkStarts, formatLoad, lateStartMsMin } from "@stashlight/contracts/sample";
import { formatMs } from "../units.ts";
import type { Figures } from "./figures.ts";
import type { MeasuredRun } from "./measure.ts";

const formatOrDash = (value: number | null): string => (value === null ? "-" : formatMs(value));

const formatRanks = ({ p50Ms, p99Ms, maxMs }: Pick<BenchmarkStarts, "p50Ms" | "p99Ms" | "maxMs">): string =>
  `p50 ${formatMs(p50Ms)}, p99 ${p99Ms === null ? "n < 299" : formatMs(p99Ms)}, max ${formatMs(maxMs)}`;

/** Describes how late operations started, and their service times; null in a closed loop. */
export function describeDelays({ endpoint, summary, starts, ...load }: Figures): string | null {
  if (starts?.kind !== "due") return null;
  const what = `${endpoint}: ${formatLoad(load.operation, load.sizeBytes, load.connectionCount)}`;
  const { lateCount, service } = starts;
  const late = `${lateCount} of ${summary.n} started ${lateStartMsMin} ms or more late, none was skipped`;
  const ranks = `median ${formatOrDash(service.medianMs)}, p95 ${formatOrDash(service.p95Ms)}, max ${formatOrDash(service.maxMs)}`;
  return `${what}: latencies count from when uploads were due. Starts were late by ${formatRanks(starts)}; ${late}. Service time, from when the request was written: ${ranks}.`;
}

/** Pauses between the requests of an endpoint's runs; null if requests were started at a rate. */
export function describePauses(
  endpoint: string,
  runs: readonly MeasuredRun[],
  askedMs: number,
): string | null {
  const collected = collectStarts();
  for (const run of runs.filter((each) => each.endpoint === endpoint)) {
    for (const sample of run.samples) if (sample.operation !== "TCP_CONNECT") addStart(collected, sample);
  }
  const starts = summariseStarts(collected);
  if (starts?.kind !== "pause") return null;
  return `${endpoint}: actual pauses: ${formatRanks(starts)}; ${askedMs} ms were requested.`;
}
