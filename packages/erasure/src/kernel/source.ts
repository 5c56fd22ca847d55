/**
 * Source of the erasure kernel: this file writes its WebAssembly text, and `bytes.test.ts` compares the result with the
 * checked-in bytes (`vitest run packages/erasure -u` regenerates them).
 *
 * A byte times a constant is a table of 256 entries; because multiplication distributes over XOR, it is also the XOR of
 * two tables of 16 entries, one for each nibble, and `swizzle` looks up 16 nibbles at a time. A function `rowsR(tables,
 * columns, outputs, from, to, isCheck)` computes R output shards, bytes [from, to):
 *
 * - Two vectors (32 bytes) of R sums stay in registers while the loop iterates over all input shards. Each input is
 *   read once for all R rows, each table once for both vectors. Wider or taller blocks spill out of the 16 registers.
 * - Addresses of the inputs are stored at INPUTS, those of the outputs at `outputs`; the two tables of a coefficient,
 *   low nibble first, at `tables`, ordered by input, then row.
 * - With `isCheck`, nothing is written; the result is 1 if any output differs from the sum, otherwise 0.
 *
 * The lookups bound the speed on a processor that shuffles one vector per cycle: 2 R lookups for 16 bytes of input.
 * `relaxed_swizzle` is one instruction; `swizzle` takes two on x86, to clear results of indexes above 15, which do not
 * occur here.
 */
import { BLOCK_BYTES, INPUTS_ADDRESS, ROW_COUNT_MAX, TABLE_BYTES } from "./layout.ts";

export type SwizzleInstruction = "i8x16.relaxed_swizzle" | "i8x16.swizzle";

const VECTOR_BYTES = 16;
const VECTORS = Array.from({ length: BLOCK_BYTES / VECTOR_BYTES }, (_, vector) => vector);

function rowsFunction(rowCount: number, swizzle: SwizzleInstruction): string {
  const rows = Array.from({ length: rowCount }, (_, row) => row);
  const sum = (row: number, vector: number) => `$sum${row}_${vector}`;
  const everySum = (visit: (row: number, vector: number) => string) =>
    rows.flatMap((row) => VECTORS.map((vector) => visit(row, vector))).join("\n        ");

  const addNibble = (half: number) =>
    rows.flatMap((row) => [
      `(local.set $table (v128.load offset=${row * TABLE_BYTES + half * VECTOR_BYTES} (local.get $tableAt)))`,
      ...VECTORS.map(
        (vector) =>
          `(local.set ${sum(row, vector)} (v128.xor (local.get ${sum(row, vector)}) (${swizzle} (local.get $table) (local.get $nibbles${vector}))))`,
      ),
    ]);
  const lowNibbles = VECTORS.map(
    (vector) => `(local.set $nibbles${vector} (v128.and (local.get $input${vector}) (local.get $mask)))`,
  );
  const highNibbles = VECTORS.map(
    (vector) =>
      `(local.set $nibbles${vector} (v128.and (i16x8.shr_u (local.get $input${vector}) (i32.const 4)) (local.get $mask)))`,
  );
  const finish = (instructions: (row: number, vector: number) => string) =>
    rows
      .flatMap((row) => [
        `(local.set $address (i32.add (i32.load offset=${4 * row} (local.get $outputs)) (local.get $from)))`,
        ...VECTORS.map((vector) => instructions(row, vector)),
      ])
      .join("\n          ");

  return `
  (func (export "rows${rowCount}")
    (param $tables i32) (param $columns i32) (param $outputs i32) (param $from i32) (param $to i32) (param $isCheck i32)
    (result i32)
    (local $inputsEnd i32) (local $inputAt i32) (local $tableAt i32) (local $address i32)
    (local $mask v128) (local $table v128) (local $difference v128)
    ${VECTORS.map((vector) => `(local $input${vector} v128) (local $nibbles${vector} v128)`).join(" ")}
    ${everySum((row, vector) => `(local ${sum(row, vector)} v128)`)}
    (local.set $mask (v128.const i64x2 0x0f0f0f0f0f0f0f0f 0x0f0f0f0f0f0f0f0f))
    (local.set $inputsEnd (i32.add (i32.const ${INPUTS_ADDRESS}) (i32.shl (local.get $columns) (i32.const 2))))
    (loop $blocks
        ${everySum((row, vector) => `(local.set ${sum(row, vector)} (v128.const i64x2 0 0))`)}
        (local.set $inputAt (i32.const ${INPUTS_ADDRESS}))
        (local.set $tableAt (local.get $tables))
        (loop $inputs
          (local.set $address (i32.add (i32.load (local.get $inputAt)) (local.get $from)))
          ${VECTORS.map((vector) => `(local.set $input${vector} (v128.load offset=${vector * VECTOR_BYTES} (local.get $address)))`).join("\n          ")}
          ${[...lowNibbles, ...addNibble(0), ...highNibbles, ...addNibble(1)].join("\n          ")}
          (local.set $tableAt (i32.add (local.get $tableAt) (i32.const ${rowCount * TABLE_BYTES})))
          (local.set $inputAt (i32.add (local.get $inputAt) (i32.const 4)))
          (br_if $inputs (i32.ne (local.get $inputAt) (local.get $inputsEnd))))
        (if (local.get $isCheck) (then
          ${finish((row, vector) => `(local.set $difference (v128.or (local.get $difference) (v128.xor (local.get ${sum(row, vector)}) (v128.load offset=${vector * VECTOR_BYTES} (local.get $address)))))`)})
        (else
          ${finish((row, vector) => `(v128.store offset=${vector * VECTOR_BYTES} (local.get $address) (local.get ${sum(row, vector)}))`)}))
        (local.set $from (i32.add (local.get $from) (i32.const ${BLOCK_BYTES})))
        (br_if $blocks (i32.lt_u (local.get $from) (local.get $to))))
    (v128.any_true (local.get $difference)))`;
}

/** The kernel's module as WebAssembly text. */
export function kernelText(swizzle: SwizzleInstruction): string {
  const functions = Array.from({ length: ROW_COUNT_MAX }, (_, index) => rowsFunction(index + 1, swizzle));
  return `(module
  (import "host" "memory" (memory 1))${functions.join("")})
`;
}
