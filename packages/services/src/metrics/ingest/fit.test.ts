import type { MetricName } from "@stashlight/contracts/metrics";
import {
  type DecodedWindow,
  decodeBuckets,
  ExponentialHistogram,
  packHistogram,
} from "@stashlight/telemetry";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { present } from "../../present.ts";
import { fitSeries, fitWindow, type Remark } from "./fit.ts";
import { NodeSeries, nodeBounds, type SeriesBounds } from "./node-series.ts";

const bounds: SeriesBounds = {
  ...nodeBounds,
  labelValueCountMax: 3,
  seriesPerMetricMax: 6,
  seriesPerNodeMax: 12,
};
const plenty = () => ({ left: Number.POSITIVE_INFINITY });
const fallbacks = (reason: string, increase = 1) => ({
  metric: "stashlight_fallbacks_total" as const,
  labels: { reason },
  increase,
  total: increase,
});
const makeHistogram = (values: readonly number[]) => {
  const histogram = new ExponentialHistogram();
  for (const value of values) histogram.record(value);
  return packHistogram(histogram.content());
};
const makeWindow = (parts: Partial<DecodedWindow>): DecodedWindow => ({
  startMs: 0,
  endMs: 10_000,
  histograms: [],
  gauges: [],
  counters: [],
  ...parts,
});

function fitted(
  parts: Partial<DecodedWindow>,
  series = new NodeSeries(bounds),
  room = plenty(),
): { window: DecodedWindow; remarks: readonly Remark[] } {
  const window = makeWindow(parts);
  const fit = fitSeries(series, [...window.histograms, ...window.gauges, ...window.counters], room);
  const { window: kept, remarks } = fitWindow(window, fit);
  expect([...kept.histograms, ...kept.gauges, ...kept.counters].map(({ labels }) => labels)).toEqual(
    fit.names.map(({ labels }) => labels),
  );
  return { window: kept, remarks: [...fit.remarks, ...remarks] };
}

describe("label values beyond the limit are counted under the value other:", () => {
  test("increases of counters are added up", () => {
    const counters = ["a", "b", "c", "d", "e"].map((reason) => fallbacks(reason, 2));
    const { window, remarks } = fitted({ counters });
    expect(window.counters).toEqual([
      ...["a", "b", "c"].map((reason) => fallbacks(reason, 2)),
      fallbacks("other", 4),
    ]);
    expect(remarks).toEqual([{ metric: "stashlight_fallbacks_total", reason: "counted_as_other", count: 2 }]);
  });

  test("histograms are merged sample by sample", () => {
    const samples = [[0.001], [0.002], [0.003], [0.5, 1], [0, 0.25]];
    const histograms = samples.map((values, i) => ({
      metric: "stashlight_shard_ack_seconds" as const,
      labels: { pod: `p${i}` },
      histogram: makeHistogram(values),
    }));
    const { window } = fitted({ histograms });
    expect(window.histograms).toHaveLength(4);
    const { labels, histogram } = present(window.histograms[3]);
    expect(labels).toEqual({ pod: "other" });
    expect(histogram).toEqual(makeHistogram([0.5, 1, 0, 0.25]));
    expect(decodeBuckets(histogram.buckets)).toHaveLength(3);
  });

  test("levels with a meaningful sum are added up, and others are dropped", () => {
    const devices = ["d0", "d1", "d2", "d3", "d4"];
    const gauges = devices.flatMap((device): DecodedWindow["gauges"] => [
      { metric: "stashlight_flush_backlog_bytes" as const, labels: { pod: "p", device }, value: 100 },
      { metric: "stashlight_drive_running" as const, labels: { tier: "pod", device }, value: 1 },
    ]);
    const { window, remarks } = fitted({ gauges });
    const gaugeValue = (wanted: MetricName, device: string) =>
      window.gauges.find(({ metric, labels }) => metric === wanted && labels.device === device)?.value;
    expect(gaugeValue("stashlight_flush_backlog_bytes", "other")).toBe(200);
    expect(gaugeValue("stashlight_drive_running", "other")).toBeUndefined();
    expect(remarks).toEqual([
      { metric: "stashlight_flush_backlog_bytes", reason: "counted_as_other", count: 2 },
      { metric: "stashlight_drive_running", reason: "too_many_values", count: 2 },
    ]);
  });

  test("only the label with too many values is folded, and known series keep their names", () => {
    const series = new NodeSeries(bounds);
    const written = (device: string, modelled?: string) => ({
      metric: "stashlight_shards_written_total" as const,
      labels: { tier: "pod", device, ...(modelled === undefined ? {} : { modelled }) },
      increase: 1,
      total: 1,
    });
    fitted({ counters: ["d0", "d1", "d2"].map((device) => written(device)) }, series);
    const { window } = fitted(
      { counters: [written("d9", "hdd"), written("d1", "hdd"), written("d2")] },
      series,
    );
    expect(window.counters.map(({ labels }) => labels)).toEqual([
      { tier: "pod", device: "other", modelled: "hdd" },
      { tier: "pod", device: "d1", modelled: "hdd" },
      { tier: "pod", device: "d2" },
    ]);
  });

  test("a series sent as other is added to it, and a duplicate is refused", () => {
    const counters = ["a", "b", "c", "d", "other", "other"].map((reason) => fallbacks(reason));
    const { window, remarks } = fitted({ counters });
    expect(window.counters.at(-1)).toEqual(fallbacks("other", 2));
    expect(remarks).toContainEqual({ metric: "stashlight_fallbacks_total", reason: "comes_twice", count: 1 });
  });
});

