/** Drives ranked by how slow their worst window was. */
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";

export interface DeviceTail {
  readonly vault: string;
  readonly node: string;
  readonly device: string;
  readonly modelled: string | null;
  /** The figure of the worst window: its p99 where it holds enough samples, otherwise the slowest sync of the range. */
  readonly seconds: number;
  readonly statistic: "p99" | "slowest";
  /** Samples behind that figure. */
  readonly n: number;
  readonly slowestSeconds: number;
  /** Samples of the whole range. */
  readonly nTotal: number;
}

/** The slowest first. Percentiles of windows are never averaged: the worst window speaks for the drive. */
export function deviceTails(answer: MetricAnswer): DeviceTail[] {
  return answer.series.flatMap((series) => tailOf(series) ?? []).sort((a, b) => b.seconds - a.seconds);
}

function tailOf({ labels, columns }: MetricSeries): DeviceTail | null {
  if (columns.kind !== "histogram" || columns.n.length === 0) return null;
  const nTotal = columns.n.reduce((sum, n) => sum + n, 0);
  const slowestSeconds = columns.max.reduce((most, value) => Math.max(most, value), 0);
  let worst: { seconds: number; n: number } | null = null;
  columns.p99.forEach((seconds, i) => {
    if (seconds !== null && seconds > (worst?.seconds ?? -1)) worst = { seconds, n: columns.n[i] ?? 0 };
  });
  const { device = "–", node = "–", vault = "–", modelled = null } = labels;
  const name = { vault, node, device, modelled, slowestSeconds, nTotal };
  if (worst === null) return { ...name, seconds: slowestSeconds, statistic: "slowest", n: nTotal };
  return { ...name, ...(worst as { seconds: number; n: number }), statistic: "p99" };
}
