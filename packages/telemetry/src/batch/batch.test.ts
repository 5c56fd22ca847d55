import { StashlightError } from "@stashlight/contracts/errors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Gap } from "../gap.ts";
import { packHistogram } from "../histogram/packed.ts";
import { createRecorder, type RecordedWindow } from "../recorder/recorder.ts";
import { recordAll, samplesArbitrary } from "../testing/value-arbitraries.ts";
import { type Batch, type DecodedBatch, decodeBatch, encodeBatch } from "./batch.ts";

const name = { nodeId: "pod-1", bootId: 1_763_700_000_001, sequence: 7, gaps: [] };
const drive = { tier: "stash", device: "s3" } as const;
const nothing: RecordedWindow = { startMs: 10_000, endMs: 20_000, histograms: [], counters: [], gauges: [] };

/** Returns the expected result of decoding the batch. */
const received = ({ window, ...rest }: Batch): DecodedBatch => ({
  ...rest,
  window: {
    ...window,
    histograms: window.histograms.map(({ histogram, ...series }) => ({
      ...series,
      histogram: packHistogram(histogram.content()),
    })),
  },
});

test("a recorder's window is decoded unchanged", () => {
  let nowMs = 10_000;
  const recorder = createRecorder({ nowMs: () => nowMs });
  recorder.histogram("stashlight_fsync_seconds", drive).record(0.0021);
  recorder.histogram("stashlight_fsync_seconds", { ...drive, modelled: "micron" }).record(0.0001);
  recorder.counter("stashlight_fsync_errors_total", drive).add(2);
  recorder.gauge("stashlight_client_connections", {}).set(16);
  nowMs = 20_000;
  const gaps = [{ startMs: 1000, endMs: 9000, reason: "spool_full" }] as const;
  const batch = { ...name, gaps, window: recorder.takeWindow() };
  const { batch: decoded, refusals } = decodeBatch(encodeBatch(batch));
  expect(decoded).toEqual(received(batch));
  expect(refusals).toEqual([]);
});

test("an empty window takes the few bytes that the format prescribes", () => {
  const bytes = encodeBatch({ nodeId: "a", bootId: 2, sequence: 3, window: nothing, gaps: [] });
  // Version, one text "a", the node as an index, boot, sequence, 10,000 and 20,000 as varints, no series, no gap.
  expect(Buffer.from(bytes).toString("hex")).toBe(
    "01 01 01 61 00 02 03 904e a09c01 00 00 00 00".replaceAll(" ", ""),
  );
});

