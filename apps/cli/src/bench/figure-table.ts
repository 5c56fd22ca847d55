/**
 * Prints a measurement's values as a table: the interval between runs if there are several, otherwise the median of one
 * run.
 */
import { sizeText } from "@stashlight/contracts/sample";
import { type Column, renderTable } from "../table.ts";
import { formatMs } from "../units.ts";
import type { Figures } from "./figures.ts";

const right = (title: string): Column => ({ title, isRight: true });
const formatOrDash = (value: number | null): string => (value === null ? "-" : formatMs(value));
const formatRange = (interval: { low: number; high: number } | null): string =>
  interval === null ? "-" : `${formatMs(interval.low)} to ${formatMs(interval.high)}`;

export function renderFigures(figures: readonly Figures[]): string[] {
  const hasSlots = figures.some(({ runs }) => (runs?.runCount ?? 0) > 1);
  const columns = [
    { title: "ENDPOINT" },
    { title: "OPERATION" },
    ...["SIZE", "CONN.", "N", "FAILED", "MEDIAN"].map(right),
    ...(hasSlots ? [] : [right("95 % WITHIN THE RUN")]),
    ...["P95", "MAX"].map(right),
    ...(hasSlots ? ["RUNS", "MEAN OF RUNS", "95 % OF RUNS"].map(right) : []),
  ];
  const rows = figures.map(({ endpoint, operation, sizeBytes, connectionCount, summary, runs }) => {
    const { median, p95 } = summary.percentiles;
    return [
      endpoint,
      operation,
      operation === "TCP_CONNECT" ? "" : sizeText(sizeBytes),
      String(connectionCount),
      String(summary.n),
      String(summary.failureCount),
      formatOrDash(median.value),
      ...(hasSlots ? [] : [formatRange(summary.medianInterval)]),
      p95.hasEnoughSamples ? formatOrDash(p95.value) : `n < ${p95.samplesMin}`,
      formatOrDash(summary.max),
      ...(hasSlots
        ? [String(runs?.runCount ?? 0), formatOrDash(runs?.mean ?? null), formatRange(runs?.interval ?? null)]
        : []),
    ];
  });
  return renderTable(columns, rows);
}
