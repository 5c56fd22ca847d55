import { DAY_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { describeForecast } from "./describe-forecast.ts";
import { type ForecastInput, forecast, type Lifetime, measureGrowth, reckon, sizeAt } from "./forecast.ts";

const nowMs = Date.parse("2026-11-24T12:00:00Z");
const ago = (days: number): Lifetime => ({ firstMs: nowMs - days * DAY_MS, endMs: null });
const many = (count: number, days: number) => Array.from({ length: count }, () => ago(days));
/** A hundred nodes at first, then one per this many days for a year. */
const growing = (everyDays: number) => [
  ...many(100, 400),
  ...Array.from({ length: Math.floor(365 / everyDays) }, (_, i) => ago(i * everyDays)),
];
const day = { raw: 2, "1m": 14, "10m": 90, "1h": 730 };
const retentionMs = Object.fromEntries(
  Object.entries(day).map(([name, days]) => [name, days * DAY_MS]),
) as typeof day;
const given = (more: Partial<ForecastInput>): ForecastInput => ({
  nowMs,
  profile: "plain",
  lifetimes: [],
  rowsPerSecondOfNode: 0.9,
  bytes: null,
  retentionMs,
  disk: null,
  ...more,
});
const told = (more: Partial<ForecastInput>) => {
  const input = given(more);
  return describeForecast(forecast(input), input.profile, nowMs).sentence;
};

test.each([
  ["no node", {}, "Not enough history yet: 0 of 37 days"],
  [
    "a young installation",
    { lifetimes: many(50, 20) },
    "Not enough history yet: 20 of 37 days since the first node.",
  ],
  [
    "steady growth",
    { lifetimes: growing(0.5) },
    "At 61 nodes per month, one Postgres is outgrown in 2039 (95 %: 2038 to 2040) by about 10,000 nodes. Then use TimescaleDB or Citus.",
  ],
  [
    "the same on TimescaleDB",
    { lifetimes: growing(0.5), profile: "timescale" },
    "by about 10,000 nodes. Then use Citus.",
  ],
  [
    "nodes of many rows",
    { lifetimes: growing(0.5), rowsPerSecondOfNode: 20 },
    "about 20,000 rows per second with",
  ],
  ["the limit itself", { lifetimes: many(10_000, 1) }, "One Postgres is outgrown, at about 10,000 nodes"],
  [
    "no growth",
    { lifetimes: many(20, 400) },
    "With 0 nodes more in 365 days, one Postgres suffices for more than 20 years.",
  ],
  [
    "too few near a limit",
    { lifetimes: many(9_990, 400) },
    "No forecast: in 365 days the nodes changed by 0",
  ],
  ["Citus", { lifetimes: many(20_000, 400), profile: "citus" }, "spread over machines by Citus"],
  [
    "a full disk",
    { lifetimes: many(2, 1), disk: { freeBytes: 5, capacityBytes: 100 } },
    "at 90 % of the database's disk",
  ],
] as const)("growth is forecast correctly: %s", (_, more, words) => {
  expect(told(more as Partial<ForecastInput>)).toContain(words);
});

test("replacement nodes do not count as growth", () => {
  const replaced = Array.from({ length: 40 }, (_, i) => ({
    firstMs: nowMs - 400 * DAY_MS,
    endMs: nowMs - i * DAY_MS,
  }));
  const successors = replaced.map(({ endMs }) => ({ firstMs: endMs, endMs: null }));
  expect(forecast(given({ lifetimes: [...replaced, ...successors] }))).toMatchObject({
    kind: "beyond-horizon",
  });
});

test("nodes added at once are weaker evidence of growth than the same number added one by one", () => {
  const single = measureGrowth({ nowMs, lifetimes: growing(5) });
  const ordered = measureGrowth({ nowMs, lifetimes: [...many(100, 400), ...many(73, 100)] });
  expect(ordered).toMatchObject({ netCount: single?.netCount, nodesPerMonth: single?.nodesPerMonth });
  // One node per day is a Poisson process, whose count has its square root as deviation.
  expect((single?.errorPerMonth ?? 0) / (single?.nodesPerMonth ?? 1)).toBeCloseTo(1.96 / Math.sqrt(73));
  expect((ordered?.errorPerMonth ?? 0) / (ordered?.nodesPerMonth ?? 1)).toBeCloseTo(1.96);
  expect(told({ lifetimes: [...many(100, 400), ...many(5_000, 100)] })).toContain(
    "(95 %: March 2027 to more than 20 years ahead)",
  );
});

test("tables fill until each resolution has reached its retention, and then stay level", () => {
  const bytes = { raw: 20, "1m": 100, "10m": 100, "1h": 100, rest: 10 };
  const input = given({ lifetimes: many(10, 10), bytes });
  expect(sizeAt(reckon(input), nowMs, 0)).toBeCloseTo(330);
  const full = 20 + 100 * 1.4 + 100 * 9 + 100 * 73 + 10;
  expect(sizeAt(reckon(input), nowMs + 800 * DAY_MS, 0)).toBeCloseTo(full);
  expect(sizeAt(reckon(given({ lifetimes: many(10, 2), bytes })), nowMs, 0)).toBeNull();
});
