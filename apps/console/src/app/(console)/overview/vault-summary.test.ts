import type { MetricName } from "@stashlight/contracts/metrics";
import type {
  MergedWindows,
  MetricAnswer,
  MetricColumns,
  MetricSeries,
} from "@stashlight/contracts/metrics/query";
import type { Forecast } from "@stashlight/stats/forecast";
import { expect, test } from "vitest";
import type { VaultForecast } from "../../../client/forecasts.ts";
import { gaugeColumns, metricAnswer } from "../../../client/metrics/testing.ts";
import type { VaultState } from "../charts/vault-state.ts";
import { figureSelections, readFigures, readUploadFigures } from "./vault-summary.ts";

const times = Array.from({ length: 10 }, (_, i) => (i + 1) * 10_000);

const series = (columns: MetricColumns, labels: MetricSeries["labels"] = {}): MetricSeries => ({
  labels,
  endMs: times,
  columns,
});

/** A histogram with the given p99. */
function summed(
  p99: number,
  labels: MetricSeries["labels"],
  part: Partial<MergedWindows> = {},
): MetricSeries {
  const newest = { fromMs: 30_000, toMs: 100_000, n: 5_000, max: 1, p50: 0.001, p90: 0.002, p99, ...part };
  return { ...series(gaugeColumns(times), labels), summary: { whole: newest, newest } };
}

/** Answers in the order of the queries; metrics that are not given have no series. */
const answers = (given: Partial<Record<MetricName, MetricSeries[]>>): MetricAnswer[] =>
  figureSelections.map(({ metric }) => metricAnswer(metric, given[metric] ?? [], { newestMs: 100_000 }));

type Given = Partial<Record<MetricName, MetricSeries[]>>;

const allFigures = (given: Given, forecasts: readonly VaultForecast[] = []) => {
  const { space, writePath } = readFigures(answers(given), forecasts, 100_000);
  return [...space, ...writePath];
};

const figure = (id: string, given: Given, forecasts: readonly VaultForecast[] = []) =>
  allFigures(given, forecasts).find((one) => one.id === id);

test("before the first measurement no figure has a value, a share, a verdict or a problem", () => {
  const { space, writePath } = readFigures(
    answers({}).map((answer) => ({ ...answer, newestMs: null })),
    [],
    100_000,
  );
  for (const { value, problem, statistic, status, id } of [...space, ...writePath]) {
    expect(problem, id).toBeUndefined();
    expect(value, id).toBeNull();
    expect(statistic ?? "", id).not.toMatch(/\d/);
    expect([undefined, "unknown"], id).toContain(status);
  }
});

test("uploads without a fallback prove that there was none", () => {
  expect(figure("fallbacks", {})).toMatchObject({ value: 0, status: "good" });
});

const stash = (live: (i: number) => number, garbage = 0) => ({
  stashlight_stash_used_bytes: [series(gaugeColumns(times.map((_, i) => live(i) + garbage)))],
  stashlight_stash_live_bytes: [series(gaugeColumns(times.map((_, i) => live(i))))],
  stashlight_stash_dead_bytes: [series(gaugeColumns(times.map(() => garbage)))],
  stashlight_stash_capacity_bytes: [series(gaugeColumns(times.map(() => 100)))],
});

const stashForecast = (forecast: Forecast): VaultForecast[] => [{ vault: "", store: "stash", forecast }];
const level: Forecast = { kind: "none", reason: { kind: "no-growth", spanMs: 6 * 3_600_000 } };
const soonFull: Forecast = {
  kind: "filling",
  spanMs: 900_000,
  sampleCount: 16,
  fullInMs: { value: 1_500_000, low: 1_200_000, high: 1_800_000 },
  growthPerDay: { value: 100, low: 90, high: 110 },
};

