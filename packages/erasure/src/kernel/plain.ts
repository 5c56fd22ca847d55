/**
 * The kernel's twin in plain JavaScript. A table for each input holds, for each value of a byte, its products with the
 * coefficients of four rows in one 32-bit number; so one lookup and one XOR serve four output shards.
 */

import { FIELD_SIZE, multiply } from "../field.ts";
import { elementAt, type Matrix } from "../matrix.ts";
import type { Engine } from "./engine.ts";

const ROWS_PACKED = 4;
/** Bytes of each shard computed at a time, so that their sums stay in the L1 cache. */
const BLOCK_BYTES = 1024;

/** Product tables by group of four rows, then by column. */
type PackedTables = readonly (readonly Int32Array[])[];

export function createPlainEngine(heapBytes: number): Engine {
  const heap = new Uint8Array(heapBytes);
  const sums = new Int32Array(BLOCK_BYTES);
  let loaded: { matrix: Matrix; tables: PackedTables } | null = null;

  /** Passes each row's sums, packed `shift` bits up, to `visit` for the address of its output; stops at `false`. */
  const run = (
    matrix: Matrix,
    inputs: readonly number[],
    outputs: readonly number[],
    byteCount: number,
    visit: (heap: Uint8Array, address: number, sums: Int32Array, length: number, shift: number) => boolean,
  ): boolean => {
    if (loaded?.matrix !== matrix) loaded = { matrix, tables: packTables(matrix) };
    for (let from = 0; from < byteCount; from += BLOCK_BYTES) {
      const length = Math.min(BLOCK_BYTES, byteCount - from);
      for (const [row, output] of outputs.entries()) {
        const place = row % ROWS_PACKED;
        const tables = loaded.tables[(row - place) / ROWS_PACKED] as readonly Int32Array[];
        if (place === 0) sumProducts(heap, inputs, from, sums, length, tables);
        if (!visit(heap, output + from, sums, length, 8 * place)) return false;
      }
    }
    return true;
  };

  return {
    name: "js",
    heap,
    heapStart: 0,
    memory: null,
    multiply: (matrix, inputs, outputs, byteCount) => void run(matrix, inputs, outputs, byteCount, store),
    matches: (matrix, inputs, outputs, byteCount) => run(matrix, inputs, outputs, byteCount, isStored),
  };
}

function sumProducts(
  heap: Uint8Array,
  inputs: readonly number[],
  from: number,
  sums: Int32Array,
  length: number,
  tables: readonly Int32Array[],
): void {
  sums.fill(0, 0, length);
  for (let column = 0; column < tables.length; column += 1) {
    const table = tables[column] as Int32Array;
    const input = (inputs[column] as number) + from;
    for (let at = 0; at < length; at += 1) {
      sums[at] = (sums[at] as number) ^ (table[heap[input + at] as number] as number);
    }
  }
}

function store(heap: Uint8Array, address: number, sums: Int32Array, length: number, shift: number): boolean {
  for (let at = 0; at < length; at += 1) heap[address + at] = (sums[at] as number) >>> shift;
  return true;
}

function isStored(
  heap: Uint8Array,
  address: number,
  sums: Int32Array,
  length: number,
  shift: number,
): boolean {
  let difference = 0;
  for (let at = 0; at < length; at += 1) {
    difference |= (heap[address + at] as number) ^ (((sums[at] as number) >>> shift) & 255);
  }
  return difference === 0;
}

function packTables(matrix: Matrix): PackedTables {
  const groupCount = Math.ceil(matrix.rows / ROWS_PACKED);
  return Array.from({ length: groupCount }, (_, group) =>
    Array.from({ length: matrix.columns }, (_, column) => packTable(matrix, group * ROWS_PACKED, column)),
  );
}

function packTable(matrix: Matrix, firstRow: number, column: number): Int32Array {
  const rowEnd = Math.min(matrix.rows, firstRow + ROWS_PACKED);
  const table = new Int32Array(FIELD_SIZE);
  for (let byte = 1; byte < FIELD_SIZE; byte += 1) {
    const lowestBit = byte & -byte;
    if (byte !== lowestBit) {
      // Multiplication distributes over XOR, so only single bits need it.
      table[byte] = (table[byte ^ lowestBit] as number) ^ (table[lowestBit] as number);
      continue;
    }
    for (let row = firstRow; row < rowEnd; row += 1) {
      const product = multiply(elementAt(matrix, row, column), byte);
      table[byte] = (table[byte] as number) | (product << (8 * (row - firstRow)));
    }
  }
  return table;
}
