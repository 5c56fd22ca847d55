/**
 * Exposes all series as Prometheus' protobuf, the only format with native histograms: a stream of
 * `io.prometheus.client.MetricFamily` (github.com/prometheus/client_model, metrics.proto), each preceded by its length.
 *
 * A histogram is sent with its own buckets, which equal those of Prometheus' schema 4, so nothing is lost; and with the
 * classic buckets of the text formats, for scrapers that request protobuf but keep no native histograms.
 */
import type { MetricDefinition } from "@stashlight/contracts/metrics";
import { SCALE, ZERO_THRESHOLD } from "../histogram/buckets.ts";
import type { MetricFamily, Recorder } from "../recorder/recorder.ts";
import { CounterSeries, GaugeSeries, type HistogramSeries, type Labels } from "../recorder/series.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";

// Field numbers in metrics.proto.
const FAMILY = { name: 1, help: 2, type: 3, metric: 4, unit: 5 } as const;
const METRIC = { label: 1, gauge: 2, counter: 3, histogram: 7 } as const;
const LABEL = { name: 1, value: 2 } as const;
const VALUE = 1;
const HISTOGRAM = {
  count: 1,
  sum: 2,
  bucket: 3,
  schema: 5,
  zeroThreshold: 6,
  zeroCount: 7,
  positiveSpan: 12,
  positiveDelta: 13,
} as const;
const BUCKET = { cumulativeCount: 1, upperBound: 2 } as const;
const SPAN = { offset: 1, length: 2 } as const;
const types: Record<MetricDefinition["kind"], number> = { counter: 0, gauge: 1, histogram: 4 };

export function prometheusProtobuf(recorder: Recorder): Uint8Array {
  const stream = new ProtobufWriter();
  for (const family of recorder.families()) {
    const message = familyMessage(family);
    if (message !== null) stream.delimited(message);
  }
  return stream.bytes;
}

/** Returns null for a family without a known value. */
function familyMessage({ metric, definition, series }: MetricFamily): ProtobufWriter | null {
  const known = series.filter((each) => !(each instanceof GaugeSeries) || each.value !== null);
  if (known.length === 0) return null;
  const family = new ProtobufWriter()
    .text(FAMILY.name, metric)
    .text(FAMILY.help, definition.help)
    .uint(FAMILY.type, types[definition.kind]);
  for (const each of known) {
    const message = withLabels(each.labels);
    if (each instanceof CounterSeries) message.message(METRIC.counter, withValue(each.total));
    else if (each instanceof GaugeSeries) message.message(METRIC.gauge, withValue(each.value ?? 0));
    else message.message(METRIC.histogram, histogramMessage(each, definition));
    family.message(FAMILY.metric, message);
  }
  return family;
}

const withValue = (value: number): ProtobufWriter => new ProtobufWriter().double(VALUE, value);

function withLabels(labels: Labels): ProtobufWriter {
  const metric = new ProtobufWriter();
  for (const [name, value] of Object.entries(labels)) {
    metric.message(METRIC.label, new ProtobufWriter().text(LABEL.name, name).text(LABEL.value, value));
  }
  return metric;
}

function histogramMessage(series: HistogramSeries, { octaves }: MetricDefinition): ProtobufWriter {
  const histogram = series.cumulative();
  const message = new ProtobufWriter()
    .uint(HISTOGRAM.count, histogram.count)
    .double(HISTOGRAM.sum, histogram.sum);
  const { lowest, highest } = octaves ?? { lowest: 0, highest: 0 };
  histogram.countsUpToOctaves(lowest, highest).forEach((count, i) => {
    const bucket = new ProtobufWriter()
      .uint(BUCKET.cumulativeCount, count)
      .double(BUCKET.upperBound, 2 ** (lowest + i));
    message.message(HISTOGRAM.bucket, bucket);
  });
  message
    .sint(HISTOGRAM.schema, SCALE)
    .double(HISTOGRAM.zeroThreshold, ZERO_THRESHOLD)
    .uint(HISTOGRAM.zeroCount, histogram.zeroCount);
  const { spans, deltas } = bucketRuns(histogram.content().buckets);
  for (const { offset, length } of spans) {
    message.message(
      HISTOGRAM.positiveSpan,
      new ProtobufWriter().sint(SPAN.offset, offset).uint(SPAN.length, length),
    );
  }
  return deltas.length === 0 ? message : message.packedSints(HISTOGRAM.positiveDelta, deltas);
}

interface Runs {
  /** Consecutive buckets; an offset counts from the end of the previous run, the first one from bucket 0. */
  readonly spans: readonly { readonly offset: number; length: number }[];
  /** Count of each bucket minus the previous bucket's count; the first is the count itself. */
  readonly deltas: readonly number[];
}

/** Prometheus numbers a bucket by its upper bound, which is one more than this index. */
function bucketRuns(buckets: readonly (readonly [index: number, count: number])[]): Runs {
  const spans: { offset: number; length: number }[] = [];
  const deltas: number[] = [];
  let nextIndex = 0;
  let countBefore = 0;
  for (const [ours, count] of buckets) {
    const index = ours + 1;
    const last = spans.at(-1);
    if (last === undefined || index !== nextIndex) spans.push({ offset: index - nextIndex, length: 1 });
    else last.length += 1;
    deltas.push(count - countBefore);
    [nextIndex, countBefore] = [index + 1, count];
  }
  return { spans, deltas };
}
