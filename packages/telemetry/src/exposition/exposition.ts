/**
 * Exposes all series to a scraper as it prefers: as Prometheus text 0.0.4, OpenMetrics 1.0 text or protobuf.
 *
 * In text a histogram is shown as classic buckets at powers of two, which are bounds of its own buckets, so that each
 * count is exact; the catalogue fixes the powers for each metric, since a scraper needs the same ones every time.
 */
import type { MetricDefinition } from "@stashlight/contracts/metrics";
import type { MetricFamily, Recorder } from "../recorder/recorder.ts";
import { CounterSeries, GaugeSeries, type HistogramSeries, type Labels } from "../recorder/series.ts";
import { escapeHelp, labelText, numberText } from "./escape-text.ts";
import { type ExpositionFormat, formatFor, type TextFormat } from "./negotiation.ts";
import { prometheusProtobuf } from "./protobuf.ts";

export type { ExpositionFormat } from "./negotiation.ts";

export interface Exposition {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

const contentTypes: Record<ExpositionFormat, string> = {
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  protobuf: "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited",
};

/** Returns the answer to a scrape, in the format that its Accept header prefers. */
export function exposition(recorder: Recorder, accept?: string): Exposition {
  const format = formatFor(accept);
  const body = format === "protobuf" ? prometheusProtobuf(recorder) : prometheusText(recorder, format);
  return { contentType: contentTypes[format], body };
}

export function prometheusText(recorder: Recorder, format: TextFormat = "prometheus"): string {
  const lines = recorder.families().flatMap((family) => familyLines(family, format));
  if (format === "openmetrics") lines.push("# EOF");
  return lines.map((line) => `${line}\n`).join("");
}

function familyLines({ metric, definition, series }: MetricFamily, format: TextFormat): string[] {
  const samples = series.flatMap((each) => {
    if (each instanceof CounterSeries) return [sampleLine(metric, each.labels, each.total)];
    if (each instanceof GaugeSeries) {
      return each.value === null ? [] : [sampleLine(metric, each.labels, each.value)];
    }
    return histogramLines(metric, definition, each);
  });
  if (samples.length === 0) return [];
  // OpenMetrics names a counter's family without the suffix of its samples.
  const family = format === "openmetrics" ? metric.replace(/_total$/, "") : metric;
  const head = [
    `# HELP ${family} ${escapeHelp(definition.help, format)}`,
    `# TYPE ${family} ${definition.kind}`,
  ];
  if (format === "openmetrics" && family.endsWith(`_${definition.unit}`) && definition.unit !== "info") {
    head.push(`# UNIT ${family} ${definition.unit}`);
  }
  return [...head, ...samples];
}

function histogramLines(metric: string, definition: MetricDefinition, series: HistogramSeries): string[] {
  const { lowest, highest } = definition.octaves ?? { lowest: 0, highest: 0 };
  const histogram = series.cumulative();
  const buckets = histogram.countsUpToOctaves(lowest, highest).map((count, i) => {
    return sampleLine(`${metric}_bucket`, { ...series.labels, le: boundText(2 ** (lowest + i)) }, count);
  });
  return [
    ...buckets,
    sampleLine(`${metric}_bucket`, { ...series.labels, le: "+Inf" }, histogram.count),
    sampleLine(`${metric}_sum`, series.labels, histogram.sum),
    sampleLine(`${metric}_count`, series.labels, histogram.count),
  ];
}

/**
 * Writes whole numbers with a decimal point, as OpenMetrics requires: a scraper would treat "1.0" and "1" as two
 * buckets.
 */
const boundText = (bound: number): string => (Number.isInteger(bound) ? bound.toFixed(1) : numberText(bound));

const sampleLine = (name: string, labels: Labels, value: number): string =>
  `${name}${labelText(labels)} ${numberText(value)}`;
