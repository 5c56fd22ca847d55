/** Fullness, time to full and garbage of vaults; every page that shows them uses this. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { type ChartThreshold, formatQuantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import type { LinesSource } from "../../../client/metrics/use-wide-windows.ts";

const live = "stashlight_pod_live_bytes";
const taken = "stashlight_pod_taken_bytes";
const usable = "stashlight_pod_usable_bytes";
const garbage = "stashlight_pod_garbage_bytes";
const visible = "stashlight_pod_visible_bytes";

type Scope = Pick<MetricSelection, "where" | "nodeIds">;

export const spaceSelections = (scope: Scope = {}): MetricSelection[] =>
  ([live, taken, usable, garbage, visible] as const).map((metric) => ({
    ...scope,
    metric,
    groupBy: ["vault"],
    summarise: true,
  }));

/** The pods of one vault together, or those in the query's scope. */
export interface VaultSpace {
  readonly vault: string;
  readonly liveBytes: number;
  /** The bytes that new data can no longer take, and the most that data may take. */
  readonly takenBytes: number;
  readonly usableBytes: number;
  readonly fullness: number;
  /** The end of the newest window of the live bytes. */
  readonly untilMs: number | undefined;
  readonly garbageBytes: number | null;
  /** Bytes on pods divided by those that visible objects need there; null if next to nothing is visible. */
  readonly amplification: number | null;
}

/** With a smaller share of visible objects, the first segments of a vault would look like amplification. */
const VISIBLE_SHARE_MIN = 0.01;

/** The fullest first; vaults that do not report are left out. */
export function readSpace(answers: readonly MetricAnswer[]): VaultSpace[] {
  const seriesOf = (name: MetricName) => answerTo(answers, name)?.series ?? [];
  const lastIn = (name: MetricName, vault: string) =>
    lastValue(seriesOf(name).find(({ labels }) => (labels.vault ?? "") === vault));
  return seriesOf(live)
    .flatMap((series): VaultSpace[] => {
      const vault = series.labels.vault ?? "";
      const [liveBytes, usableBytes] = [lastValue(series), lastIn(usable, vault)];
      const takenBytes = lastIn(taken, vault);
      if (liveBytes === null || takenBytes === null || usableBytes === null || usableBytes <= 0) return [];
      const [garbageBytes, visibleBytes] = [lastIn(garbage, vault), lastIn(visible, vault)];
      const fullness = takenBytes / usableBytes;
      const canCompare =
        garbageBytes !== null && visibleBytes !== null && visibleBytes >= VISIBLE_SHARE_MIN * usableBytes;
      return [
        {
          vault,
          liveBytes,
          usableBytes,
          takenBytes,
          fullness,
          untilMs: series.endMs.at(-1),
          garbageBytes,
          amplification: canCompare ? (liveBytes + garbageBytes) / visibleBytes : null,
        },
      ];
    })
    .sort((a, b) => b.fullness - a.fullness);
}

const lastValue = (series: MetricSeries | undefined): number | null =>
  series?.columns.kind === "gauge" ? (series.columns.last.at(-1) ?? null) : null;

/** The sources of a chart of the pods' space, with `usableThreshold` as its limit. */
export function spaceSources(scope: Scope = {}): LinesSource[] {
  return [
    { ...scope, metric: live, lines: [{ column: "avg", label: "live", tone: "pod", hasBand: true }] },
    {
      ...scope,
      metric: visible,
      lines: [{ column: "avg", label: "visible", tone: "pod", weight: "light" }],
    },
    {
      ...scope,
      metric: garbage,
      lines: [{ column: "avg", label: "garbage", tone: "unknown", weight: "dotted" }],
    },
    { ...scope, metric: usable, lines: [] },
  ];
}

export function usableThreshold(answers: readonly MetricAnswer[]): ChartThreshold[] {
  const usableBytes = lastValue(answerTo(answers, usable)?.series[0]);
  if (usableBytes === null) return [];
  const { value, unit } = formatQuantity("bytes", usableBytes);
  return [{ value: usableBytes, label: `full at ${value} ${unit}`, tone: "bad" }];
}