test.each<[string, () => number, Forecast, string, string]>([
  ["half full and level", () => 50, level, "good", "good"],
  ["three quarters full", () => 80, level, "warning", "good"],
  ["nearly full", () => 95, level, "bad", "good"],
  ["filling fast", () => 50, soonFull, "good", "bad"],
])(
  "a stash that is %s has the status and problem of its occupancy and of its time to full",
  (_, used, forecast, occupancy, full) => {
    const given = stash(used);
    const forecasts = stashForecast(forecast);
    expect(figure("occupancy", given, forecasts)?.status).toBe(occupancy);
    expect(figure("time-to-full", given, forecasts)?.status).toBe(full);
    expect(figure("occupancy", given, forecasts)?.problem !== undefined).toBe(occupancy !== "good");
    expect(figure("time-to-full", given, forecasts)?.problem !== undefined).toBe(full !== "good");
  },
);

test("garbage does not count as occupied space, but still closes a stash to uploads", () => {
  expect(
    figure(
      "occupancy",
      stash(() => 0, 11),
    ),
  ).toMatchObject({
    value: 0,
    status: "good",
    statistic: "0 B unpurged, 11 B garbage",
  });
  expect(
    figure(
      "occupancy",
      stash(() => 2, 78),
    ),
  ).toMatchObject({
    value: 0.02,
    status: "warning",
    problem:
      "Uploads cannot use 80 % of the stash: 2 % holds unpurged shards, 78 % garbage. Small uploads wait for HDDs.",
  });
});

test("the forecast of a stash does not depend on the page's range", () => {
  const rising = stash((i) => 10 * i);
  expect(figure("time-to-full", rising, stashForecast(level))).toMatchObject({
    value: "not filling",
    status: "good",
  });
  expect(figure("time-to-full", rising, stashForecast(soonFull))).toMatchObject({
    problem: "The stash will be full in 20 to 30 minutes, from 15 minutes of history.",
  });
});

test("a figure is as old as its own samples, not as the newest sample of any metric", () => {
  const given = {
    stashlight_upload_seconds: [summed(0.12, { path: "direct" }, { toMs: 40_000 })],
    stashlight_durable_margin_shards: [series(gaugeColumns(times.map(() => 3)))],
  };
  expect(figure("upload-direct", given)).toMatchObject({ value: 0.12, untilMs: 40_000 });
  expect(figure("margin", given)).toMatchObject({ value: 3, untilMs: times.at(-1) });
});

test("the nine figures start with rate, errors and duration", () => {
  expect(readFigures(answers({}), [], 0).writePath.map(({ id }) => id)).toEqual([
    ...["upload-rate", "byte-rate", "failures", "upload-stash", "upload-direct"],
    ...["objects", "occupancy", "purge-lag", "margin"],
  ]);
});

test.each([
  ["still waits", 130, "warning", true],
  ["has caught up", 4, "info", false],
])("purge that was late and %s is judged by the oldest shard", (_, oldest, status, hasProblem) => {
  const given = {
    stashlight_purge_lag_seconds: [summed(137, {})],
    stashlight_stash_oldest_unpurged_seconds: [series(gaugeColumns(times.map(() => oldest)))],
  };
  const shown = figure("purge-lag", given);
  expect(shown).toMatchObject({ value: 137, status });
  expect(shown?.problem !== undefined).toBe(hasProblem);
});

test.each([
  [
    { n: 640, p99: null, p90: 30 },
    { value: 30, statistic: "p90 over 5 min", status: "good" },
  ],
  [
    { n: 640, p99: null, p90: 130 },
    { value: 130, statistic: "p90 over 5 min", status: "warning" },
  ],
  [
    { n: 40, p99: null, p90: null, p50: 20 },
    { value: 20, statistic: "p50 over 5 min", status: "good" },
  ],
  [
    { n: 5_000, p99: 120 },
    { value: 120, statistic: "p99 over 5 min", status: "good" },
  ],
  [
    { n: 3, p99: null, p90: null, p50: null },
    { value: 137, status: "unknown", detail: "not judged: too few purges in the last 5 min" },
  ],
])("purge lag is the value that its rule judges: %j", (part, expected) => {
  const { writePath } = readFigures(
    figureSelections.map(({ metric, lastMs }) => {
      const window = lastMs === undefined ? summed(137, {}) : summed(0, {}, part);
      const found = metric === "stashlight_purge_lag_seconds" ? [window] : [];
      return metricAnswer(metric, found, { newestMs: 100_000 });
    }),
    [],
    100_000,
  );
  expect(writePath.find(({ id }) => id === "purge-lag")).toMatchObject(expected);
});