test("values of any size are decoded unchanged", () => {
  fc.assert(
    fc.property(samplesArbitrary, fc.double({ min: 0, max: 1e300, noNaN: true }), (samples, total) => {
      const window: RecordedWindow = {
        ...nothing,
        histograms: [{ metric: "stashlight_encode_seconds", labels: {}, histogram: recordAll(samples) }],
        counters: [{ metric: "stashlight_fsync_errors_total", labels: drive, total, increase: total }],
        gauges: [{ metric: "stashlight_client_connections", labels: {}, value: -total }],
      };
      const { batch, refusals } = decodeBatch(encodeBatch({ ...name, window }));
      expect(batch).toEqual(received({ ...name, window }));
      expect(refusals).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

const connections = { metric: "stashlight_client_connections", labels: {}, value: 1 } as const;

describe("a series that is not allowed is refused with its reason, and the others are kept:", () => {
  type Wrong = { readonly [Part in "histograms" | "counters" | "gauges"]?: readonly object[] };
  const errors = { metric: "stashlight_fsync_errors_total", labels: drive };
  const cases: [string, Wrong, string][] = [
    ["a metric that is unknown", { gauges: [{ metric: "cpu", labels: {}, value: 1 }] }, "unknown_metric"],
    ["a counter sent as a gauge", { gauges: [{ ...errors, value: 1 }] }, "wrong_kind"],
    ["an extra label", { gauges: [{ ...connections, labels: { host: "a" } }] }, "wrong_labels"],
    [
      "a label too few",
      { counters: [{ ...errors, labels: { tier: "pod" }, total: 1, increase: 1 }] },
      "wrong_labels",
    ],
    [
      "a value that its label does not allow",
      { counters: [{ ...errors, labels: { tier: "tape", device: "s3" }, total: 1, increase: 1 }] },
      "wrong_labels",
    ],
    [
      "a label value without end",
      { counters: [{ ...errors, labels: { ...drive, device: "d".repeat(201) }, total: 1, increase: 1 }] },
      "wrong_labels",
    ],
    [
      "a label value that no database keeps",
      { counters: [{ ...errors, labels: { ...drive, device: "s\0" }, total: 1, increase: 1 }] },
      "wrong_labels",
    ],
    [
      "a model for a metric that is not of a drive",
      { gauges: [{ ...connections, labels: { modelled: "x" } }] },
      "wrong_labels",
    ],
    [
      "a counter with a negative increase",
      { counters: [{ ...errors, total: 5, increase: -1 }] },
      "impossible_value",
    ],
    [
      "a counter whose increase exceeds its total",
      { counters: [{ ...errors, total: 1, increase: 2 }] },
      "impossible_value",
    ],
    ["an infinite counter", { counters: [{ ...errors, total: Infinity, increase: 0 }] }, "impossible_value"],
    ["a level that is not a number", { gauges: [{ ...connections, value: Number.NaN }] }, "impossible_value"],
    [
      "a histogram without samples",
      { histograms: [{ metric: "stashlight_encode_seconds", labels: {}, histogram: recordAll([]) }] },
      "impossible_value",
    ],
  ];
  test.each(cases)("%s", (_, wrong, reason) => {
    const gauges = [...(wrong.gauges ?? []), connections];
    const window = { ...nothing, ...wrong, gauges } as unknown as RecordedWindow;
    const { batch, refusals } = decodeBatch(encodeBatch({ ...name, window }));
    expect(batch.window).toEqual({ ...nothing, gauges: [connections] });
    expect(refusals).toEqual([{ metric: expect.any(String), reason }]);
  });

  test("a series with a negative latency, which only a broken encoder writes, is refused", () => {
    const window = {
      ...nothing,
      histograms: [{ metric: "stashlight_encode_seconds", labels: {}, histogram: recordAll([0.5]) }] as const,
      gauges: [connections],
    };
    const bytes = encodeBatch({ ...name, window });
    // The minimum is the second of the three doubles after the scale and the zero count.
    const at = Buffer.from(bytes).indexOf(Buffer.from([0, 0, 0, 0, 0, 0, 0xe0, 0x3f])) + 8;
    new DataView(bytes.buffer).setFloat64(at, -0.5, true);
    const { batch, refusals } = decodeBatch(bytes);
    expect(batch.window).toEqual({ ...nothing, gauges: [connections] });
    expect(refusals).toEqual([{ metric: "stashlight_encode_seconds", reason: "impossible_value" }]);
  });
});

describe("bytes that are not a batch are refused with the fault:", () => {
  const whole = encodeBatch({ ...name, window: { ...nothing, gauges: [connections] } });
  const withGap = (changes: object): Uint8Array =>
    encodeBatch({
      ...name,
      window: nothing,
      gaps: [{ startMs: 1, endMs: 2, reason: "too_old", ...changes } as Gap],
    });
  const announcing = (texts: number[]) => Uint8Array.from([1, ...texts]);
  test.each([
    ["nothing", new Uint8Array(0), "its version is missing"],
    ["another version", Uint8Array.from([9]), "its version is 9"],
    ["too many texts", announcing([0xff, 0xff, 0x7f]), "it announces 2097151 texts"],
    ["a text that is not UTF-8", announcing([1, 1, 0xff]), "a text is not UTF-8"],
    ["a text longer than the batch", announcing([1, 100, 65]), "it is cut off"],
    ["a text that is not in the table", announcing([0, 5]), "it has no text 5"],
    ["extra bytes after its end", Uint8Array.from([...whole, 0]), "something follows its end"],
    [
      "a window that ends before it begins",
      encodeBatch({ ...name, window: { ...nothing, endMs: 1 } }),
      "ends before",
    ],
    ["a gap that ends before it begins", withGap({ startMs: 5, endMs: 4 }), "a gap ends before it begins"],
    ["a gap for a reason of its own", withGap({ reason: "rain" }), '"rain" as the reason'],
  ])("%s", (_, bytes, words) => {
    expect(() => decodeBatch(bytes)).toThrow(StashlightError);
    expect(() => decodeBatch(bytes)).toThrow(words);
  });

  test("cut off at any place", () => {
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => decodeBatch(whole.subarray(0, length))).toThrow(StashlightError);
    }
  });

  test("bytes with any one changed are a batch or refused, and cause no other error", () => {
    const place = fc.nat(whole.length - 1);
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Uint8Array.from(whole);
        bytes[at] = (bytes[at] as number) ^ change;
        try {
          const { batch } = decodeBatch(bytes);
          expect(batch.window.gauges.every(({ value }) => Number.isFinite(value))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(StashlightError);
        }
      }),
    );
  });
});
