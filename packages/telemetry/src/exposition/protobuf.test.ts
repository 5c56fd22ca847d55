import fc from "fast-check";
import { expect, test } from "vitest";
import { ZERO_THRESHOLD } from "../histogram/buckets.ts";
import { ExponentialHistogram } from "../histogram/histogram.ts";
import { ProtobufReader } from "../otlp/protobuf-reader.ts";
import { createRecorder } from "../recorder/recorder.ts";
import { valueArbitrary } from "../testing/value-arbitraries.ts";
import { prometheusProtobuf } from "./protobuf.ts";

/** Fields by number, as received; messages as their own fields. */
type Fields = Map<number, unknown[]>;
type Read = (reader: ProtobufReader, wireType: number) => unknown;

function decodeFields(reader: ProtobufReader, reads: Readonly<Record<number, Read>>): Fields {
  const fields: Fields = new Map();
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag();
    const read = reads[number];
    if (read === undefined) throw new Error(`There is no field ${number}.`);
    const values = fields.get(number) ?? [];
    fields.set(number, values);
    values.push(read(reader, wireType));
  }
  return fields;
}

const scalar =
  (kind: "uint" | "sint" | "double" | "string"): Read =>
  (reader, wireType) =>
    reader.scalar(kind, wireType);
const message =
  (reads: Readonly<Record<number, Read>>): Read =>
  (reader, wireType) =>
    decodeFields(reader.message(wireType), reads);
const sints: Read = (reader, wireType) => [...reader.scalars("sint", wireType)];

// metrics.proto of github.com/prometheus/client_model, complete except for fields that are never sent.
const histogram = {
  1: scalar("uint"),
  2: scalar("double"),
  5: scalar("sint"),
  6: scalar("double"),
  7: scalar("uint"),
  3: message({ 1: scalar("uint"), 2: scalar("double") }),
  12: message({ 1: scalar("sint"), 2: scalar("uint") }),
  13: sints,
};
const metric = {
  1: message({ 1: scalar("string"), 2: scalar("string") }),
  2: message({ 1: scalar("double") }),
  3: message({ 1: scalar("double") }),
  7: message(histogram),
};
const family = { 1: scalar("string"), 2: scalar("string"), 3: scalar("uint"), 4: message(metric) };

/** Splits the families, each preceded by its length. */
function familiesOf(bytes: Uint8Array): Fields[] {
  const families: Fields[] = [];
  for (let at = 0; at < bytes.length; ) {
    let [length, scale] = [0, 1];
    for (let more = true; more; scale *= 128) {
      const byte = bytes[at] ?? 0;
      length += (byte % 128) * scale;
      more = byte >= 128;
      at += 1;
    }
    families.push(decodeFields(new ProtobufReader(bytes.subarray(at, at + length)), family));
    at += length;
  }
  return families;
}

const at = (fields: Fields | undefined, ...path: number[]): unknown =>
  path.reduce<unknown>(
    (value, number) => (value instanceof Map ? value.get(number)?.[0] : undefined),
    fields,
  );

/** Expands spans and deltas as Prometheus does: to the count of each of its buckets. */
function decodeBuckets(told: Fields): [number, number][] {
  const deltas = ((told.get(13)?.[0] ?? []) as number[]).values();
  const buckets: [number, number][] = [];
  let [index, count] = [0, 0];
  for (const span of (told.get(12) ?? []) as Fields[]) {
    index += Number(at(span, 1));
    for (let i = 0; i < Number(at(span, 2)); i += 1) {
      count += deltas.next().value ?? Number.NaN;
      buckets.push([index, count]);
      index += 1;
    }
  }
  return buckets;
}

test("each kind of metric has its type, labels and value, and unknown values are omitted", () => {
  const recorder = createRecorder({ nowMs: () => 0 });
  recorder.counter("stashlight_uploads_total", { path: "stash", result: "stored" }).add(3);
  recorder.gauge("stashlight_durable_margin_shards", {}).set(3);
  recorder.gauge("stashlight_client_connections", {});
  // In the order of the catalogue.
  const [gauge, counter, ...rest] = familiesOf(prometheusProtobuf(recorder));
  expect(rest).toEqual([]);
  expect([at(counter, 1), at(counter, 3), at(counter, 4, 3, 1)]).toEqual(["stashlight_uploads_total", 0, 3]);
  expect([at(counter, 4, 1, 1), at(counter, 4, 1, 2)]).toEqual(["path", "stash"]);
  expect([at(gauge, 1), at(gauge, 3), at(gauge, 4, 2, 1)]).toEqual([
    "stashlight_durable_margin_shards",
    1,
    3,
  ]);
});

test("a histogram of any values is sent with all its buckets", () => {
  fc.assert(
    fc.property(fc.array(valueArbitrary, { maxLength: 40 }), (values) => {
      const recorder = createRecorder({ nowMs: () => 0 });
      const series = recorder.histogram("stashlight_fsync_seconds", { tier: "pod", device: "p0" });
      const own = new ExponentialHistogram();
      for (const value of values) {
        series.record(value);
        own.record(value);
      }
      const told = at(familiesOf(prometheusProtobuf(recorder))[0], 4, 7) as Fields;
      const { zeroCount, sum, buckets } = own.content();
      expect([1, 2, 5, 6, 7].map((number) => at(told, number))).toEqual([
        own.count,
        sum,
        4,
        ZERO_THRESHOLD,
        zeroCount,
      ]);
      // Prometheus numbers a bucket by its upper bound.
      expect(decodeBuckets(told)).toEqual(buckets.map(([index, count]) => [index + 1, count]));
    }),
  );
});

test("a histogram includes the classic buckets, for scrapers without native histograms", () => {
  const recorder = createRecorder({ nowMs: () => 0 });
  const series = recorder.histogram("stashlight_fsync_seconds", { tier: "stash", device: "s1" });
  for (const value of [0, 0.001, 0.004, 0.0041, 100]) series.record(value);
  const told = at(familiesOf(prometheusProtobuf(recorder))[0], 4, 7) as Fields;
  const counts = new Map((told.get(3) ?? []).map((each) => [at(each as Fields, 2), at(each as Fields, 1)]));
  expect([2 ** -17, 2 ** -9, 2 ** -8, 2 ** -7, 32].map((bound) => counts.get(bound))).toEqual([
    1, 2, 2, 4, 4,
  ]);
});
