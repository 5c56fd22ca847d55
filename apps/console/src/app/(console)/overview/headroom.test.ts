import type { LiveInputs, LiveLoad } from "@stashlight/contracts/planner";
import { DAY_SECONDS, MINUTE_MS } from "@stashlight/contracts/time";
import { defaultPlanInput } from "@stashlight/planner";
import { expect, test } from "vitest";
import { chooseLimits, endOfLoad, judgeHeadroom, readHeadroom, worstHeadroom } from "./headroom.ts";

const source = {
  source: "metrics",
  ageSeconds: 8,
  n: 100_000,
  nUnit: "uploads",
  range: null,
  basis: "measured",
} as const;
const figure = (value: number, n = 100_000): { figure: LiveLoad; missing: null } => ({
  figure: { ...source, n, value, measuredSeconds: DAY_SECONDS },
  missing: null,
});
const missing = {
  figure: null,
  missing: "Uploads were counted for 0 whole days; a trend needs 14.",
} as const;
const nowMs = Date.UTC(2026, 10, 21);

/** A load of about a tenth of what the installed 70 drives carry with one server down. */
const live: LiveInputs = {
  answeredAtMs: 0,
  vault: "main",
  vaults: [],
  fromMs: 0,
  toMs: 1,
  uploadsPerSecond: figure(2000),
  peakFactor: figure(3),
  growthPerYear: missing,
  objects: {
    figure: { ...source, classes: [{ sizeClass: "to-256KiB", bytes: 256_000, share: 1, uploadCount: 1 }] },
    missing: null,
  },
  residenceSecondsMean: figure(30),
  residenceSecondsP99: figure(120),
  fsyncPerSecond: missing,
  shardsPerCommit: missing,
  logWriteAmplification: missing,
  addVault: missing,
  scheme: missing,
  installed: {
    figure: { ...source, servers: 7, drivesPerServer: 10, driveCount: 70, driveCapacityBytes: 3.2e12 },
    missing: null,
  },
};

test("a young installation's load ends with its last whole minute, and is reported as missing before the first", () => {
  const sinceMs = nowMs + 30_000;
  const endAfter = (minutes: number) => endOfLoad(sinceMs + minutes * MINUTE_MS, sinceMs) - nowMs;
  expect([0, 1, 3, 59, 62].map(endAfter).map((ms) => ms / MINUTE_MS)).toEqual([0, 1, 3, 59, 60]);
  const why = "No whole minute has been measured yet.";
  expect(readHeadroom(live, defaultPlanInput, nowMs, sinceMs)).toEqual({ kind: "unknown", why });
  expect(readHeadroom(live, defaultPlanInput, nowMs + MINUTE_MS, sinceMs).kind).toBe("known");
});

test("the headroom is that of the constraint that is reached first", () => {
  const headroom = readHeadroom(live, defaultPlanInput, nowMs);
  // 60 drives are left when one server is down, and endurance needs 6.3867 of them.
  expect(headroom).toMatchObject({
    kind: "known",
    passedAtMs: null,
    stash: { firstConstraint: "endurance", pool: { drives: 70 }, suffices: true },
  });
  expect(headroom.kind === "known" && headroom.stash.times).toBeCloseTo(60 / 6.3867, 3);
});

test("the capacity is that of the installed drives, not of those that the plan would buy", () => {
  const pool = live.installed.figure;
  if (pool === null) throw new Error("a pool is installed");
  const small = { ...live, installed: { figure: { ...pool, driveCapacityBytes: 64e9 }, missing: null } };
  const headroom = readHeadroom(small, defaultPlanInput, nowMs);
  expect(headroom).toMatchObject({
    kind: "known",
    stash: { firstConstraint: "endurance" },
    passedAtMs: nowMs,
  });
  expect(headroom.kind === "known" && headroom.stash.times).toBeCloseTo((60 / 6.3867) * 0.02, 3);
});

test("growth reaches the headroom at the trend's rate, or without a trend at the plan's", () => {
  const times = 60 / 6.3867;
  const years = Math.log(times) / Math.log(2);
  const trend = readHeadroom({ ...live, growthPerYear: figure(1) }, defaultPlanInput, nowMs);
  expect(trend).toMatchObject({ growthFrom: "trend" });
  expect(trend.kind === "known" && ((trend.passedAtMs ?? 0) - nowMs) / (365 * 86_400_000)).toBeCloseTo(
    years,
    3,
  );
  expect(readHeadroom(live, { ...defaultPlanInput, growthPerYear: 1 }, nowMs)).toMatchObject({
    growthFrom: "plan",
  });
});

