/**
 * Measurements of a process: series of the catalogue's metrics, created once with their labels and then recorded
 * through handles without a lookup.
 *
 * There are two independent readers: `takeWindow` returns the values since its last call, for batches; `families`
 * returns totals since the process began, for Prometheus.
 */
import assert from "node:assert/strict";
import {
  type MetricDefinition,
  type MetricKind,
  type MetricLabels,
  type MetricName,
  metricCatalogue,
} from "@stashlight/contracts/metrics";
import type { ExponentialHistogram } from "../histogram/histogram.ts";
import {
  type CounterHandle,
  CounterSeries,
  type GaugeHandle,
  GaugeSeries,
  type HistogramHandle,
  HistogramSeries,
  type Labels,
} from "./series.ts";

type Series = CounterSeries | GaugeSeries | HistogramSeries;
type SeriesByMetric = ReadonlyMap<MetricName, ReadonlyMap<string, Series>>;

export interface RecorderOptions {
  /** Wall clock in milliseconds; it dates windows. */
  readonly nowMs: () => number;
}

/** Values recorded between two moments. Histograms without values are left out, as are unknown gauges. */
export interface RecordedWindow {
  readonly startMs: number;
  readonly endMs: number;
  readonly histograms: readonly {
    readonly metric: MetricName<"histogram">;
    readonly labels: Labels;
    readonly histogram: ExponentialHistogram;
  }[];
  readonly counters: readonly {
    readonly metric: MetricName<"counter">;
    readonly labels: Labels;
    readonly total: number;
    readonly increase: number;
  }[];
  readonly gauges: readonly {
    readonly metric: MetricName<"gauge">;
    readonly labels: Labels;
    readonly value: number;
  }[];
}

export interface MetricFamily {
  readonly metric: MetricName;
  readonly definition: MetricDefinition;
  readonly series: readonly Series[];
}

export interface Recorder {
  counter<Name extends MetricName<"counter">>(metric: Name, labels: MetricLabels<Name>): CounterHandle;
  gauge<Name extends MetricName<"gauge">>(metric: Name, labels: MetricLabels<Name>): GaugeHandle;
  histogram<Name extends MetricName<"histogram">>(metric: Name, labels: MetricLabels<Name>): HistogramHandle;
  /** Called before each reading, to set values that are sampled rather than recorded. */
  onRead(refresh: () => void): void;
  takeWindow(): RecordedWindow;
  /** Metrics that have a series, in the catalogue's order. */
  families(): MetricFamily[];
}

/** Reaching this limit is a bug, such as a label with values from clients' input. */
const SERIES_PER_METRIC_MAX = 5000;

const makers: Record<MetricKind, (labels: Labels) => Series> = {
  counter: (labels) => new CounterSeries(labels),
  gauge: (labels) => new GaugeSeries(labels),
  histogram: (labels) => new HistogramSeries(labels),
};

const catalogue: ReadonlyMap<string, MetricDefinition> = new Map(Object.entries(metricCatalogue));

export function createRecorder(options: RecorderOptions): Recorder {
  const series = new Map<MetricName, Map<string, Series>>();
  const refreshers: (() => void)[] = [];
  let windowStartMs = options.nowMs();

  const createSeries = (kind: MetricKind, metric: MetricName, given: object): Series => {
    const definition = catalogue.get(metric);
    assert(definition?.kind === kind, `The catalogue has no ${kind} named ${metric}.`);
    const labels = orderedLabels(metric, definition, given);
    const ofMetric = series.get(metric) ?? new Map<string, Series>();
    series.set(metric, ofMetric);
    const key = JSON.stringify(labels);
    const known = ofMetric.get(key);
    if (known) return known;
    assert(
      ofMetric.size < SERIES_PER_METRIC_MAX,
      `${metric} has more than ${SERIES_PER_METRIC_MAX} series; a label must not take values without limit.`,
    );
    const made = makers[kind](labels);
    ofMetric.set(key, made);
    return made;
  };

  const read = (): void => {
    for (const refresh of refreshers) refresh();
    for (const [metric, ofMetric] of [...series]) {
      const refusedCount = [...ofMetric.values()].reduce((sum, each) => sum + each.refusedCount, 0);
      if (refusedCount === 0) continue;
      const refused = createSeries("counter", "stashlight_agent_refused_values_total", {
        metric,
      }) as CounterSeries;
      refused.follow(refusedCount);
    }
  };

  return {
    counter: (metric, labels) => createSeries("counter", metric, labels) as CounterSeries,
    gauge: (metric, labels) => createSeries("gauge", metric, labels) as GaugeSeries,
    histogram: (metric, labels) => createSeries("histogram", metric, labels) as HistogramSeries,
    onRead: (refresh) => void refreshers.push(refresh),
    takeWindow: () => {
      read();
      const startMs = windowStartMs;
      windowStartMs = options.nowMs();
      return { startMs, endMs: windowStartMs, ...takeValues(series) };
    },
    families: () => {
      read();
      return (Object.keys(metricCatalogue) as MetricName[]).flatMap((metric) => {
        const ofMetric = series.get(metric);
        if (!ofMetric) return [];
        return [{ metric, definition: metricCatalogue[metric], series: [...ofMetric.values()] }];
      });
    },
  };
}

/** Takes the values recorded since the last window, and begins the next one. */
function takeValues(series: SeriesByMetric): Omit<RecordedWindow, "startMs" | "endMs"> {
  return {
    histograms: seriesOfKind(series, HistogramSeries).flatMap(({ metric, series: each }) => {
      const histogram = each.takeWindow();
      if (histogram.count === 0) return [];
      return [{ metric: metric as MetricName<"histogram">, labels: each.labels, histogram }];
    }),
    counters: seriesOfKind(series, CounterSeries).map(({ metric, series: each }) => ({
      metric: metric as MetricName<"counter">,
      labels: each.labels,
      total: each.total,
      increase: each.takeIncrease(),
    })),
    gauges: seriesOfKind(series, GaugeSeries).flatMap(({ metric, series: each }) => {
      if (each.value === null) return [];
      return [{ metric: metric as MetricName<"gauge">, labels: each.labels, value: each.value }];
    }),
  };
}

function seriesOfKind<Kind extends Series>(all: SeriesByMetric, type: new (labels: Labels) => Kind) {
  return [...all].flatMap(([metric, ofMetric]) =>
    [...ofMetric.values()].flatMap((series) => (series instanceof type ? [{ metric, series }] : [])),
  );
}

/** Orders labels as in the catalogue, so that equal sets have equal keys; adds `modelled` only if a model is named. */
function orderedLabels(metric: MetricName, definition: MetricDefinition, given: object): Labels {
  const values = new Map<string, unknown>(Object.entries(given).filter(([, value]) => value !== undefined));
  const optional = definition.isOfDrive && values.has("modelled") ? ["modelled"] : [];
  const expected = [...definition.labels, ...optional];
  const entries = expected.map((label) => [label, values.get(label)] as const);
  assert(
    values.size === expected.length && entries.every(([, value]) => typeof value === "string"),
    `${metric} takes the labels {${expected.join(", ")}} as texts, not {${[...values.keys()].join(", ")}}.`,
  );
  return Object.freeze(Object.fromEntries(entries) as Record<string, string>);
}
