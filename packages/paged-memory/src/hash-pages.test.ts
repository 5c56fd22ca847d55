import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HashPages, NOT_FOUND } from "./hash-pages.ts";
import { PageMemory } from "./page-memory.ts";
import { ArrayFile } from "./testing/array-file.ts";

const makeTable = () => {
  const memory = new PageMemory({ heldPagesMax: 2, file: new ArrayFile() });
  return { memory, table: new HashPages(memory) };
};
const numbersOf = (table: HashPages, hash: number): number[] => {
  const numbers: number[] = [];
  table.find(hash, (number) => {
    numbers.push(number);
    return false;
  });
  return numbers.sort((a, b) => a - b);
};

/** Few hashes, of which many share their leading or their last bits. */
const anyHash = fc.oneof(
  fc.nat({ max: 8 }),
  fc.nat({ max: 8 }).map((high) => high << 28),
  fc.integer(),
);
const anyChange = fc.record({
  type: fc.constantFrom("add", "add", "add", "remove", "replace"),
  hash: anyHash,
  number: fc.nat({ max: 40 }),
});

describe("a table in pages", () => {
  test("holds what a plain map holds", () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 300 }), (changes) => {
        const { memory, table } = makeTable();
        const model = new Map<number, number[]>();
        for (const { type, hash, number } of changes) {
          memory.relax();
          const known = model.get(hash >>> 0) ?? [];
          if (type === "add") {
            table.add(hash, number);
            model.set(hash >>> 0, [...known, number]);
          } else if (known.length > 0) {
            const [first = 0, ...others] = known;
            if (type === "remove") table.remove(hash, first);
            else table.replace(hash, first, number);
            model.set(hash >>> 0, type === "remove" ? others : [...others, number]);
          }
        }
        for (const [hash, numbers] of model)
          expect(numbersOf(table, hash)).toEqual([...numbers].sort((a, b) => a - b));
      }),
    );
  });

  test("splits its pages as it grows, and finds each number", () => {
    const { memory, table } = makeTable();
    const hashOf = (number: number) => Math.imul(number, 0x9e3779b1);
    for (let number = 0; number < 20_000; number++) {
      memory.relax();
      table.add(hashOf(number), number);
    }
    expect(table.bucketCount).toBeGreaterThan(20);
    expect(memory.heldCount).toBeLessThan(8);
    for (let number = 0; number < 20_000; number += 2) {
      memory.relax();
      table.remove(hashOf(number), number);
    }
    for (let number = 0; number < 20_000; number++) {
      memory.relax();
      const found = table.find(hashOf(number), (candidate) => candidate === number);
      expect(found).toBe(number % 2 === 0 ? NOT_FOUND : number);
    }
  });

  test("puts 5,000 numbers with one hash into further pages", () => {
    const { memory, table } = makeTable();
    for (let number = 0; number < 5000; number++) {
      memory.relax();
      table.add(0xffffffff, number);
    }
    for (let number = 0; number < 5000; number += 7) expect(table.find(-1, (n) => n === number)).toBe(number);
    for (let number = 0; number < 5000; number++) {
      memory.relax();
      table.remove(-1, number);
    }
    expect(table.find(-1, () => true)).toBe(NOT_FOUND);
  });

  test("does not grow its directory without bound for hashes that share leading bits", () => {
    const { memory, table } = makeTable();
    for (let number = 0; number < 5000; number++) {
      memory.relax();
      table.add(number, number);
    }
    expect(table.placeCount).toBeLessThan(64 * table.bucketCount * 2 + 2);
    for (let number = 0; number < 5000; number++) expect(numbersOf(table, number)).toEqual([number]);
  });
});
