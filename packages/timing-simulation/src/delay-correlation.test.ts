import { expect, test } from "vitest";
import {
  type DelayCorrelation,
  drawRank,
  inverseNormal,
  normalShareBelow,
  type ShardSet,
} from "./delay-correlation.ts";

const UPLOADS = 4000;
const SHARDS = 20;

function ranksOf(alike: DelayCorrelation, set: ShardSet, seed = 5): number[][] {
  return Array.from({ length: UPLOADS }, (_, upload) =>
    Array.from({ length: SHARDS }, (_, shard) => drawRank({ alike, seed }, { upload, set, shard })),
  );
}

const lowerMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
const nineteenth = (ranks: readonly number[]) => ranks.toSorted((a, b) => a - b)[18] as number;

test.each([0, 0.4, 0.9, 1])("ranks are uniform at any correlation of shards (%d)", (within) => {
  const sorted = ranksOf({ pods: within, stash: 0, sets: 0 }, "pods")
    .map(([first]) => first as number)
    .sort((a, b) => a - b);
  // The Kolmogorov-Smirnov statistic exceeds 1.63 / sqrt(n) once in a hundred.
  const gap = sorted.reduce((most, rank, i) => Math.max(most, Math.abs(rank - (i + 0.5) / UPLOADS)), 0);
  expect(gap).toBeLessThan(1.63 / Math.sqrt(UPLOADS));
});

test("the 19th of 20 shards is the 91.7th percentile if they are independent, and the median if fully correlated", () => {
  const quorum = (pods: number) => lowerMedian(ranksOf({ pods, stash: 0, sets: 0 }, "pods").map(nineteenth));
  expect(quorum(0)).toBeGreaterThan(0.91);
  expect(quorum(0)).toBeLessThan(0.925);
  expect(Math.abs(quorum(1) - 0.5)).toBeLessThan(0.03);
  expect(quorum(0.5)).toBeLessThan(quorum(0));
  expect(quorum(0.5)).toBeGreaterThan(quorum(1));
});

test("an upload's two sets have the configured correlation", () => {
  const correlation = (sets: number) => {
    const [pods, stash] = (["pods", "stash"] as const).map((set) =>
      ranksOf({ pods: 1, stash: 1, sets }, set).map(([first]) => inverseNormal(first as number)),
    ) as [number[], number[]];
    return pods.reduce((sum, z, i) => sum + z * (stash[i] as number), 0) / UPLOADS;
  };
  expect(Math.abs(correlation(0))).toBeLessThan(0.05);
  expect(Math.abs(correlation(0.6) - 0.6)).toBeLessThan(0.05);
  expect(correlation(1)).toBeGreaterThan(0.95);
});

test("the normal distribution and its inverse agree with tables", () => {
  expect(inverseNormal(0.975)).toBeCloseTo(1.959964, 5);
  expect(inverseNormal(0.01)).toBeCloseTo(-2.326348, 5);
  expect(normalShareBelow(1)).toBeCloseTo(0.841345, 6);
  for (const share of [0.001, 0.02, 0.3, 0.5, 0.9, 0.999])
    expect(normalShareBelow(inverseNormal(share))).toBeCloseTo(share, 6);
});
