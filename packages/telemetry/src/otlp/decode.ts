/**
 * Decodes OTLP metrics to batches. Names and labels are those of the catalogue, in Prometheus form; attributes become
 * labels, and a metric's resource and scope are dropped. Values are stored by window, so counters and histograms must
 * have delta temporality; a total would have to be compared with the previous one, which another ingest may have
 * received. A non-monotonic sum is a gauge.
 *
 * A request has no identity of its own. The receiver derives one from the bytes, so that a repeated request is the same
 * batch.
 */
import {
  type MetricDefinition,
  type MetricKind,
  type MetricName,
  metricCatalogue,
  OTLP_MOMENT_COUNT_MAX,
  OTLP_POINT_COUNT_MAX,
} from "@stashlight/contracts/metrics";
import type { BatchName, DecodedBatch, ItemRefusal, ItemRefusalReason, TimeRefusal } from "../batch/batch.ts";
import { SeriesCheck } from "../batch/series-rules.ts";
import type { PackedHistogram } from "../histogram/packed.ts";
import type { Labels } from "../recorder/series.ts";
import { packExponential } from "./exponential.ts";
import type { Messages } from "./message.ts";
import {
  DELTA,
  NO_RECORDED_VALUE,
  type OtlpAttribute,
  type OtlpEncoding,
  type OtlpExponential,
  type OtlpMetric,
  type OtlpNumber,
  readOtlpMetrics,
} from "./request.ts";

/** Length of a window without a start time. */
const WINDOW_MS = 10_000;
const NS_IN_MS = 1_000_000;

type Series<Kind extends MetricKind> = { readonly metric: MetricName<Kind>; readonly labels: Labels };

interface Window {
  readonly endMs: number;
  /** Null until the first delta has arrived. */
  startMs: number | null;
  readonly names: Set<string>;
  readonly histograms: (Series<"histogram"> & { readonly histogram: PackedHistogram })[];
  readonly counters: (Series<"counter"> & { readonly total: number; readonly increase: number })[];
  readonly gauges: (Series<"gauge"> & { readonly value: number })[];
}

type Point = OtlpNumber & OtlpExponential;

export interface OtlpBatches {
  /** One batch per timestamp in the request. */
  readonly batches: readonly DecodedBatch[];
  readonly refusals: readonly ItemRefusal[];
}

/** Returns null for a time whose values can be stored. */
export type RefusalOfTime = (endMs: number) => TimeRefusal | null;

/** Throws `invalid_input` for bytes that are not a request of OTLP metrics. */
export function decodeOtlpMetrics(
  bytes: Uint8Array,
  encoding: OtlpEncoding,
  name: Omit<BatchName, "sequence">,
  refusalOfTime: RefusalOfTime,
): OtlpBatches {
  const windows: Windows = { byEnd: new Map(), refusalOfTime };
  const refusals: ItemRefusal[] = [];
  let left = OTLP_POINT_COUNT_MAX;
  for (const metric of readOtlpMetrics(bytes, encoding)) {
    const { name: metricName = "" } = metric;
    const { kind, points, reason } = metricShape(metric);
    if (points.length > left) {
      refusals.push({ metric: metricName, reason: "too_many_points", count: points.length - left });
    }
    for (const point of points) {
      if (left === 0) break;
      left -= 1;
      if ((point.flags ?? 0) % 2 === NO_RECORDED_VALUE) continue;
      const refusal = reason ?? take(windows, kind, metricName, point);
      if (refusal !== null) refusals.push({ metric: metricName, reason: refusal });
    }
  }
  const batches = [...windows.byEnd.values()].map(
    ({ startMs, endMs, histograms, counters, gauges }, i): DecodedBatch => ({
      ...name,
      sequence: i + 1,
      window: { startMs: startMs ?? endMs - WINDOW_MS, endMs, histograms, counters, gauges },
      gaps: [],
    }),
  );
  return { batches, refusals };
}

interface Shape {
  readonly kind: MetricKind;
  readonly points: Messages<Point>;
  /** Reason why none of the points can be stored; null if they can. */
  readonly reason: ItemRefusalReason | null;
}

