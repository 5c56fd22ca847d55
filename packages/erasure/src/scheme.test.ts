import fc from "fast-check";
import { expect, test } from "vitest";
import { invert, multiply } from "./field.ts";
import { elementAt } from "./matrix.ts";
import { parityMatrix, SCHEME_15_5, SCHEME_16_4, SCHEME_17_3, type Scheme } from "./scheme.ts";
import { anyScheme } from "./testing.ts";

/**
 * Computes the same coefficient independently: data shards are values at 0..k-1 of a polynomial of degree below k, and
 * parity shard r is its value at k + r. By Lagrange, value j is weighted there with the product of (x - i) / (j - i).
 */
function lagrangeCoefficient({ dataShardCount }: Scheme, parityRow: number, dataColumn: number): number {
  const x = dataShardCount + parityRow;
  let coefficient = 1;
  for (let i = 0; i < dataShardCount; i += 1) {
    if (i !== dataColumn) coefficient = multiply(coefficient, multiply(x ^ i, invert(dataColumn ^ i)));
  }
  return coefficient;
}

function expectLagrange(scheme: Scheme): void {
  const matrix = parityMatrix(scheme);
  for (let row = 0; row < scheme.parityShardCount; row += 1) {
    for (let column = 0; column < scheme.dataShardCount; column += 1) {
      expect(elementAt(matrix, row, column)).toBe(lagrangeCoefficient(scheme, row, column));
    }
  }
}

test.each([SCHEME_17_3, SCHEME_16_4, SCHEME_15_5, { dataShardCount: 1, parityShardCount: 255 }])(
  "the matrix of $dataShardCount+$parityShardCount interpolates a polynomial",
  expectLagrange,
);

test("the matrix of any scheme interpolates a polynomial", () => {
  fc.assert(fc.property(anyScheme(40), expectLagrange), { numRuns: 30 });
});
