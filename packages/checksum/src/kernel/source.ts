/**
 * Source of the CRC32C kernel: this file writes its WebAssembly text, and `bytes.test.ts` compares the result with the
 * checked-in bytes (`vitest run packages/checksum -u` regenerates them).
 *
 * WebAssembly has neither a CRC instruction nor a carry-less multiplication, so the kernel folds with byte
 * permutations. The register is linear over GF(2): a byte's contribution depends only on its value and on the number of
 * bytes that follow. The state is 128 bytes that represent all bytes read so far: same checksum, same distance from the
 * end. One step moves the state 128 bytes on and adds the next block to it.
 *
 * Byte i of each vector is a lane. Four bytes of a lane, 32 apart, hold 32 bits, and their contributions are linearly
 * independent (16 apart they are not; `createDigitSolver` asserts it). So "128 bytes further on" is a linear map from
 * four bytes to four bytes, the same for every lane: split each byte into nibbles, look each nibble up in a table of 16
 * entries for each of the four results (`swizzle` looks up 16 lanes at a time), and add: 32 lookups for 64 bytes.
 * Vectors 0, 2, 4, 6 of a block and vectors 1, 3, 5, 7 are two such groups with the same tables. The data itself is
 * never transposed.
 *
 * At the end other tables turn the eight vectors into one register per lane, and the lanes are added up byte by byte.
 * The tables are globals, because the memory belongs to the caller, who may need every byte of it.
 */
import assert from "node:assert/strict";
import { POLYNOMIAL, updateByTable } from "../table.ts";
import { FOLD_BYTES } from "./fold.ts";

export type SwizzleInstruction = "i8x16.relaxed_swizzle" | "i8x16.swizzle";

const LANES = 16;
const DIGITS = [0, 1, 2, 3] as const;
const NIBBLES = ["low", "high"] as const;
/** Distance between the four bytes of a lane. */
const DIGIT_STRIDE = 32;
/** The two groups of vectors, by the offset of their first vector in a block. */
const GROUPS = [
  { state: "even", offset: 0 },
  { state: "odd", offset: LANES },
] as const;

/** Returns a byte's contribution to the register when `following` bytes come after it. */
function contribution(byte: number, following: number): number {
  const bytes = new Uint8Array(1 + following);
  bytes[0] = byte;
  return updateByTable(0, bytes, 0, bytes.length);
}

function bytesAfterDigit(digit: number): number {
  return DIGIT_STRIDE * (DIGITS.length - 1 - digit);
}

/**
 * Solves for the four bytes of a lane that contribute a given register, the first in the lowest byte of the answer:
 * Gaussian elimination, with one pivot for each bit of the register.
 */
function createDigitSolver(): (register: number) => number {
  const pivots = new Map<number, { register: number; digits: number }>();
  const reduce = (register: number, digits: number) => {
    let rest = { register, digits };
    for (let bit = 31; bit >= 0; bit -= 1) {
      if (((rest.register >>> bit) & 1) === 0) continue;
      const pivot = pivots.get(bit);
      if (pivot === undefined) return { ...rest, bit };
      rest = { register: rest.register ^ pivot.register, digits: rest.digits ^ pivot.digits };
    }
    return { ...rest, bit: null };
  };
  for (let index = 0; index < 32; index += 1) {
    const digit = contribution(1 << (index & 7), bytesAfterDigit(index >> 3));
    const { bit, ...pivot } = reduce(digit, 1 << index);
    assert(bit !== null, `Bytes ${DIGIT_STRIDE} apart do not span the register.`);
    pivots.set(bit, pivot);
  }
  return (register) => reduce(register, 0).digits;
}

/** Returns four tables for each digit and nibble, one for each byte of `result(nibble value, digit)`. */
function nibbleTables(result: (byte: number, digit: number) => number): string[] {
  return DIGITS.flatMap((digit) =>
    NIBBLES.flatMap((_, half) => {
      const words = Array.from({ length: 16 }, (_, nibble) => result(nibble << (4 * half), digit));
      return DIGITS.map((byte) => vector(words.map((word) => (word >>> (8 * byte)) & 255)));
    }),
  );
}

function vector(bytes: readonly number[]): string {
  return `(v128.const i8x16 ${bytes.join(" ")})`;
}

function tableIndex(digit: number, half: number, result: number): number {
  return digit * 8 + half * 4 + result;
}

function splitNibbles(state: string, digit: number): string {
  return `
    (local.set $low (v128.and (local.get $${state}${digit}) (local.get $mask)))
    (local.set $high (v128.and (i16x8.shr_u (local.get $${state}${digit}) (i32.const 4)) (local.get $mask)))`;
}

