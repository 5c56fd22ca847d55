/**
 * Batch: everything that a node recorded in one window, as self-contained bytes. A batch names its series in full, so
 * that it can be read without earlier ones; texts are in a table, which compresses well.
 *
 *     batch    := version (1)  texts  node  boot  sequence  start  end  histograms  counters  gauges  gaps
 *     texts    := count  (length  UTF-8)*                          every text below is an index in this table
 *     series   := metric (text)  label count  (name (text)  value (text))*
 *     histograms := count  (series  length  histogram)*            encoded by histogram/codec.ts
 *     counters   := count  (series  total (double)  increase (double))*
 *     gauges     := count  (series  value (double))*
 *     gaps       := count  (start  end  reason (text))*
 *
 * Whole numbers are varints; moments are milliseconds since 1970. Node, boot and sequence identify a batch, so a
 * repeated batch is recognised.
 */

import { StashlightError } from "@stashlight/contracts/errors";
import type { MetricKind, MetricName } from "@stashlight/contracts/metrics";
import { GAP_COUNT_MAX, type Gap, isGapReason } from "../gap.ts";
import { encodeHistogram, readPacked } from "../histogram/codec.ts";
import type { PackedHistogram } from "../histogram/packed.ts";
import type { RecordedWindow } from "../recorder/recorder.ts";
import type { Labels } from "../recorder/series.ts";
import { ByteReader, ByteWriter, malformed } from "./bytes.ts";
import { type SeriesMemory, SeriesReader } from "./series-memory.ts";
import type { SeriesRefusal } from "./series-rules.ts";

const VERSION = 1;
const TEXT_COUNT_MAX = 20_000;
const SERIES_COUNT_MAX = 20_000;

export interface BatchName {
  readonly nodeId: string;
  readonly bootId: number;
  /** Counts from 1 in each boot. */
  readonly sequence: number;
}

export interface Batch extends BatchName {
  readonly window: RecordedWindow;
  /** Time ranges of this node whose data is lost for good. */
  readonly gaps: readonly Gap[];
}

/** A window as received, with its histograms still packed. */
export interface DecodedWindow extends Omit<RecordedWindow, "histograms"> {
  readonly histograms: readonly {
    readonly metric: MetricName<"histogram">;
    readonly labels: Labels;
    readonly histogram: PackedHistogram;
  }[];
}

export interface DecodedBatch extends Omit<Batch, "window"> {
  readonly window: DecodedWindow;
}

export type ItemRefusalReason =
  | SeriesRefusal
  | "impossible_value"
  // Reasons for OTLP only, whose requests can express more than native batches.
  | "wrong_temporality"
  | "wrong_unit"
  | "too_coarse"
  | "no_extremes"
  | "comes_twice"
  | "too_many_moments"
  | "too_many_points"
  | TimeRefusal;

/** Reason why no value of a moment is stored. */
export type TimeRefusal = "from_the_future" | "too_old";

/** Dropped series of a batch; the others are kept. */
export interface ItemRefusal {
  readonly metric: string;
  readonly reason: ItemRefusalReason;
  /** Defaults to 1. */
  readonly count?: number;
}

export function encodeBatch({ nodeId, bootId, sequence, window, gaps }: Batch): Uint8Array {
  const writer = new ByteWriter();
  writer.text(nodeId);
  writer.whole(bootId);
  writer.whole(sequence);
  writer.whole(window.startMs);
  writer.whole(window.endMs);
  const writeAll = <Item extends { readonly metric: string; readonly labels: Labels }>(
    items: readonly Item[],
    writeValue: (item: Item) => void,
  ): void => {
    writer.whole(items.length);
    for (const item of items) {
      writeSeries(writer, item);
      writeValue(item);
    }
  };
  writeAll(window.histograms, ({ histogram }) => writer.block(encodeHistogram(histogram)));
  writeAll(window.counters, ({ total, increase }) => {
    writer.double(total);
    writer.double(increase);
  });
  writeAll(window.gauges, ({ value }) => writer.double(value));
  writer.whole(gaps.length);
  for (const { startMs, endMs, reason } of gaps) {
    writer.whole(startMs);
    writer.whole(endMs);
    writer.text(reason);
  }
  const body = writer.withTexts();
  const bytes = new Uint8Array(1 + body.length);
  bytes[0] = VERSION;
  bytes.set(body, 1);
  return bytes;
}