test("HDDs and SSDs have separate figures", () => {
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
])("a durable margin of %i shards has the status %s", (shards, status, isProblem) => {
  const margin = figure("margin", {
    stashlight_durable_margin_shards: [series(gaugeColumns(times.map(() => shards)))],
  });
  expect(margin?.status).toBe(status);
  expect(margin?.problem !== undefined).toBe(isProblem);
});

test("the figure of fallbacks covers the page's range", () => {
  const counter: MetricColumns = { kind: "counter", increase: times.map((_, i) => (i === 4 ? 7 : 0)) };
  const fallbacks = figure("fallbacks", { stashlight_fallbacks_total: [series(counter)] });
  expect(fallbacks).toMatchObject({ value: 7, status: "warning" });
  expect(fallbacks?.problem).toContain("7 small uploads");
});

test("fallbacks are past after five minutes without one, and show their age until then", () => {
  const fallen: MetricSeries = {
    ...series({ kind: "counter", increase: [7] }),
    endMs: times.slice(-1),
    trend: {
      column: "increase",
      stepMs: 10_000,
      firstEndMs: 10_000,
      values: times.map((_, i) => (i === 4 ? 7 : 0)),
    },
  };
  const at = (minutes: number) => {
    const later = answers({ stashlight_fallbacks_total: [fallen] }).map((answer) => ({
      ...answer,
      newestMs: 100_000 + minutes * 60_000,
    }));
    const { space } = readFigures(later, [], 100_000 + minutes * 60_000);
    return space.find(({ id }) => id === "fallbacks");
  };
  expect(at(2)).toMatchObject({ status: "warning" });
  expect(at(2)?.problem).toMatch(
    /^7 small uploads could not use the stash in this time range, the last \d min ago\.$/,
  );
  expect(at(18)).toMatchObject({ value: 7, status: "info", detail: "none in the last 5 min" });
  expect(at(18)).not.toHaveProperty("problem");
});

test.each([
  [1, 1, "good", undefined],
  [0, 1, "bad", "Failed or being opened: a drive of the stash."],
  [0, 0, "bad", "Failed or being opened: a drive of the stash, a drive of a pod."],
])("the drive figure takes the worst drive: stash %i, pods %i", (stashLeast, podLeast, status, problem) => {
  const running = (tier: string, least: number) => series(gaugeColumns(times.map(() => least)), { tier });
  const drives = figure("drives", {
    stashlight_drive_running: [running("stash", stashLeast), running("pod", podLeast)],
  });
  expect(drives?.status).toBe(status);
  expect(drives?.problem).toBe(problem);
});

test("drives of silent nodes do not count as running", () => {
  const drive = (node: string, running: number) =>
    series(gaugeColumns([running]), { node, tier: "pod", vault: "local" });
  const drives = [drive("pod-1", 1), drive("pod-1", 1), drive("pod-2", 1), drive("pod-3", 0)];
  const silence = {
    vault: "local",
    nodeCount: 3,
    silentCount: 1,
    seconds: 30,
    nodes: ["pod-2"],
    isAlerted: false,
  };
  const valueWith = (silences: VaultState["silences"]) =>
    readFigures(answers({ stashlight_drive_running: drives }), [], 100_000, {
      firing: [],
      silences,
    }).space.find(({ id }) => id === "drives")?.value;
  expect([[], [silence]].map(valueWith)).toEqual(["not all running", "2 of 4 running, 1 silent"]);
});

test("successful requests are good on Write path too, but not while their vault is silent", () => {
  const columns: MetricColumns = { kind: "counter", increase: [9] };
  const labels = { operation: "PutObject", status: "200", vault: "local" };
  const given = { stashlight_requests_total: [{ labels, endMs: [100_000], columns }] };
  const nodes = { nodeCount: 2, silentCount: 2, seconds: 30, nodes: ["c", "p"], isAlerted: false };
  const statusOf = (silences: VaultState["silences"]) =>
    readUploadFigures(answers(given), 100_000, { firing: [], silences }).find(({ id }) => id === "failures")
      ?.status;
  expect([[], [{ vault: "local", ...nodes }]].map(statusOf)).toEqual(["good", "unknown"]);
});
