import fc from "fast-check";
import { expect, test } from "vitest";
import type { DiskFile } from "./disk.ts";
import { RecordIndex } from "./record-index.ts";
import { KEY_WORDS, keyOfHeader, keyOfWords, recordKeyWord } from "./record-key.ts";
import { Entry, Segment } from "./segment.ts";
import { makeRecordId } from "./testing/index.ts";

const BYTES = 128;
const keyOfNumber = (number: number): string => keyOfHeader(makeRecordId(number));
const keyWords = (key: string): Uint32Array =>
  Uint32Array.from({ length: KEY_WORDS }, (_, word) => recordKeyWord(key, word));

/** An index of one segment, and the answers it must give. */
class Bench {
  readonly segment = new Segment(0, { sizeBytes: 65_536 } as DiskFile);
  readonly index = new RecordIndex([this.segment]);
  readonly truth = new Map<string, number>();
  #lsn = 0;

  /** Adds a record as recovery does: it rests unless the index has ever known its key. */
  find(key: string): void {
    const lsn = ++this.#lsn;
    const place = { segment: this.segment, offset: lsn * BYTES, bytes: BYTES, lsn };
    if (!this.index.rest({ words: keyWords(key), ...place, number: lsn })) this.#put(key, lsn);
    this.truth.set(key, lsn);
  }

  /** As the writer appends one. */
  append(key: string): void {
    const lsn = ++this.#lsn;
    this.#put(key, lsn);
    this.truth.set(key, lsn);
  }

  #put(key: string, lsn: number): void {
    this.index.get(key);
    const entry = new Entry(key, this.segment, lsn * BYTES, BYTES, lsn, []);
    this.segment.cells.push(entry);
    this.index.set(key, entry);
  }

  /** As the volume does once nothing relies on the record's entry. */
  settle(key: string): void {
    const entry = this.index.get(key);
    if (entry !== undefined) this.index.restAgain(entry);
  }

  remove(key: string): void {
    if (this.index.get(key) !== undefined) this.index.delete(key);
    this.truth.delete(key);
  }
}

test("a key equals its words", () => {
  for (const number of [0, 1, 255, 65_536, 4_294_967_295]) {
    const key = keyOfNumber(number);
    expect(keyOfWords(keyWords(key), 0)).toBe(key);
  }
});

test("resting and woken records resolve keys as a map would, and cells stay in the order of the log", () => {
  const step = fc.tuple(
    fc.constantFrom("find", "find", "append", "append", "settle", "settle", "remove", "ask"),
    fc.integer({ min: 0, max: 40 }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const bench = new Bench();
      for (const [deed, number] of steps) {
        const key = keyOfNumber(number);
        if (deed === "ask") expect(bench.index.get(key)?.lsn).toBe(bench.truth.get(key));
        else bench[deed](key);
        expect(bench.index.has(key)).toBe(bench.truth.has(key));
        expect(bench.index.size).toBe(bench.truth.size);
      }
      const { segment, index, truth } = bench;
      const meant = segment.cells.filter((cell) => index.isMeant(cell)).map((cell) => index.look(cell));
      expect(meant.map(({ key, lsn }) => [key, lsn])).toEqual([...truth].sort((a, b) => a[1] - b[1]));
      const offsets = index.entriesOf(segment).map(({ offset }) => offset);
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    }),
  );
});

test("a key that was deleted leaves no row behind, however often that happens", () => {
  const bench = new Bench();
  for (let number = 0; number < 20_000; number += 1) {
    bench.append(keyOfNumber(number));
    bench.settle(keyOfNumber(number));
    if (number >= 10) bench.remove(keyOfNumber(number - 10));
  }
  expect(bench.index.size).toBe(10);
  expect(bench.index.rowCount).toBeLessThan(20);
  for (let number = 19_990; number < 20_000; number += 1) {
    expect(bench.index.get(keyOfNumber(number))?.lsn).toBe(number + 1);
  }
});

test("many records rest and are found again, each under its key", () => {
  const bench = new Bench();
  const count = 5000;
  for (let number = 0; number < count; number += 1) bench.find(keyOfNumber(number));
  for (let number = 0; number < count; number += 1) {
    expect(bench.index.get(keyOfNumber(number))?.lsn).toBe(number + 1);
  }
  expect(bench.index.has(keyOfNumber(count))).toBe(false);
});
