import type { MetricName } from "@stashlight/contracts/metrics";
import type {
  MergedWindows,
  MetricAnswer,
  MetricColumns,
  MetricSeries,
} from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { figureSelections, readFigures } from "./vault-summary.ts";

const times = Array.from({ length: 10 }, (_, i) => (i + 1) * 10_000);

const gauge = (values: readonly number[]): MetricColumns => ({
  kind: "gauge",
  min: values,
  max: values,
  avg: values,
  last: values,
});

const series = (columns: MetricColumns, labels: MetricSeries["labels"] = {}): MetricSeries => ({
  labels,
  endMs: times,
  columns,
});

/** A histogram with this p99. */
function summed(
  p99: number,
  labels: MetricSeries["labels"],
  part: Partial<MergedWindows> = {},
): MetricSeries {
  const newest = { fromMs: 30_000, toMs: 100_000, n: 5_000, max: 1, p50: 0.001, p90: 0.002, p99, ...part };
  return { ...series(gauge(times), labels), summary: { whole: newest, newest } };
}

/** Answers in the order asked, empty but for those given. */
const answers = (given: Partial<Record<MetricName, MetricSeries[]>>): MetricAnswer[] =>
  figureSelections.map(({ metric }) => ({
    metric,
    kind: "gauge",
    unit: "count",
    resolution: "raw",
    stepMs: 10_000,
    newestMs: 100_000,
    sourceSeriesCount: 1,
    modelled: [],
    simulatedSeriesCount: 0,
    gaps: [],
    omittedSeriesCount: 0,
    series: given[metric] ?? [],
  }));

const allFigures = (given: Partial<Record<MetricName, MetricSeries[]>>) => {
  const { space, writePath } = readFigures(answers(given));
  return [...space, ...writePath];
};

const figure = (id: string, given: Partial<Record<MetricName, MetricSeries[]>>) =>
  allFigures(given).find((one) => one.id === id);

test("before anything is measured no figure is made up, and nothing is called a problem", () => {
  for (const { value, problem, id } of allFigures({})) {
    expect(problem, id).toBeUndefined();
    if (id !== "fallbacks") expect(value, id).toBeNull();
  }
});

const stash = (used: (i: number) => number, live = used) => ({
  stashlight_stash_used_bytes: [series(gauge(times.map((_, i) => used(i))))],
  stashlight_stash_live_bytes: [series(gauge(times.map((_, i) => live(i))))],
  stashlight_stash_capacity_bytes: [series(gauge(times.map(() => 100)))],
});

test.each([
  ["half full and level", () => 50, "good", "good"],
  ["three quarters full", () => 80, "warning", "good"],
  ["nearly full", () => 95, "bad", "good"],
  ["filling fast", (i: number) => 50 + i, "good", "bad"],
])("a stash that is %s", (_, used, occupancy, full) => {
  const given = stash(used);
  expect(figure("occupancy", given)?.status).toBe(occupancy);
  expect(figure("time-to-full", given)?.status).toBe(full);
  expect(figure("occupancy", given)?.problem !== undefined).toBe(occupancy !== "good");
  expect(figure("time-to-full", given)?.problem !== undefined).toBe(full !== "good");
});

test("a young ring that fills with dead records is not about to be full, because recycling frees them", () => {
  const given = stash(
    (i) => 50 + i,
    () => 10,
  );
  expect(figure("time-to-full", given)).toMatchObject({ value: "not filling", status: "good" });
});

test("a figure is as old as the samples in it, not as the newest that was told of anything", () => {
  const given = {
    stashlight_upload_seconds: [summed(0.12, { path: "direct" }, { toMs: 40_000 })],
    stashlight_durable_margin_shards: [series(gauge(times.map(() => 3)))],
  };
  expect(figure("upload-direct", given)).toMatchObject({ value: 0.12, untilMs: 40_000 });
  expect(figure("margin", given)).toMatchObject({ value: 3, untilMs: times.at(-1) });
});

test("HDD and SSD are two figures", () => {
  const given = {
    stashlight_fsync_seconds: [summed(0.002, { tier: "stash" }), summed(0.03, { tier: "pod" })],
  };
  expect(figure("fsync-ssd", given)?.value).toBe(0.002);
  expect(figure("fsync-hdd", given)?.value).toBe(0.03);
});

test.each([
  [3, "good", false],
  [1, "warning", true],
  [0, "bad", true],
])("a durable margin of %i shards", (shards, status, isProblem) => {
  const margin = figure("margin", {
    stashlight_durable_margin_shards: [series(gauge(times.map(() => shards)))],
  });
  expect(margin?.status).toBe(status);
  expect(margin?.problem !== undefined).toBe(isProblem);
});

test("fallbacks are counted over the range", () => {
  const counter: MetricColumns = { kind: "counter", increase: times.map((_, i) => (i === 4 ? 7 : 0)) };
  const fallbacks = figure("fallbacks", { stashlight_fallbacks_total: [series(counter)] });
  expect(fallbacks).toMatchObject({ value: 7, status: "warning" });
  expect(fallbacks?.problem).toContain("7 small uploads");
});

test.each([
  [1, 1, "good", undefined],
  [0, 1, "bad", "Failed or being opened: a drive of the stash."],
  [0, 0, "bad", "Failed or being opened: a drive of the stash, a drive of a pod."],
])("the least of the stash's drives runs: %i, of the pods': %i", (stashLeast, podLeast, status, problem) => {
  const running = (tier: string, least: number) => series(gauge(times.map(() => least)), { tier });
  const drives = figure("drives", {
    stashlight_drive_running: [running("stash", stashLeast), running("pod", podLeast)],
  });
  expect(drives?.status).toBe(status);
  expect(drives?.problem).toBe(problem);
});
