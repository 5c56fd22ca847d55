import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import type { Forecast } from "@stashlight/stats/forecast";
import { expect, test } from "vitest";
import type { VaultForecast } from "../../../client/forecasts.ts";
import { gaugeColumns, metricAnswer } from "../../../client/metrics/testing.ts";
import { figuresByVault } from "./by-vault.ts";
import { spaceFigures } from "./space-figures.ts";

const times = Array.from({ length: 10 }, (_, i) => (i + 1) * 60_000);

interface Given {
  readonly live: (i: number) => number;
  /** Defaults to the live bytes. */
  readonly taken?: number;
  readonly room?: number;
  readonly raw?: number;
  readonly garbage?: number;
  readonly visible?: number;
  /** Bytes in use when the visible ones were counted; defaults to the current ones. */
  readonly counted?: number;
}

const constant =
  (value: number): Given["live"] =>
  () =>
    value;

/** Makes answers about these vaults, one series per vault. */
function makeAnswers(vaults: Record<string, Given>): MetricAnswer[] {
  const answer = (metric: MetricName, of: (given: Given) => Given["live"]): MetricAnswer =>
    metricAnswer(
      metric,
      Object.entries(vaults).map(([vault, given]) => ({
        labels: { vault },
        endMs: times,
        columns: gaugeColumns(times.map((_, i) => of(given)(i))),
      })),
      { unit: "bytes", stepMs: 60_000, newestMs: 600_000, sourceSeriesCount: 20 },
    );
  return [
    answer("stashlight_vault_taken_bytes", ({ live, taken }) =>
      taken === undefined ? live : constant(taken),
    ),
    answer("stashlight_vault_capacity_bytes", ({ room = 1000 }) => constant(room)),
    answer("stashlight_pod_live_bytes", ({ live }) => live),
    answer("stashlight_pod_capacity_bytes", ({ raw = 2000 }) => constant(raw)),
    answer("stashlight_pod_garbage_bytes", ({ garbage = 0 }) => constant(garbage)),
    answer("stashlight_pod_visible_bytes", ({ visible = 400 }) => constant(visible)),
    answer("stashlight_pod_counted_bytes", ({ live, garbage = 0, counted }) =>
      counted === undefined ? (i) => live(i) + garbage : constant(counted),
    ),
  ];
}

const HOUR_MS = 3_600_000;

/** A forecast with an uncertainty of 20 % either way. */
const fullIn = (hours: number): Forecast => ({
  kind: "filling",
  spanMs: 12 * 24 * HOUR_MS,
  sampleCount: 400,
  fullInMs: { value: hours * HOUR_MS, low: 0.8 * hours * HOUR_MS, high: 1.2 * hours * HOUR_MS },
  growthPerDay: { value: 3, low: 2, high: 4 },
});
const level: Forecast = { kind: "none", reason: { kind: "no-growth", spanMs: 7 * 24 * HOUR_MS } };

const figure = (id: string, vaults: Record<string, Given>, forecasts: Record<string, Forecast> = {}) => {
  const told = Object.entries(forecasts).map(
    ([vault, forecast]): VaultForecast => ({ vault, store: "pods", forecast }),
  );
  return figuresByVault(makeAnswers(vaults), (answers) => spaceFigures(answers, told)).find(
    (each) => each.id === id,
  );
};

test.each([
  ["half full", 500, "good"],
  ["just below the warning", 799, "good"],
  ["at the warning", 800, "warning"],
  ["full", 950, "bad"],
])("the fill of a vault that is %s has the right status", (_, liveBytes, status) => {
  const found = figure("vault-full", { local: { live: constant(liveBytes) } });
  expect(found).toMatchObject({ value: liveBytes / 1000, status });
  expect(found?.problem !== undefined).toBe(status !== "good");
});

test.each<[string, number, Forecast, string | null, string]>([
  ["has just filled up", 960, level, "full", "bad"],
  ["was emptied since its forecast", 50, { kind: "full" }, null, "unknown"],
])("the time to full of a vault that %s agrees with its fill", (_, taken, forecast, value, status) => {
  const found = figure("vault-time-to-full", { local: { live: constant(taken) } }, { local: forecast });
  expect(found).toMatchObject({ value, status });
});

test("a vault that refuses uploads is full, even if fewer bytes are live on its drives", () => {
  const found = figure("vault-full", { local: { live: constant(900), taken: 1000 } });
  expect(found).toMatchObject({ value: 1, status: "bad" });
  expect(found?.problem).toBe(
    "Vault local is 100 % full: new objects are refused. Delete objects or enlarge the vault.",
  );
});

test("the fill counts object bytes, with the drives' raw bytes beside it", () => {
  const given = { live: constant(1060e6), garbage: 150e6, taken: 845e6, room: 909e6, raw: 2.01e9 };
  expect(figure("vault-full", { local: given })).toMatchObject({
    value: 845 / 909,
    statistic: "845 MB used of 909 MB for objects",
    detail: "1.21 GB of 2.01 GB on drives, parity and garbage included",
  });
});

test("raw bytes are left out while sums lack pods that were away", () => {
  const given = { live: constant(1060e6), garbage: 150e6, taken: 845e6, room: 909e6, raw: 1.005e9 };
  const answers = makeAnswers({ local: given }).map((answer) =>
    answer.metric === "stashlight_pod_capacity_bytes"
      ? { ...answer, partial: { pointCount: 2, seriesCountMin: 10, seriesCount: 20 } }
      : answer,
  );
  const [fill] = spaceFigures(answers, []);
  expect(fill).toMatchObject({ value: 845 / 909, statistic: "845 MB used of 909 MB for objects" });
  expect(fill).not.toHaveProperty("detail");
});

