/**
 * Arithmetic in GF(2^8): bytes are polynomials over GF(2) modulo x^8 + x^4 + x^3 + x^2 + 1 (0x11d), so that the powers
 * of 2 are all 255 nonzero elements. Addition and subtraction are XOR.
 */
import assert from "node:assert/strict";

const MODULUS = 0x11d;
const NONZERO_ELEMENTS = 255;
export const FIELD_SIZE = 256;

const logarithms = new Uint8Array(FIELD_SIZE);
/** Stored twice in a row, so that a sum of two logarithms needs no reduction. */
const powersOfTwo = new Uint8Array(2 * NONZERO_ELEMENTS);

for (let exponent = 0, element = 1; exponent < NONZERO_ELEMENTS; exponent += 1) {
  powersOfTwo[exponent] = element;
  powersOfTwo[exponent + NONZERO_ELEMENTS] = element;
  logarithms[element] = exponent;
  element <<= 1;
  if (element >= FIELD_SIZE) element ^= MODULUS;
}

export function multiply(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return powersOfTwo[(logarithms[a] as number) + (logarithms[b] as number)] as number;
}

export function invert(a: number): number {
  assert(a !== 0, "Zero has no inverse.");
  return powersOfTwo[NONZERO_ELEMENTS - (logarithms[a] as number)] as number;
}

/** Returns base^exponent, where 0^0 is 1. */
export function power(base: number, exponent: number): number {
  if (exponent === 0) return 1;
  if (base === 0) return 0;
  return powersOfTwo[((logarithms[base] as number) * exponent) % NONZERO_ELEMENTS] as number;
}
