import { FIELD_SIZE, multiply } from "../field.ts";
import { elementAt, type Matrix } from "../matrix.ts";
import type { Engine } from "./engine.ts";
import { createMemory, type KernelName, loadKernel, type RowsFunction } from "./instance.ts";
import {
  BLOCK_BYTES,
  INPUTS_ADDRESS,
  OUTPUTS_ADDRESS,
  ROW_COUNT_MAX,
  SHARDS_ADDRESS,
  TABLE_BYTES,
  TABLES_ADDRESS,
} from "./layout.ts";

/** Input bytes that one pass covers, so that they are still in the second-level cache for the next group of rows. */
const PASS_BYTES = 131_072;
const NIBBLES = 16;

/** Rows computed together, with the addresses of their tables and outputs. */
interface RowGroup {
  readonly compute: RowsFunction;
  readonly tables: number;
  readonly outputs: number;
}

const nibbleTables = makeNibbleTables();

export function createWasmEngine(name: KernelName, heapBytes: number): Engine {
  const memory = createMemory(SHARDS_ADDRESS + heapBytes);
  const heap = new Uint8Array(memory.buffer);
  const addresses = new Int32Array(memory.buffer, INPUTS_ADDRESS, TABLES_ADDRESS / 4);
  const kernel = loadKernel(name, memory);
  let loaded: { matrix: Matrix; groups: RowGroup[] } | null = null;

  const run = (
    matrix: Matrix,
    inputs: readonly number[],
    outputs: readonly number[],
    byteCount: number,
    isCheck: 0 | 1,
  ): boolean => {
    if (loaded?.matrix !== matrix) loaded = { matrix, groups: loadTables(matrix, heap, kernel) };
    const { groups } = loaded;
    addresses.set(inputs, INPUTS_ADDRESS / 4);
    addresses.set(outputs, OUTPUTS_ADDRESS / 4);
    const isOnePass = groups.length === 1 && isCheck === 0;
    const passBytes = isOnePass ? byteCount : bytesOfPass(inputs.length);
    for (let from = 0; from < byteCount; from += passBytes) {
      const to = Math.min(byteCount, from + passBytes);
      for (const group of groups) {
        if (group.compute(group.tables, inputs.length, group.outputs, from, to, isCheck) !== 0) return false;
      }
    }
    return true;
  };

  return {
    name,
    heap,
    heapStart: SHARDS_ADDRESS,
    memory,
    multiply: (matrix, inputs, outputs, byteCount) => void run(matrix, inputs, outputs, byteCount, 0),
    matches: (matrix, inputs, outputs, byteCount) => run(matrix, inputs, outputs, byteCount, 1),
  };
}

function bytesOfPass(inputCount: number): number {
  const blocks = Math.floor(PASS_BYTES / inputCount / BLOCK_BYTES);
  return BLOCK_BYTES * Math.max(1, blocks);
}

/** Lays out the tables of a matrix in the kernel's order: by group of rows, then column, then row. */
function loadTables(
  matrix: Matrix,
  heap: Uint8Array,
  kernel: Readonly<Record<string, RowsFunction>>,
): RowGroup[] {
  const groupCount = Math.ceil(matrix.rows / ROW_COUNT_MAX);
  let tables = TABLES_ADDRESS;
  return Array.from({ length: groupCount }, (_, index) => {
    const first = Math.floor((index * matrix.rows) / groupCount);
    const end = Math.floor(((index + 1) * matrix.rows) / groupCount);
    const group = {
      compute: kernel[`rows${end - first}`] as RowsFunction,
      tables,
      outputs: OUTPUTS_ADDRESS + 4 * first,
    };
    for (let column = 0; column < matrix.columns; column += 1) {
      for (let row = first; row < end; row += 1) {
        const coefficient = elementAt(matrix, row, column);
        heap.set(nibbleTables.subarray(coefficient * TABLE_BYTES, (coefficient + 1) * TABLE_BYTES), tables);
        tables += TABLE_BYTES;
      }
    }
    return group;
  });
}

/** Products of each coefficient with 0x00..0x0f, then with 0x00, 0x10..0xf0. */
function makeNibbleTables(): Uint8Array {
  const tables = new Uint8Array(FIELD_SIZE * TABLE_BYTES);
  for (let coefficient = 0; coefficient < FIELD_SIZE; coefficient += 1) {
    for (let nibble = 0; nibble < NIBBLES; nibble += 1) {
      const at = coefficient * TABLE_BYTES + nibble;
      tables[at] = multiply(coefficient, nibble);
      tables[at + NIBBLES] = multiply(coefficient, nibble << 4);
    }
  }
  return tables;
}