test("the interval of a trend gives a range of dates, and the growth of a plan gives none", () => {
  const yearsAt = (growth: number) => Math.log(60 / 6.3867) / Math.log(1 + growth);
  const trend = figure(1);
  const ranged = (low: number) => ({
    figure: { ...trend.figure, range: { low, high: 2, over: "95 % interval of the slope" } },
    missing: null,
  });
  const passedBand = (low: number) => {
    const headroom = readHeadroom({ ...live, growthPerYear: ranged(low) }, defaultPlanInput, nowMs);
    return headroom.kind === "known" ? headroom.passedBand : null;
  };
  const years = (ms: number | null | undefined) => ((ms ?? 0) - nowMs) / (365 * 86_400_000);
  expect(years(passedBand(0.5)?.earliestMs)).toBeCloseTo(yearsAt(2), 3);
  expect(years(passedBand(0.5)?.latestMs)).toBeCloseTo(yearsAt(0.5), 3);
  expect(passedBand(0.01)?.latestMs).toBeNull();
  expect(readHeadroom(live, { ...defaultPlanInput, growthPerYear: 1 }, nowMs)).toMatchObject({
    passedBand: null,
  });
});

test("headroom without enough measurements names the missing figure", () => {
  expect(readHeadroom({ ...live, uploadsPerSecond: figure(1, 400) }, defaultPlanInput, nowMs)).toEqual({
    kind: "unknown",
    why: "Only 400 uploads were counted in whole minutes; a load needs 1000.",
  });
  expect(readHeadroom({ ...live, installed: missing }, defaultPlanInput, nowMs)).toMatchObject({
    kind: "unknown",
  });
});

test("several vaults show the one with the least headroom, with the range of the others", () => {
  const of = (vault: string, perSecond: number) => ({
    vault,
    headroom: readHeadroom({ ...live, vault, uploadsPerSecond: figure(perSecond) }, defaultPlanInput, nowMs),
  });
  const nothing = {
    vault: "north",
    headroom: readHeadroom({ ...live, installed: missing }, defaultPlanInput, nowMs),
  };
  const worst = worstHeadroom([of("west", 1000), of("east", 4000), of("south", 2000), nothing]);
  expect(worst).toMatchObject({ vault: "east" });
  expect(worst?.words).toMatch(/^east; others 9\.\d+ to 18\.\d+×; 1 without figures$/);
  expect(worstHeadroom([of("east", 4000), of("west", 1000)])?.words).toMatch(/^east; west 18\.\d+×$/);
  expect(worstHeadroom([of("east", 4000)])).toMatchObject({ vault: "east", words: null });
  expect(worstHeadroom([nothing])).toMatchObject({
    vault: "north",
    headroom: { kind: "unknown" },
    words: null,
  });
  expect(worstHeadroom([])).toBeNull();
});

test("a saved plan that is no longer valid provides neither its limits nor its name", () => {
  const saved = { id: "1", name: "Next year" };
  const input = { ...defaultPlanInput, peakFactor: 5 };
  expect(chooseLimits(saved, input)).toMatchObject({ limits: { peakFactor: 5 }, plan: saved });
  const example = { limits: defaultPlanInput, plan: null };
  expect(chooseLimits(saved, { ...input, objects: [{ bytes: 2_000_000, share: 1 }] })).toEqual(example);
  expect(chooseLimits(null, undefined)).toEqual(example);
});

test.each([
  [
    "a load of half an hour",
    { seconds: 2_040, perSecond: 1e6 },
    undefined,
    "34 min of load were measured; judging a pool needs 6 h",
  ],
  ["a load of six hours that does not fit", { seconds: 6 * 3_600, perSecond: 1e6 }, "warning", null],
  ["a load of a day that fits", { seconds: DAY_SECONDS, perSecond: 2_000 }, "good", null],
] as const)(
  "the verdict on the pool depends on the length and size of the load: %s",
  (_case, { seconds, perSecond }, status, unjudged) => {
    const load = { ...figure(perSecond).figure, measuredSeconds: seconds };
    const uploadsPerSecond = { figure: load, missing: null };
    const headroom = readHeadroom({ ...live, uploadsPerSecond }, defaultPlanInput, nowMs);
    if (headroom.kind !== "known") throw new Error("The headroom is unknown.");
    expect([judgeHeadroom(headroom), headroom.unjudged]).toEqual([status, unjudged]);
  },
);