function metricShape(metric: OtlpMetric): Shape {
  const { gauge, sum, exponentialHistogram, histogram, summary } = metric;
  const reason = hasOtherUnit(metric) ? "wrong_unit" : null;
  if (gauge !== undefined) return { kind: "gauge", points: gauge.dataPoints ?? [], reason };
  const data = sum ?? exponentialHistogram;
  if (data === undefined) {
    const points = histogram?.dataPoints ?? summary?.dataPoints ?? [];
    return { kind: "histogram", points, reason: "wrong_kind" };
  }
  const points: Messages<Point> = data.dataPoints ?? [];
  const isDelta = data.aggregationTemporality === DELTA;
  if (sum !== undefined && sum.isMonotonic !== true) {
    // A gauge has levels, so deltas of one are refused.
    return { kind: "gauge", points, reason: isDelta ? "wrong_temporality" : reason };
  }
  const kind = sum === undefined ? "histogram" : "counter";
  return { kind, points, reason: isDelta ? reason : "wrong_temporality" };
}

const catalogue: ReadonlyMap<string, MetricDefinition> = new Map(Object.entries(metricCatalogue));
const otherNames: ReadonlyMap<string, string> = new Map([
  ["seconds", "s"],
  ["bytes", "By"],
]);

/** A unit in braces is a comment, and a missing one defaults to the catalogue's. */
function hasOtherUnit({ name = "", unit = "" }: OtlpMetric): boolean {
  const expected = otherNames.get(catalogue.get(name)?.unit ?? "");
  return expected !== undefined && unit !== "" && unit !== expected && !unit.startsWith("{");
}

interface Windows {
  readonly byEnd: Map<number, Window>;
  readonly refusalOfTime: RefusalOfTime;
}

/** Adds a point to its window, or returns the reason why it cannot. */
function take(
  { byEnd, refusalOfTime }: Windows,
  kind: MetricKind,
  metric: string,
  point: Point,
): ItemRefusalReason | null {
  const series = new SeriesCheck(kind, metric);
  for (const { key = "", value } of point.attributes ?? []) series.label(key, attributeText(value) ?? "");
  const refusal = series.refusal();
  if (refusal !== null) return refusal;
  const endMs = Math.round((point.timeUnixNano ?? 0) / NS_IN_MS);
  const startMs = Math.round((point.startTimeUnixNano ?? 0) / NS_IN_MS);
  if (!(endMs > 0 && startMs <= endMs)) return "impossible_value";
  const known = byEnd.get(endMs);
  const untimely = known === undefined ? refusalOfTime(endMs) : null;
  if (untimely !== null) return untimely;
  if (known === undefined && byEnd.size >= OTLP_MOMENT_COUNT_MAX) return "too_many_moments";
  const window = known ?? emptyWindow(endMs);
  const key = JSON.stringify([metric, Object.entries(series.labels).sort()]);
  if (window.names.has(key)) return "comes_twice";
  const reason = put(window, kind, { metric: metric as never, labels: series.labels }, point);
  if (reason !== null) return reason === "nothing" ? null : reason;
  window.names.add(key);
  byEnd.set(endMs, window);
  if (kind !== "gauge" && startMs > 0) window.startMs = Math.min(window.startMs ?? startMs, startMs);
  return null;
}

function emptyWindow(endMs: number): Window {
  return {
    endMs,
    startMs: null,
    names: new Set(),
    histograms: [],
    counters: [],
    gauges: [],
  };
}

function put(
  window: Window,
  kind: MetricKind,
  series: Series<never>,
  point: Point,
): ItemRefusalReason | "nothing" | null {
  if (kind === "histogram") {
    const histogram = packExponential(point);
    if (histogram === null) return "nothing";
    if (typeof histogram === "string") return histogram;
    window.histograms.push({ ...series, histogram });
    return null;
  }
  const value = point.asDouble ?? point.asInt ?? Number.NaN;
  if (!Number.isFinite(value) || (kind === "counter" && value < 0)) return "impossible_value";
  if (kind === "counter") window.counters.push({ ...series, total: value, increase: value });
  else window.gauges.push({ ...series, value });
  return null;
}

function attributeText(value: OtlpAttribute["value"]): string | undefined {
  const scalar = value?.stringValue ?? value?.boolValue ?? value?.intValue ?? value?.doubleValue;
  return scalar?.toString();
}