function writeSeries(
  writer: ByteWriter,
  { metric, labels }: { readonly metric: string; readonly labels: Labels },
): void {
  const entries = Object.entries(labels);
  writer.text(metric);
  writer.whole(entries.length);
  for (const [name, value] of entries) {
    writer.text(name);
    writer.text(value);
  }
}

/**
 * Returns the batch without the series that the catalogue does not allow or whose values are impossible, and lists
 * those separately. Throws `invalid_input` for bytes that are not a batch. If there is a `memory`, series are looked up
 * in it.
 */
export function decodeBatch(
  bytes: Uint8Array,
  memory?: SeriesMemory,
): { batch: DecodedBatch; refusals: ItemRefusal[] } {
  if (bytes[0] !== VERSION)
    throw malformed(`its version is ${bytes[0] ?? "missing"}, and only ${VERSION} is known`);
  const content = bytes.subarray(1);
  const reader = new ByteReader(content, TEXT_COUNT_MAX, memory?.table);
  const name = { nodeId: reader.text(), bootId: reader.whole(), sequence: reader.whole() };
  const [startMs, endMs] = [reader.whole(), reader.whole()];
  if (endMs < startMs) throw malformed("its window ends before it begins");
  const series = new SeriesReader(reader, content, memory);
  const refusals: ItemRefusal[] = [];
  const histograms = readItems(reader, series, "histogram", refusals, readHistogram);
  const counters = readItems(reader, series, "counter", refusals, readCounter);
  const gauges = readItems(reader, series, "gauge", refusals, readGauge);
  const gaps = readGaps(reader);
  if (!reader.isAtEnd) throw malformed("something follows its end");
  series.remember();
  return { batch: { ...name, window: { startMs, endMs, histograms, counters, gauges }, gaps }, refusals };
}

function readItems<Kind extends MetricKind, Item>(
  reader: ByteReader,
  series: SeriesReader,
  kind: Kind,
  refusals: ItemRefusal[],
  /** Returns null for an impossible value. */
  readItem: (reader: ByteReader, metric: MetricName<Kind>, labels: Labels) => Item | null,
): Item[] {
  const count = reader.count(`${kind}s`, SERIES_COUNT_MAX);
  const items: Item[] = [];
  for (let at = 0; at < count; at += 1) {
    const { metric, labels, refusal } = series.next(kind);
    const item = readItem(reader, metric as MetricName<Kind>, labels);
    const reason = refusal ?? (item === null ? "impossible_value" : null);
    if (reason !== null) refusals.push({ metric, reason });
    else if (item !== null) items.push(item);
  }
  return items;
}

function readGaps(reader: ByteReader): Gap[] {
  const count = reader.count("gaps", GAP_COUNT_MAX);
  return Array.from({ length: count }, () => {
    const [startMs, endMs, reason] = [reader.whole(), reader.whole(), reader.text()];
    if (endMs < startMs) throw malformed("a gap ends before it begins");
    if (!isGapReason(reason))
      throw malformed(`it gives ${JSON.stringify(reason.slice(0, 40))} as the reason for a gap`);
    return { startMs, endMs, reason };
  });
}

type Item<List extends "histograms" | "counters" | "gauges"> = DecodedWindow[List][number];

function readHistogram(
  reader: ByteReader,
  metric: MetricName<"histogram">,
  labels: Labels,
): Item<"histograms"> | null {
  const bytes = reader.block();
  try {
    const histogram = readPacked(bytes);
    return histogram === null ? null : { metric, labels, histogram };
  } catch (error) {
    if (error instanceof StashlightError) return null;
    throw error;
  }
}

/** A counter never falls, and its increase is at most its total. */
function readCounter(
  reader: ByteReader,
  metric: MetricName<"counter">,
  labels: Labels,
): Item<"counters"> | null {
  const [total, increase] = [reader.double(), reader.double()];
  const isPossible = Number.isFinite(total) && increase >= 0 && total >= increase;
  return isPossible ? { metric, labels, total, increase } : null;
}

function readGauge(reader: ByteReader, metric: MetricName<"gauge">, labels: Labels): Item<"gauges"> | null {
  const value = reader.double();
  return Number.isFinite(value) ? { metric, labels, value } : null;
}
