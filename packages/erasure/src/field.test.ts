import { expect, test } from "vitest";
import { invert, multiply, power } from "./field.ts";

/** Multiplies polynomials over GF(2) as on paper, then divides by x^8 + x^4 + x^3 + x^2 + 1. */
function multiplyAsPolynomials(a: number, b: number): number {
  let product = 0;
  for (let bit = 0; bit < 8; bit += 1) if ((b >> bit) & 1) product ^= a << bit;
  for (let degree = 14; degree >= 8; degree -= 1)
    if ((product >> degree) & 1) product ^= 0x11d << (degree - 8);
  return product;
}

test("multiplication agrees with polynomials for all 65,536 pairs", () => {
  let pairCount = 0;
  for (let a = 0; a < 256; a += 1) {
    for (let b = 0; b < 256; b += 1) {
      if (multiply(a, b) !== multiplyAsPolynomials(a, b)) expect.unreachable(`${a} times ${b}`);
      pairCount += 1;
    }
  }
  expect(pairCount).toBe(65_536);
});

test("every nonzero element has exactly one inverse", () => {
  for (let a = 1; a < 256; a += 1) {
    const inverses = Array.from({ length: 256 }, (_, b) => b).filter(
      (b) => multiplyAsPolynomials(a, b) === 1,
    );
    expect(inverses).toEqual([invert(a)]);
  }
  expect(() => invert(0)).toThrow("Zero has no inverse.");
});

test("a power equals a repeated product, and 0 to the power of 0 is 1", () => {
  for (let base = 0; base < 256; base += 1) {
    let product = 1;
    for (let exponent = 0; exponent < 256; exponent += 1) {
      expect(power(base, exponent)).toBe(product);
      product = multiplyAsPolynomials(product, base);
    }
  }
});
