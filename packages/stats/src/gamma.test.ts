import fc from "fast-check";
import { expect, test } from "vitest";
import { gammaLowerTail, gammaQuantile, logGamma } from "./gamma.ts";

test("the logarithm of the gamma function equals that of factorials", () => {
  let log = 0;
  for (let n = 1; n <= 30; n += 1) {
    expect(logGamma(n)).toBeCloseTo(log, 10);
    log += Math.log(n);
  }
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
});

test("a shape of 1 gives the exponential distribution, and one half the square of a normal variable", () => {
  expect(gammaLowerTail(0.7, 1)).toBeCloseTo(1 - Math.exp(-0.7), 12);
  expect(gammaLowerTail(5, 1)).toBeCloseTo(1 - Math.exp(-5), 12);
  // 1.96^2 / 2: the share of a normal distribution within 1.96 standard deviations.
  expect(gammaLowerTail(1.959963984540054 ** 2 / 2, 0.5)).toBeCloseTo(0.95, 12);
});

test("quantiles are the inverse of the lower tail for all shapes", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 1e5, noNaN: true }),
      fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }),
      (shape, share) => {
        expect(gammaLowerTail(gammaQuantile(share, shape), shape)).toBeCloseTo(share, 8);
      },
    ),
    { seed: 3, numRuns: 200 },
  );
});
