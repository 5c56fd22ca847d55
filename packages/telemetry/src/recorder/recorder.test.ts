import { metricCatalogue } from "@stashlight/contracts/metrics";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordAll, valueArbitrary } from "../testing/value-arbitraries.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { HistogramSeries } from "./series.ts";

const drive = { tier: "stash", device: "ssd-1" } as const;

function recorderAt(startMs: number) {
  const clock = { ms: startMs };
  return { clock, recorder: createRecorder({ nowMs: () => clock.ms }) };
}

const cumulativeOf = (recorder: Recorder) => {
  const [series] = recorder.families().flatMap((family) => family.series);
  if (!(series instanceof HistogramSeries)) throw new Error("There is no histogram.");
  return series.cumulative().content();
};

describe("a window", () => {
  test("holds the values since the previous window, with its start and end", () => {
    const { clock, recorder } = recorderAt(1000);
    const fsync = recorder.histogram("stashlight_fsync_seconds", drive);
    const uploads = recorder.counter("stashlight_uploads_total", { path: "stash", result: "stored" });
    fsync.record(0.002);
    uploads.add();
    clock.ms = 11_000;
    const first = recorder.takeWindow();
    expect(first).toMatchObject({ startMs: 1000, endMs: 11_000 });
    expect(first.histograms.map(({ histogram }) => histogram.content())).toEqual([
      recordAll([0.002]).content(),
    ]);
    expect(first.counters).toMatchObject([{ total: 1, increase: 1 }]);
    uploads.add(4);
    clock.ms = 21_000;
    const second = recorder.takeWindow();
    expect(second).toMatchObject({ startMs: 11_000, endMs: 21_000 });
    expect(second.histograms).toEqual([]);
    expect(second.counters).toMatchObject([{ total: 5, increase: 4 }]);
  });

  test("belongs to the caller: later values do not change it", () => {
    const { recorder } = recorderAt(0);
    const fsync = recorder.histogram("stashlight_fsync_seconds", drive);
    fsync.record(1);
    const [taken] = recorder.takeWindow().histograms;
    fsync.record(2);
    expect(taken?.histogram.count).toBe(1);
  });

  test("all other windows add up to the total, in any order of recording and reading", () => {
    const step = fc.oneof(valueArbitrary, fc.constantFrom("window", "total"));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const { recorder } = recorderAt(0);
        const fsync = recorder.histogram("stashlight_fsync_seconds", drive);
        const merged = recordAll([]);
        const take = () => {
          for (const { histogram } of recorder.takeWindow().histograms) merged.merge(histogram);
        };
        for (const each of steps) {
          if (typeof each === "number") fsync.record(each);
          else if (each === "window") take();
          else recorder.families();
        }
        take();
        const { sum, ...exact } = merged.content();
        const { sum: totalSum, ...totalExact } = cumulativeOf(recorder);
        expect(totalExact).toEqual(exact);
        expect(totalSum).toBeCloseTo(sum, 6);
      }),
    );
  });
});