/** Adds the lookups of all nibbles of one group to $next0..3. */
function addLookups(swizzle: SwizzleInstruction, state: string, table: (index: number) => string): string {
  return DIGITS.map((digit) => {
    const lookups = DIGITS.flatMap((result) =>
      NIBBLES.map(
        (nibble, half) => `
    (local.set $next${result} (v128.xor (local.get $next${result})
      (${swizzle} ${table(tableIndex(digit, half, result))} (local.get $${nibble}))))`,
      ),
    );
    return splitNibbles(state, digit) + lookups.join("");
  }).join("");
}

function load(offset: number): string {
  return `(v128.load offset=${offset} (local.get $from))`;
}

function loadState(): string {
  const loads = GROUPS.flatMap(({ state, offset }) =>
    DIGITS.map((digit) => `(local.set $${state}${digit} ${load(offset + DIGIT_STRIDE * digit)})`),
  );
  const start = "(i32x4.replace_lane 0 (v128.const i64x2 0 0) (local.get $register))";
  return `${loads.join("\n    ")}
    (local.set $even0 (v128.xor (local.get $even0) ${start}))`;
}

function step(swizzle: SwizzleInstruction): string {
  return GROUPS.map(({ state, offset }) => {
    const loads = DIGITS.map(
      (digit) => `(local.set $next${digit} ${load(offset + DIGIT_STRIDE * digit)})`,
    ).join("\n    ");
    const moves = DIGITS.map((digit) => `(local.set $${state}${digit} (local.get $next${digit}))`);
    const lookups = addLookups(swizzle, state, (index) => `(global.get $fold${index})`);
    return `${loads}${lookups}\n    ${moves.join("\n    ")}`;
  }).join("\n    ");
}

/** Leaves byte r of the register that lane i contributes in lane i of $next<r>. */
function gatherLanes(swizzle: SwizzleInstruction): string {
  const clear = DIGITS.map((digit) => `(local.set $next${digit} (v128.const i64x2 0 0))`).join("\n    ");
  const groups = GROUPS.map(({ state, offset }) => {
    const tables = nibbleTables((byte, digit) => contribution(byte, bytesAfterDigit(digit) + LANES - offset));
    return addLookups(swizzle, state, (index) => tables[index] as string);
  });
  return clear + groups.join("");
}

/** Adds up the lanes. Fifteen bytes follow the first lane. */
function addLanes(): string {
  return Array.from({ length: LANES }, (_, lane) => {
    const byte = (digit: number) => `(i8x16.extract_lane_u ${lane} (local.get $next${digit}))`;
    const shifted = (digit: number) => `(i32.shl ${byte(digit)} (i32.const ${8 * digit}))`;
    const advanced = lane === 0 ? "(i32.const 0)" : "(call $afterOneByte (local.get $register))";
    return `(local.set $register (i32.xor ${advanced}
      (i32.or (i32.or ${byte(0)} ${shifted(1)}) (i32.or ${shifted(2)} ${shifted(3)}))))`;
  }).join("\n    ");
}

const AFTER_ONE_BIT = `(local.set $register (i32.xor
      (i32.shr_u (local.get $register) (i32.const 1))
      (i32.and (i32.const ${POLYNOMIAL}) (i32.sub (i32.const 0) (i32.and (local.get $register) (i32.const 1))))))`;

/** The kernel's module as WebAssembly text. */
export function kernelText(swizzle: SwizzleInstruction): string {
  const digitsOf = createDigitSolver();
  const fold = nibbleTables((byte, digit) =>
    digitsOf(contribution(byte, bytesAfterDigit(digit) + FOLD_BYTES)),
  );
  const vectors = DIGITS.flatMap((digit) => [`$even${digit}`, `$odd${digit}`, `$next${digit}`]);
  const locals = [...vectors, "$low", "$high", "$mask"].map((name) => `(local ${name} v128)`);
  return `(module
  (import "host" "memory" (memory 1))
  ${fold.map((table, index) => `(global $fold${index} v128 ${table})`).join("\n  ")}
  (func (export "fold") (param $from i32) (param $to i32) (param $register i32) (result i32)
    ${locals.join(" ")}
    (local.set $mask (v128.const i64x2 0x0f0f0f0f0f0f0f0f 0x0f0f0f0f0f0f0f0f))
    ${loadState()}
    (block $done (loop $next
    (local.set $from (i32.add (local.get $from) (i32.const ${FOLD_BYTES})))
    (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
    ${step(swizzle)}
    (br $next)))
    ${gatherLanes(swizzle)}
    ${addLanes()}
    (local.get $register))
  (func $afterOneByte (param $register i32) (result i32)
    ${Array.from({ length: 8 }, () => AFTER_ONE_BIT).join("\n    ")}
    (local.get $register)))
`;
}
