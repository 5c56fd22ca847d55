import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOT_FOUND, OrderedTable } from "./ordered-table.ts";
import { PAGE_BYTES } from "./page-buffer.ts";
import { PageMemory } from "./page-memory.ts";
import { ArrayFile } from "./testing/array-file.ts";

const SLOTS = Math.floor(PAGE_BYTES / 12);
const WORD_MAX = 0xffff_ffff;

const makeTable = () => {
  const memory = new PageMemory({ heldPagesMax: 2, file: new ArrayFile() });
  return { memory, table: new OrderedTable(memory) };
};
const scatter = (number: number): number => Math.imul(number, 0x9e3779b1) >>> 0;
const byNumber = (a: number, b: number): number => a - b;

interface Key {
  readonly order: number;
  readonly hash: number;
}

const numbersOf = (table: OrderedTable, { order, hash }: Key): number[] => {
  const numbers: number[] = [];
  table.find(order, hash, (number) => {
    numbers.push(number);
    return false;
  });
  return numbers.sort(byNumber);
};

/** Runs of many keys with one thing in common, so that a few of them fill several pages. */
const anyRun = fc.record({
  type: fc.constantFrom("add", "add", "remove", "replace"),
  pattern: fc.constantFrom("ascending", "random", "equal", "near"),
  first: fc.constantFrom(0, 3, 500, WORD_MAX - 500),
  length: fc.nat({ max: SLOTS }),
});

type Pattern = (first: number, at: number) => Key;
const patterns: Record<string, Pattern> = {
  ascending: (first, at) => ({ order: first + (at >>> 1), hash: scatter(at) }),
  random: (first, at) => ({ order: scatter(first + at), hash: at }),
  equal: (first, at) => ({ order: first, hash: scatter(at % 7) }),
  /** Hashes that share their leading bits. */
  near: (first, at) => ({ order: first, hash: at }),
};

/** A table beside the answers that it must give. */
class Bench {
  readonly memory: PageMemory;
  readonly table: OrderedTable;
  readonly truth = new Map<string, { readonly key: Key; numbers: number[] }>();

  constructor() {
    ({ memory: this.memory, table: this.table } = makeTable());
  }

  change(type: string, key: Key, number: number): void {
    this.memory.relax();
    const id = `${key.order} ${key.hash}`;
    const { numbers } = this.truth.get(id) ?? { numbers: [] };
    if (type === "add") this.table.add(key.order, key.hash, number);
    else if (numbers.length === 0) return;
    else if (type === "remove") this.table.remove(key.order, key.hash, numbers[0] as number);
    else this.table.replace(key.order, key.hash, numbers[0] as number, number);
    const others = type === "add" ? numbers : numbers.slice(1);
    this.truth.set(id, { key, numbers: type === "remove" ? others : [...others, number] });
  }

  check(): void {
    for (const { key, numbers } of this.truth.values()) {
      this.memory.relax();
      expect(numbersOf(this.table, key)).toEqual([...numbers].sort(byNumber));
    }
  }
}

describe("a table in pages", () => {
  test("holds what a plain map holds, and no page once that is empty", () => {
    fc.assert(
      fc.property(fc.array(anyRun, { maxLength: 12 }), (runs) => {
        const bench = new Bench();
        for (const { type, pattern, first, length } of runs)
          for (let at = 0; at < length; at++)
            bench.change(type, (patterns[pattern] as Pattern)(first, at), at);
        bench.check();
        for (const { key, numbers } of [...bench.truth.values()])
          for (const number of [...numbers]) bench.change("remove", key, number);
        bench.check();
        expect(bench.memory.pageCount).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test("fills its pages with ascending keys", () => {
    const { memory, table } = makeTable();
    for (let number = 0; number < 20 * SLOTS; number++) {
      memory.relax();
      table.add(number, scatter(number), number);
    }
    expect(table.bucketCount).toBe(20);
    expect(numbersOf(table, { order: 3000, hash: scatter(3000) })).toEqual([3000]);
  });

  test("fills seven tenths of its pages with keys that arrive nearly in order", () => {
    const { memory, table } = makeTable();
    const count = 60 * SLOTS;
    for (let number = 0; number < count; number++) {
      memory.relax();
      // 100 keys have one order word, and each arrives up to 800 keys late.
      table.add(Math.floor((number + (scatter(number) % 800)) / 100), scatter(number), number);
    }
    expect(count / SLOTS / table.bucketCount).toBeGreaterThan(0.7);
  });

  test("keeps 20,000 scattered numbers in few pages while half of them are removed", () => {
    const { memory, table } = makeTable();
    for (let number = 0; number < 20_000; number++) {
      memory.relax();
      table.add(scatter(number), number, number);
    }
    expect(20_000 / SLOTS / table.bucketCount).toBeGreaterThan(0.6);
    expect(memory.heldCount).toBeLessThan(8);
    for (let number = 0; number < 20_000; number += 2) {
      memory.relax();
      table.remove(scatter(number), number, number);
    }
    for (let number = 0; number < 20_000; number++) {
      memory.relax();
      const found = table.find(scatter(number), number, (candidate) => candidate === number);
      expect(found).toBe(number % 2 === 0 ? NOT_FOUND : number);
    }
  });

  test("frees most of its pages once nine of ten keys are removed", () => {
    const { memory, table } = makeTable();
    for (let number = 0; number < 20_000; number++) table.add(number, 7, number);
    const before = table.bucketCount;
    for (let number = 0; number < 20_000; number++) if (number % 10 !== 0) table.remove(number, 7, number);
    expect(table.bucketCount).toBeLessThan(before / 2);
    expect(memory.pageCount).toBe(table.bucketCount);
    for (let number = 0; number < 20_000; number += 10)
      expect(numbersOf(table, { order: number, hash: 7 })).toEqual([number]);
  });

  test("puts 5,000 numbers of one key into further pages", () => {
    const { memory, table } = makeTable();
    for (let number = 0; number < 5000; number++) {
      memory.relax();
      table.add(WORD_MAX, WORD_MAX, number);
    }
    for (let number = 0; number < 5000; number += 7)
      expect(table.find(WORD_MAX, WORD_MAX, (n) => n === number)).toBe(number);
    for (let number = 0; number < 5000; number++) {
      memory.relax();
      table.remove(WORD_MAX, WORD_MAX, number);
    }
    expect(table.find(WORD_MAX, WORD_MAX, () => true)).toBe(NOT_FOUND);
    expect(memory.pageCount).toBe(0);
  });
});
