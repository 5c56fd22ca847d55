/**
 * Compares results with those of scipy, or of the definition without shortcuts; fixtures/generate.py created the
 * fixtures.
 */
import { expect, test } from "vitest";
import reference from "../fixtures/scipy.json" with { type: "json" };
import { spearman } from "./drift.ts";
import { pairedShift, unpairedShift } from "./hodges-lehmann.ts";
import { rankSumTest } from "./mann-whitney.ts";
import { medianInterval, medianRanks } from "./median-interval.ts";
import { normalQuantileUpper, normalUpperTail } from "./normal.ts";
import { PairedRuns } from "./paired-means.ts";
import { studentQuantile, studentTwoSided } from "./student.ts";
import { type PercentileName, summariseRun } from "./summary.ts";
import { signedRankTest } from "./wilcoxon.ts";

const near = (value: number): unknown => expect.closeTo(value, 9);

test.each(reference.summaries)("a run's figures match scipy: $mean", (run) => {
  const summary = summariseRun({ ok: run.values, censored: [] });
  expect(summary.mean).toEqual(near(run.mean));
  expect(summary.sd).toEqual(run.sd === null ? null : near(run.sd));
  for (const [name, value] of Object.entries(run.percentiles)) {
    expect(summary.percentiles[name as PercentileName].value, name).toBe(value);
  }
  const interval = medianInterval(run.values);
  expect(interval && [interval.low, interval.high]).toEqual(run.medianInterval);
});

test.each(reference.median_ranks)(
  "the ranks around the median of $count match the binomial distribution",
  (row) => {
    const ranks = medianRanks(row.count, row.confidence);
    if (row.lowRank === 0) return expect(ranks).toBeNull();
    expect(ranks).toEqual({ lowRank: row.lowRank, highRank: row.highRank, confidence: near(row.held) });
  },
);

test.each(reference.signed_rank)(
  "the signed-rank test gives p = $pValue",
  ({ differences, smaller, pValue }) => {
    const result = signedRankTest(differences);
    expect(Math.min(result.positiveRankSum, result.negativeRankSum)).toBe(smaller);
    expect(result.pValue).toEqual(near(pValue));
  },
);

test.each(reference.rank_sum)("the rank-sum test gives p = $pValue", ({ a, b, u, pValue, delta }) => {
  expect(rankSumTest(a, b)).toMatchObject({ u, pValue: near(pValue), cliffsDelta: near(delta) });
});

test.each(reference.shifts)("the shift of pairs is the median of all means, $shift", (row) => {
  const { shift, interval } = pairedShift(row.differences);
  expect(shift).toEqual(near(row.shift));
  if (row.interval === null) return expect(interval).toBeNull();
  expect(interval && [interval.low, interval.high, interval.confidence]).toEqual(row.interval.map(near));
});

test.each(reference.unpaired_shifts)("the shift without pairs is the median of all differences", (row) => {
  const { shift, interval } = unpairedShift(row.a, row.b);
  expect(shift).toEqual(near(row.shift));
  expect(interval && [interval.low, interval.high]).toEqual(row.interval?.map(near) ?? null);
});

test.each(reference.correlations)("the rank correlation is $rho", ({ a, b, rho }) => {
  expect(spearman(a, b)).toEqual(near(rho));
});

test.each(reference.normal)(
  "the share of the normal distribution above $z is $upperTail",
  ({ z, upperTail }) => {
    expect(normalUpperTail(z) / upperTail).toEqual(expect.closeTo(1, 10));
    expect(normalQuantileUpper(upperTail)).toEqual(expect.closeTo(z, 8));
  },
);

test.each(reference.students)(
  "the share of Student's t at $degreesOfFreedom beyond $t is $twoSided",
  ({ t, degreesOfFreedom, twoSided }) => {
    expect(studentTwoSided(t, degreesOfFreedom) / twoSided).toEqual(expect.closeTo(1, 9));
    expect(studentQuantile(twoSided, degreesOfFreedom) / t).toEqual(expect.closeTo(1, 9));
  },
);

test.each(reference.paired_means)(
  "the interval of the difference of paired means is $low to $high",
  ({ a, b, ...row }) => {
    const { difference } = new PairedRuns(Float64Array.from(a), Float64Array.from(b)).means(0.95);
    expect(difference.interval).toMatchObject({ low: near(row.low), high: near(row.high) });
  },
);