test("a node's fill is that of its drives, which do not know the vault's capacity", () => {
  const ofNode = (taken: number) =>
    makeAnswers({ local: { live: constant(taken), room: 5 } }).map((answer) => {
      const metric = ofPods[answer.metric];
      return metric === undefined ? answer : { ...answer, metric };
    });
  const ofPods: Partial<Record<MetricName, MetricName>> = {
    stashlight_vault_taken_bytes: "stashlight_pod_taken_bytes",
    stashlight_vault_capacity_bytes: "stashlight_pod_usable_bytes",
  };
  expect(spaceFigures(ofNode(2), [], "Node")[0]).toMatchObject({
    title: "Node fill",
    value: 0.4,
    statistic: "2 bytes used of 5 bytes for shards, parity included",
  });
  expect(spaceFigures(ofNode(2), [], "Vault")[0]).toMatchObject({
    value: null,
    missing: "no coordinator reported its space",
  });
});

test("a full vault has no time left", () => {
  const full = { live: constant(950) };
  expect(figure("vault-time-to-full", { local: full }, { local: { kind: "full" } })).toMatchObject({
    value: "full",
    status: "bad",
  });
});

test("a nearly full vault has one problem, with the fill, the forecast and the remedy", () => {
  const vaults = { local: { live: constant(870) } };
  const forecasts = { local: fullIn(10) };
  expect(figure("vault-full", vaults, forecasts)?.problem).toBe(
    "Vault local is 87 % full. The vault will be full in 8 to 12 hours, from 12 days of history. Delete objects or enlarge the vault.",
  );
  expect(figure("vault-time-to-full", vaults, forecasts)).toMatchObject({ status: "warning" });
  expect(figure("vault-time-to-full", vaults, forecasts)?.problem).toBeUndefined();
  expect(figure("vault-full", vaults)?.problem).toBe(
    "Vault local is 87 % full. Delete objects or enlarge the vault.",
  );
  expect(figure("vault-full", { local: { live: constant(960) } })?.problem).toBe(
    "Vault local is 96 % full: objects larger than the free space are refused. Delete objects or enlarge the vault.",
  );
});

test("a vault with much free space that will be full within a day is a problem", () => {
  const vaults = { local: { live: constant(300) } };
  expect(figure("vault-time-to-full", vaults, { local: fullIn(10) })).toMatchObject({
    status: "warning",
    value: "8 to 12 hours",
    statistic: "95\u00a0%, from 12 days of history",
    problem:
      "Vault local will be full in 8 to 12 hours, from 12 days of history. Delete objects or enlarge the vault.",
  });
  expect(figure("vault-time-to-full", vaults, { local: fullIn(100) })?.status).toBe("good");
});

test("a vault that was started 28 minutes ago has no forecast and no problem, even if it fills fast", () => {
  const reason = {
    kind: "short-history",
    spanMs: 28 * 60_000,
    neededMs: 6 * HOUR_MS,
    isChange: false,
  } as const;
  const found = figure(
    "vault-time-to-full",
    { local: { live: (i) => 20 + 90 * i } },
    { local: { kind: "none", reason } },
  );
  expect(found).toMatchObject({
    value: null,
    status: "unknown",
    missing: "No forecast.",
    statistic: "28 minutes of history, 6 hours are needed",
  });
  expect(found?.problem).toBeUndefined();
});

test("the tiles of several vaults show the fullest, and the one that will be full first", () => {
  const vaults = { north: { live: constant(700) }, south: { live: constant(109) } };
  expect(figure("vault-full", vaults)).toMatchObject({ value: 0.7, vaultWords: "north; south 10.9 %" });
  expect(figure("vault-time-to-full", vaults, { north: level, south: fullIn(10) })?.vaultWords).toBe(
    "south; north not filling",
  );
});

test("amplification uses the bytes in use at the last count of objects, not the current ones", () => {
  // 950 of 1,000 bytes were deleted after the last count, and most of the rest is garbage.
  const given = { live: constant(50), garbage: 142, visible: 900, counted: 1080 };
  expect(figure("space-amplification", { local: given })?.value).toBe("1.20×");
  expect(figure("garbage", { local: given })?.statistic).toBe("74 % of the bytes in use");
});

test("a ratio below one is reported as pods that lack shards", () => {
  const given = { live: constant(500), visible: 600, counted: 500 };
  expect(figure("space-amplification", { local: given })).toMatchObject({
    value: null,
    missing: "pods lack shards",
  });
});

test("amplification is the bytes on pods, garbage included, divided by the bytes that visible objects need", () => {
  const given = { live: constant(500), garbage: 20, visible: 400 };
  expect(figure("space-amplification", { local: given })?.value).toBe("1.30×");
  expect(figure("garbage", { local: given })).toMatchObject({
    value: 20,
    statistic: "4 % of the bytes in use",
  });
});

test("an empty vault has no amplification, and one that does not report has no figures and no problems", () => {
  const empty = figure("space-amplification", { local: { live: constant(2), garbage: 50, visible: 0 } });
  expect(empty).toMatchObject({ value: null, missing: "too few objects" });
  for (const { value, problem, missing } of spaceFigures([], [])) {
    expect([value, problem]).toEqual([null, undefined]);
    expect(missing).toMatch(/^no (pod|coordinator) reported/);
  }
});
