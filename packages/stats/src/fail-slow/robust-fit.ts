/**
 * Robust linear regression: iteratively reweighted least squares with Tukey's biweight, so that slow windows do not
 * influence what counts as normal.
 */

export const FEATURE_COUNT = 4;

/** Rows of `FEATURE_COUNT` values one after the other, and the value of each row. */
export interface Rows {
  readonly features: Float64Array;
  readonly values: Float64Array;
}

const ITERATIONS = 6;
/** Residuals beyond this multiple of the scale have no weight. */
const CUTOFF_SCALES = 4.685;
/** Ratio of standard deviation to median absolute deviation in a normal distribution. */
export const MAD_TO_SIGMA = 1.4826;
const SCALE_MIN = 0.01;
/** Keeps the equations solvable when a load never changes. */
const RIDGE_SHARE = 1e-9;

export function fitRobustly({ features, values }: Rows): Float64Array {
  const weights = new Float64Array(values.length).fill(1);
  const residuals = new Float64Array(values.length);
  let coefficients = solveWeighted(features, values, weights);
  for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
    for (let row = 0; row < values.length; row += 1) {
      residuals[row] = (values[row] as number) - dotAt(coefficients, features, row);
    }
    const scale = Math.max(SCALE_MIN, MAD_TO_SIGMA * medianOr(residuals.map(Math.abs), 0));
    for (let row = 0; row < values.length; row += 1) {
      const share = (residuals[row] as number) / (CUTOFF_SCALES * scale);
      weights[row] = Math.abs(share) >= 1 ? 0 : (1 - share * share) ** 2;
    }
    coefficients = solveWeighted(features, values, weights);
  }
  return coefficients;
}

export function dotAt(coefficients: Float64Array, features: Float64Array, row: number): number {
  let sum = 0;
  for (let at = 0; at < FEATURE_COUNT; at += 1) {
    sum += (coefficients[at] as number) * (features[row * FEATURE_COUNT + at] as number);
  }
  return sum;
}

/** One line of the normal equations: coefficients and right side. */
const LINE = FEATURE_COUNT + 1;

function solveWeighted(features: Float64Array, values: Float64Array, weights: Float64Array): Float64Array {
  const matrix = new Float64Array(FEATURE_COUNT * LINE);
  const add = (at: number, value: number): void => {
    matrix[at] = (matrix[at] as number) + value;
  };
  for (let row = 0; row < values.length; row += 1) {
    const weight = weights[row] as number;
    if (weight === 0) continue;
    for (let i = 0; i < FEATURE_COUNT; i += 1) {
      const weighted = weight * (features[row * FEATURE_COUNT + i] as number);
      for (let j = i; j < FEATURE_COUNT; j += 1) {
        add(i * LINE + j, weighted * (features[row * FEATURE_COUNT + j] as number));
      }
      add(i * LINE + FEATURE_COUNT, weighted * (values[row] as number));
    }
  }
  const ridge = RIDGE_SHARE * Math.max(1, matrix[0] as number);
  for (let i = 0; i < FEATURE_COUNT; i += 1) {
    add(i * LINE + i, ridge);
    for (let j = 0; j < i; j += 1) matrix[i * LINE + j] = matrix[j * LINE + i] as number;
  }
  return eliminate(matrix);
}

/** Solves by Gaussian elimination; the matrix is positive definite, so no pivots are needed. */
function eliminate(matrix: Float64Array): Float64Array {
  const at = (row: number, column: number): number => matrix[row * LINE + column] as number;
  for (let top = 0; top < FEATURE_COUNT; top += 1) {
    for (let row = top + 1; row < FEATURE_COUNT; row += 1) {
      const factor = at(row, top) / at(top, top);
      for (let column = top; column < LINE; column += 1) {
        matrix[row * LINE + column] = at(row, column) - factor * at(top, column);
      }
    }
  }
  const solution = new Float64Array(FEATURE_COUNT);
  for (let row = FEATURE_COUNT - 1; row >= 0; row -= 1) {
    let rest = at(row, FEATURE_COUNT);
    for (let column = row + 1; column < FEATURE_COUNT; column += 1) {
      rest -= at(row, column) * (solution[column] as number);
    }
    solution[row] = rest / at(row, row);
  }
  return solution;
}

export function medianOr(values: Float64Array, fallback: number): number {
  if (values.length === 0) return fallback;
  const sorted = values.toSorted();
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}