describe("a series", () => {
  test("is the same for repeated requests of its handle, and different for any other label", () => {
    const { recorder } = recorderAt(0);
    const one = recorder.histogram("stashlight_fsync_seconds", { tier: "pod", device: "a" });
    expect(recorder.histogram("stashlight_fsync_seconds", { device: "a", tier: "pod" })).toBe(one);
    expect(
      recorder.histogram("stashlight_fsync_seconds", { tier: "pod", device: "a", modelled: undefined }),
    ).toBe(one);
    const modelled = { tier: "pod", device: "a", modelled: "exos-x16" } as const;
    expect(recorder.histogram("stashlight_fsync_seconds", modelled)).not.toBe(one);
    expect(recorder.histogram("stashlight_fsync_seconds", { tier: "stash", device: "a" })).not.toBe(one);
  });

  test.each([
    ["a missing label", { tier: "pod" }, /takes the labels \{tier, device\}.*not \{tier\}/],
    ["an extra label", { tier: "pod", device: "a", rack: "1" }, /not \{tier, device, rack\}/],
    ["a label that is not text", { tier: "pod", device: 7 }, /as texts/],
  ])("with %s is refused", (_, labels, message) => {
    const { recorder } = recorderAt(0);
    expect(() => recorder.histogram("stashlight_fsync_seconds", labels as never)).toThrow(message);
  });

  test("has its labels in each window, and in the families for Prometheus", () => {
    const { recorder } = recorderAt(0);
    const counted = { reason: "stash-full" } as const;
    const level = { filesystem: "/" } as const;
    recorder.histogram("stashlight_fsync_seconds", drive).record(1);
    recorder.counter("stashlight_fallbacks_total", counted).add(2);
    recorder.gauge("stashlight_filesystem_used_bytes", level).set(3);
    const { histograms, counters, gauges } = recorder.takeWindow();
    const labels = [...histograms, ...counters, ...gauges].map((each) => each.labels);
    expect(labels).toEqual([drive, counted, level]);
    const families = recorder.families().flatMap(({ series }) => series.map((each) => each.labels));
    expect(families).toHaveLength(3);
    expect(families).toEqual(expect.arrayContaining([drive, counted, level]));
  });

  test("of a metric outside the catalogue, or of another kind, is refused", () => {
    const { recorder } = recorderAt(0);
    expect(() => recorder.counter("stashlight_nothing_total" as never, {} as never)).toThrow(
      /no counter named/,
    );
    expect(() => recorder.gauge("stashlight_uploads_total" as never, {} as never)).toThrow(/no gauge named/);
  });

  test("beyond the limit of its metric is refused with an error", () => {
    const { recorder } = recorderAt(0);
    const makeMany = () => {
      for (let i = 0; i < 6000; i += 1) recorder.counter("stashlight_fallbacks_total", { reason: `${i}` });
    };
    expect(makeMany).toThrow(/more than 5000 series/);
  });
});

describe("a counter", () => {
  test("that follows an external count continues when that count restarts", () => {
    const { recorder } = recorderAt(0);
    const sent = recorder.counter("stashlight_transport_sent_bytes_total", {});
    for (const total of [10, 25, 25, 5, 8]) sent.follow(total);
    expect(recorder.takeWindow().counters).toMatchObject([{ total: 33, increase: 33 }]);
  });

  test("never falls: an impossible amount is refused", () => {
    const { recorder } = recorderAt(0);
    const sent = recorder.counter("stashlight_transport_sent_bytes_total", {});
    sent.add(7);
    for (const amount of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      sent.add(amount);
      sent.follow(amount);
    }
    expect(recorder.takeWindow().counters[0]).toMatchObject({ total: 7 });
  });
});

test("a gauge that was never set, or is no longer known, is omitted rather than zero", () => {
  const { recorder } = recorderAt(0);
  const margin = recorder.gauge("stashlight_durable_margin_shards", {});
  expect(recorder.takeWindow().gauges).toEqual([]);
  margin.set(3);
  expect(recorder.takeWindow().gauges).toMatchObject([{ value: 3 }]);
  margin.set(null);
  expect(recorder.takeWindow().gauges).toEqual([]);
});

test("sampled values are collected before each reading", () => {
  const { recorder } = recorderAt(0);
  let connectionCount = 0;
  const connections = recorder.gauge("stashlight_client_connections", {});
  recorder.onRead(() => {
    connectionCount += 1;
    connections.set(connectionCount);
  });
  expect(recorder.takeWindow().gauges).toMatchObject([{ value: 1 }]);
  recorder.families();
  expect(recorder.takeWindow().gauges).toMatchObject([{ value: 3 }]);
});

test("refused values are counted by metric", () => {
  const { recorder } = recorderAt(0);
  recorder.histogram("stashlight_fsync_seconds", drive).record(-1);
  recorder.takeWindow();
  recorder.histogram("stashlight_fsync_seconds", { ...drive, device: "ssd-2" }).record(Number.NaN);
  recorder.gauge("stashlight_durable_margin_shards", {}).set(Number.NaN);
  const refused = recorder.takeWindow().counters.map(({ labels, total }) => [labels.metric, total]);
  expect(refused).toEqual([
    ["stashlight_fsync_seconds", 2],
    ["stashlight_durable_margin_shards", 1],
  ]);
});

test("families are listed in the catalogue's order, not in that of their creation", () => {
  const { recorder } = recorderAt(0);
  recorder.counter("stashlight_agent_cpu_seconds_total", {}).add(1);
  recorder.gauge("stashlight_client_connections", {}).set(1);
  recorder.histogram("stashlight_encode_seconds", {}).record(1);
  const names = recorder.families().map(({ metric }) => metric);
  expect(names).toEqual(Object.keys(metricCatalogue).filter((name) => (names as string[]).includes(name)));
  expect(names).toHaveLength(3);
});
