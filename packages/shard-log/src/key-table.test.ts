import fc from "fast-check";
import { expect, test } from "vitest";
import { hashKey, KeyTable, NOT_FOUND } from "./key-table.ts";
import { RecordRows } from "./record-rows.ts";

const wordsOf = (number: number): Uint32Array => Uint32Array.of(0, 1, 2, number, number % 20);

class Bench {
  readonly rows = new RecordRows();
  readonly table = new KeyTable(this.rows);
  readonly truth = new Map<number, number>();
  readonly #hashOf: (number: number) => number;

  constructor(hashOf: (number: number) => number) {
    this.#hashOf = hashOf;
  }

  add(number: number): void {
    const row = this.rows.add(wordsOf(number), { slot: 0, offset: 64, bytes: 64, lsn: number, cell: number });
    const known = this.truth.get(number);
    if (this.table.add(wordsOf(number), this.#hashOf(number), row)) expect(known).toBeUndefined();
    else {
      this.table.replace(this.#hashOf(number), known as number, row);
      this.rows.free(known as number);
    }
    this.truth.set(number, row);
  }

  delete(number: number): void {
    const row = this.truth.get(number);
    if (row === undefined) return;
    this.table.delete(this.#hashOf(number), row);
    this.rows.free(row);
    this.truth.delete(number);
  }

  /** Returns the first of these keys that the table resolves differently. */
  mistake(numbers: readonly number[]): number | undefined {
    return numbers.find((number) => {
      const found = this.table.find(wordsOf(number), this.#hashOf(number));
      return found !== (this.truth.get(number) ?? NOT_FOUND);
    });
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number);
const hashed = (number: number): number => hashKey(wordsOf(number));

test.each<[string, (number: number) => number]>([
  ["scattered hashes", hashed],
  ["hashes that share their beginnings", (number) => hashed(number) & 0xfff],
  ["hashes that share their ends", (number) => hashed(number) & ~0xfffff],
  ["three hashes", (number) => (number % 3) - 1],
])("a table resolves keys with %s as a map would", (_name, hashOf) => {
  const number = fc.integer({ min: 0, max: 60 });
  const step = fc.tuple(fc.constantFrom("add", "add", "delete"), number, fc.constantFrom(1, 1, 40));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bench = new Bench(hashOf);
      for (const [deed, first, count] of steps) {
        for (let at = 0; at < count; at += 1) bench[deed as "add" | "delete"](100 * first + at);
      }
      expect(bench.mistake(upTo(6100))).toBeUndefined();
    }),
    { numRuns: 10 },
  );
});

test.each<[string, (number: number) => number]>([
  ["scattered hashes", hashed],
  ["hashes that share 12 bits at their beginnings", (number) => hashed(number) & 0xfffff],
])("a table holds all keys with %s through splits, and its directory stays small", (_name, hashOf) => {
  const bench = new Bench(hashOf);
  for (let number = 0; number < 20_000; number += 1) bench.add(number);
  for (let number = 0; number < 20_000; number += 3) bench.delete(number);
  expect(bench.mistake(upTo(20_000))).toBeUndefined();
  expect(bench.table.placeCount).toBeLessThanOrEqual(128 * bench.table.bucketCount);
});

test("keys that come and go add no bucket and no row", () => {
  const bench = new Bench(hashed);
  for (let number = 0; number < 1000; number += 1) bench.add(number);
  const { bucketCount } = bench.table;
  for (let number = 1000; number < 50_000; number += 1) {
    bench.delete(number - 1000);
    bench.add(number);
  }
  expect(bench.table.bucketCount).toBe(bucketCount);
  expect(bench.rows.count).toBe(1000);
});

test("consecutive ids rarely have equal hashes", () => {
  expect(new Set(upTo(20_000).map(hashed)).size).toBeGreaterThan(19_990);
});
