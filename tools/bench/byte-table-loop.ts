/**
 * Erasure coding as usually written in JavaScript, for comparison: a table of all 65,536 products, and a plain byte
 * loop for each pair of input and output.
 */
import type { Scheme } from "@stashlight/erasure";

const fieldSize = 256;

/** Computes the parity shards of `data`, into the same arrays each time. */
export type ByteTableLoop = () => Uint8Array[];

export function createByteTableLoop(scheme: Scheme, data: readonly Uint8Array[]): ByteTableLoop {
  const products = productTable();
  const rows = parityRows(scheme, products);
  const parity = rows.map(() => new Uint8Array(data[0]?.length ?? 0));
  return () => {
    encode(data, parity, rows, products);
    return parity;
  };
}

/** The loops are in one function because V8 compiles them to much slower code when the inner one is a call. */
function encode(
  data: readonly Uint8Array[],
  parity: readonly Uint8Array[],
  rows: readonly (readonly number[])[],
  products: Uint8Array,
): void {
  for (const [row, output] of parity.entries()) {
    output.fill(0);
    for (const [column, input] of data.entries()) {
      const coefficient = rows[row]?.[column] as number;
      const multiples = products.subarray(coefficient * fieldSize, (coefficient + 1) * fieldSize);
      for (let at = 0; at < output.length; at += 1) {
        output[at] = (output[at] as number) ^ (multiples[input[at] as number] as number);
      }
    }
  }
}

function productTable(): Uint8Array {
  const products = new Uint8Array(fieldSize * fieldSize);
  for (let a = 0; a < fieldSize; a += 1) {
    for (let b = 0; b < fieldSize; b += 1) products[a * fieldSize + b] = multiply(a, b);
  }
  return products;
}

/** Shift and add, modulo 0x11d. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product <<= 1;
    if (product >= fieldSize) product ^= 0x11d;
    if ((a >> bit) & 1) product ^= b;
  }
  return product;
}

/** Lagrange coefficients: parity shard r is the polynomial through the data shards 0 to k - 1, evaluated at k + r. */
function parityRows({ dataShardCount, parityShardCount }: Scheme, products: Uint8Array): number[][] {
  const inverse = (a: number) => products.indexOf(1, a * fieldSize) - a * fieldSize;
  const product = (a: number, b: number) => products[a * fieldSize + b] as number;
  const others = (column: number) =>
    Array.from({ length: dataShardCount }, (_, i) => i).filter((i) => i !== column);
  return Array.from({ length: parityShardCount }, (_, row) =>
    Array.from({ length: dataShardCount }, (_, column) =>
      others(column).reduce(
        (sofar, i) => product(sofar, product((dataShardCount + row) ^ i, inverse(column ^ i))),
        1,
      ),
    ),
  );
}
