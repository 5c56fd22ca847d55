import { expect, test } from "vitest";
import { type DriveGroup, markovAnnualLoss, meanYearsToLoss, nines, windowAnnualLoss } from "./index.ts";
import vectors from "./testing/vectors.json" with { type: "json" };

const RELATIVE_ERROR_MAX = 1e-6;
const relativeError = (value: number, right: number) => Math.abs(value - right) / right;

const group = ({ k, m, afr, rebuildDays, repair, beta, group: drives }: (typeof vectors.cases)[number]) =>
  ({
    dataShards: k,
    parityShards: m,
    annualFailureRate: Number(afr),
    rebuildDays,
    rebuildsAtOnce: repair === "serial" ? 1 : Number.POSITIVE_INFINITY,
    commonCause: beta === 0 ? null : { share: beta, drives },
  }) satisfies DriveGroup;

test.each(vectors.cases)(
  "$k+$m, AFR $afr, $rebuildDays days, $repair, beta $beta: the chain gives the vector's annual loss",
  (vector) => {
    const drives = group(vector);
    expect(relativeError(meanYearsToLoss(drives), vector.mttdlYears)).toBeLessThan(RELATIVE_ERROR_MAX);
    expect(relativeError(markovAnnualLoss(drives), vector.annualLoss)).toBeLessThan(RELATIVE_ERROR_MAX);
    expect(nines(markovAnnualLoss(drives))).toBeCloseTo(vector.nines, 6);
  },
);

test.each(vectors.cases.filter(({ windowAnnualLoss: loss }) => loss !== undefined))(
  "$k+$m, AFR $afr, $rebuildDays days: the window model gives the vector's annual loss",
  (vector) => {
    const right = vector.windowAnnualLoss ?? Number.NaN;
    expect(relativeError(windowAnnualLoss(group(vector)), right)).toBeLessThan(RELATIVE_ERROR_MAX);
  },
);

test("the vectors cover both kinds of repair, common causes and the window model", () => {
  const count = (isOf: (vector: (typeof vectors.cases)[number]) => boolean) =>
    vectors.cases.filter(isOf).length;
  expect(vectors.cases).toHaveLength(20);
  expect(count(({ repair }) => repair === "serial")).toBe(10);
  expect(count(({ beta }) => beta > 0)).toBe(8);
  expect(count(({ windowAnnualLoss: loss }) => loss !== undefined)).toBe(7);
});
