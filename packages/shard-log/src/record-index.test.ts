import { PageMemory } from "@stashlight/paged-memory";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEAD } from "./cells.ts";
import type { DiskFile } from "./disk.ts";
import { RecordIndex } from "./record-index.ts";
import { KEY_WORDS, keyOfHeader, keyOfWords, recordKeyWord } from "./record-key.ts";
import { Entry, Segment } from "./segment.ts";
import { fewPages, makeRecordId } from "./testing/index.ts";

const BYTES = 128;
const keyOfNumber = (number: number): string => keyOfHeader(makeRecordId(number));
const keyWords = (key: string): Uint32Array =>
  Uint32Array.from({ length: KEY_WORDS }, (_, word) => recordKeyWord(key, word));

/** An index of one segment, and the answers it must give. */
class Bench {
  readonly memory: PageMemory;
  readonly segment: Segment;
  readonly index: RecordIndex;
  readonly truth = new Map<string, number>();
  #lsn = 0;

  constructor(memory: PageMemory) {
    this.memory = memory;
    this.segment = new Segment(0, { sizeBytes: 65_536 } as DiskFile, memory);
    this.index = new RecordIndex([this.segment], memory);
  }

  /** Adds a record as recovery does: it rests unless the index knows its key. */
  find(key: string): void {
    const lsn = ++this.#lsn;
    const place = { segment: this.segment, offset: lsn * BYTES, bytes: BYTES, lsn };
    if (!this.index.rest({ words: keyWords(key), ...place })) this.#put(key, lsn);
    this.truth.set(key, lsn);
  }

  /** Appends a record as the writer does. */
  append(key: string): void {
    const lsn = ++this.#lsn;
    this.#put(key, lsn);
    this.truth.set(key, lsn);
  }

  #put(key: string, lsn: number): void {
    const previous = this.index.get(key);
    this.index.add(new Entry(key, this.segment, lsn * BYTES, BYTES, lsn, []));
    if (previous !== undefined) this.index.drop(previous);
  }

  /** Puts a record to rest, as the volume does once nothing relies on its entry. */
  settle(key: string): void {
    const entry = this.index.get(key);
    if (entry !== undefined) this.index.restAgain(entry);
  }

  remove(key: string): void {
    const entry = this.index.get(key);
    if (entry !== undefined) {
      this.index.forget(entry);
      this.index.drop(entry);
    }
    this.truth.delete(key);
  }
}

test("a key is restored from its words", () => {
  for (const number of [0, 1, 255, 65_536, 4_294_967_295]) {
    const key = keyOfNumber(number);
    expect(keyOfWords(keyWords(key), 0)).toBe(key);
  }
});

describe.each([
  ["unlimited", () => new PageMemory()],
  ["limited", fewPages],
])("with %s memory", (_name, makeMemory) => {
  test("resting and woken records resolve keys as a map would, and cells stay in the order of the log", () => {
    const step = fc.tuple(
      fc.constantFrom("find", "find", "append", "append", "settle", "settle", "remove", "ask"),
      fc.integer({ min: 0, max: 40 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const bench = new Bench(makeMemory());
        for (const [deed, number] of steps) {
          const key = keyOfNumber(number);
          if (deed === "ask") expect(bench.index.get(key)?.lsn).toBe(bench.truth.get(key));
          else bench[deed](key);
          expect(bench.index.look(key)?.lsn).toBe(bench.truth.get(key));
          expect(bench.index.has(key)).toBe(bench.truth.has(key));
          expect(bench.index.size).toBe(bench.truth.size);
        }
        const { segment, index, truth } = bench;
        const cells = Array.from({ length: segment.cells.count }, (_, cell) => index.lookAt(segment, cell));
        const looked = cells.filter((entry) => entry !== null).map(({ key, lsn }) => [key, lsn]);
        expect(looked).toEqual([...truth].sort((a, b) => a[1] - b[1]));
        const kept = [...index.keptEntries(segment)].map(({ key, lsn }) => [key, lsn]);
        expect(kept).toEqual(looked);
      }),
    );
  });

  test("deleted keys give back their pages", () => {
    const bench = new Bench(makeMemory());
    for (let number = 0; number < 20_000; number += 1) {
      bench.append(keyOfNumber(number));
      bench.settle(keyOfNumber(number));
      if (number >= 10) bench.remove(keyOfNumber(number - 10));
    }
    expect(bench.index.size).toBe(10);
    bench.segment.cells.clear();
    // One page of rows, and one of the table.
    expect(bench.memory.pageCount).toBe(2);
    for (let number = 19_990; number < 20_000; number += 1) {
      expect(bench.index.get(keyOfNumber(number))?.lsn).toBe(number + 1);
    }
  });

  test("each of many resting records is found under its key", () => {
    const bench = new Bench(makeMemory());
    const count = 20_000;
    for (let number = 0; number < count; number += 1) bench.find(keyOfNumber(number));
    for (let number = 0; number < count; number += 1) {
      expect(bench.index.get(keyOfNumber(number))?.lsn).toBe(number + 1);
    }
    expect(bench.index.has(keyOfNumber(count))).toBe(false);
  });

  test("a record that was dropped leaves a dead cell and a free row", () => {
    const bench = new Bench(makeMemory());
    for (let number = 0; number < 10; number += 1) bench.append(keyOfNumber(number));
    for (let number = 0; number < 9; number += 1) bench.remove(keyOfNumber(number));
    const { cells } = bench.segment;
    const rows = Array.from({ length: cells.count }, (_, cell) => cells.rowAt(cell));
    expect(rows.slice(0, 9)).toEqual(Array(9).fill(DEAD));
    expect(rows[9]).not.toBe(DEAD);
    expect(bench.index.awakeCount).toBe(1);
  });
});

test("an index of 20,000 records holds only the limit of its memory and the pages of one call", () => {
  const bench = new Bench(fewPages());
  for (let number = 0; number < 20_000; number += 1) bench.find(keyOfNumber(number));
  expect(bench.memory.pageCount).toBeGreaterThan(120);
  expect(bench.memory.heldCount).toBeLessThan(3 + 5);
});
