import assert from "node:assert/strict";
import { invert, multiply } from "./field.ts";

/** A matrix over GF(2^8), stored row by row. It must not change once created: engines cache data derived from it. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly elements: Uint8Array;
}

export function makeMatrix(
  rows: number,
  columns: number,
  element: (row: number, column: number) => number,
): Matrix {
  const elements = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1)
      elements[row * columns + column] = element(row, column);
  }
  return { rows, columns, elements };
}

export function elementAt(matrix: Matrix, row: number, column: number): number {
  return matrix.elements[row * matrix.columns + column] as number;
}

export function multiplyMatrices(left: Matrix, right: Matrix): Matrix {
  assert(left.columns === right.rows);
  return makeMatrix(left.rows, right.columns, (row, column) => {
    let sum = 0;
    for (let at = 0; at < left.columns; at += 1) {
      sum ^= multiply(elementAt(left, row, at), elementAt(right, at, column));
    }
    return sum;
  });
}

/** Inverts a matrix by Gauss-Jordan elimination. The matrix must be square and regular. */
export function invertMatrix(matrix: Matrix): Matrix {
  const size = matrix.rows;
  assert(size === matrix.columns);
  const work = matrix.elements.slice();
  const inverse = makeMatrix(size, size, (row, column) => (row === column ? 1 : 0)).elements;
  const matrixRow = (elements: Uint8Array, row: number) => elements.subarray(row * size, (row + 1) * size);
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    while (pivot < size && work[pivot * size + column] === 0) pivot += 1;
    assert(pivot < size, "The matrix has no inverse.");
    for (const elements of [work, inverse]) {
      if (pivot !== column) addRow(matrixRow(elements, column), matrixRow(elements, pivot), 1);
    }
    const factor = invert(work[column * size + column] as number);
    for (const elements of [work, inverse]) scaleRow(matrixRow(elements, column), factor);
    for (let row = 0; row < size; row += 1) {
      const multiple = row === column ? 0 : (work[row * size + column] as number);
      if (multiple === 0) continue;
      for (const elements of [work, inverse])
        addRow(matrixRow(elements, row), matrixRow(elements, column), multiple);
    }
  }
  return { rows: size, columns: size, elements: inverse };
}

function scaleRow(row: Uint8Array, factor: number): void {
  for (let at = 0; at < row.length; at += 1) row[at] = multiply(row[at] as number, factor);
}

function addRow(row: Uint8Array, other: Uint8Array, factor: number): void {
  for (let at = 0; at < row.length; at += 1) {
    row[at] = (row[at] as number) ^ multiply(other[at] as number, factor);
  }
}