test("a metric at its limit of series folds every open label of further ones", () => {
  const refusals = (device: string, reason: string) => ({
    metric: "stashlight_refusals_total" as const,
    labels: { tier: "pod", device, reason },
    increase: 1,
    total: 1,
  });
  const counters = ["a", "b", "c"].flatMap((device) =>
    ["x", "y", "z"].map((reason) => refusals(device, reason)),
  );
  const { window } = fitted({ counters });
  expect(window.counters).toHaveLength(7);
  expect(window.counters.at(-1)).toEqual({ ...refusals("other", "other"), increase: 3, total: 3 });
});

test("a full node or store keeps its series and refuses new ones", () => {
  const known = [fallbacks("a"), fallbacks("b")];
  const encoded = { metric: "stashlight_client_connections" as const, labels: {}, value: 1 };
  for (const [limits, room, reason] of [
    [{ ...bounds, seriesPerNodeMax: 2 }, Number.POSITIVE_INFINITY, "too_many_series"],
    [bounds, 2, "store_full"],
  ] as const) {
    const series = new NodeSeries(limits);
    const left = { left: room };
    fitted({ counters: known }, series, left);
    const { window, remarks } = fitted({ counters: known, gauges: [encoded] }, series, left);
    expect(window).toMatchObject({ counters: known, gauges: [] });
    expect(remarks).toEqual([{ metric: "stashlight_client_connections", reason, count: 1 }]);
  }
});

test("sums that overflow are refused instead of stored", () => {
  const counters = ["a", "b", "c", "d", "e"].map((reason) => fallbacks(reason, Number.MAX_VALUE));
  const { window, remarks } = fitted({ counters });
  expect(window.counters.at(-1)).toEqual(fallbacks("other", Number.MAX_VALUE));
  expect(remarks).toContainEqual({
    metric: "stashlight_fallbacks_total",
    reason: "impossible_value",
    count: 1,
  });
});

test("whatever the names, a node's series stay within the limits, and every increase is stored or reported", () => {
  const value = fc.integer({ min: 0, max: 9 }).map(String);
  const counter = fc.oneof(
    value.map((reason) => fallbacks(reason)),
    fc.record({ device: value, reason: value, tier: fc.constantFrom("pod", "stash") }).map((labels) => ({
      metric: "stashlight_refusals_total" as const,
      labels,
      increase: 1,
      total: 1,
    })),
  );
  fc.assert(
    fc.property(fc.array(fc.array(counter, { maxLength: 30 }), { maxLength: 6 }), (windows) => {
      const series = new NodeSeries(bounds);
      for (const counters of windows) {
        const { window, remarks } = fitted({ counters }, series);
        const stored = window.counters.reduce((sum, { increase }) => sum + increase, 0);
        const left = remarks.filter(({ reason }) => reason !== "counted_as_other");
        expect(stored + left.reduce((sum, { count }) => sum + count, 0)).toBe(counters.length);
        expect(series.count).toBeLessThanOrEqual(bounds.seriesPerNodeMax);
      }
    }),
    { numRuns: 300 },
  );
});
