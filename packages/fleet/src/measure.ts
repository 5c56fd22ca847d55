/** A series of a simulated agent, with its value at a given moment of its vault. */
import type { MetricName } from "@stashlight/telemetry";
import type { ShapeName } from "./shapes.ts";
import type { VaultMoment } from "./vault-moment.ts";

export type SeriesLabels = Readonly<Record<string, string>>;
type Of<Value> = (moment: VaultMoment, atMs: number) => Value;

interface Measure<Kind extends "histogram" | "gauge" | "counter", Value> {
  readonly metric: MetricName<Kind>;
  readonly labels: SeriesLabels;
  readonly at: Of<Value>;
}

export interface Flow {
  readonly shape: ShapeName;
  readonly perSecond: number;
}

export interface Measures {
  readonly histograms: readonly Measure<"histogram", Flow>[];
  readonly gauges: readonly Measure<"gauge", number>[];
  /** Increases per second. */
  readonly counters: readonly Measure<"counter", number>[];
}

export const distribution = (
  metric: MetricName<"histogram">,
  labels: SeriesLabels,
  at: Of<Flow>,
): Measure<"histogram", Flow> => ({ metric, labels, at });

export const level = (
  metric: MetricName<"gauge">,
  labels: SeriesLabels,
  at: Of<number>,
): Measure<"gauge", number> => ({ metric, labels, at });

export const rate = (
  metric: MetricName<"counter">,
  labels: SeriesLabels,
  at: Of<number>,
): Measure<"counter", number> => ({ metric, labels, at });

export const DATA_SHARD_COUNT = 16;
export const SHARD_BYTES = 16_384;
export const GIB = 2 ** 30;
