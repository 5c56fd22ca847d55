import { PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import { describe, expect, test } from "vitest";
import { settledEntryOf } from "../../testing/index.ts";
import type { EntryView } from "../entry.ts";
import { PackedEntries } from "./packed-entries.ts";

/** Entries of which few pages are in memory. */
class LimitedEntries {
  readonly file = new ArrayFile();
  readonly memory = new PageMemory({ heldPagesMax: 48, file: this.file });
  readonly packed = new PackedEntries(this.memory);
  readonly entries: EntryView<number>[];

  constructor(count: number, keyAt: (at: number) => string) {
    this.entries = Array.from({ length: count }, (_, at) => settledEntryOf(at + 1, { key: keyAt(at) }));
    for (const entry of this.entries) this.packed.put(entry);
  }

  /** Pages that an operation loads on average, of one with each 37th entry. */
  loads(operation: (entry: EntryView<number>) => void): number {
    const some = this.entries.filter((_, at) => at % 37 === 0);
    const before = this.file.readCount;
    for (const entry of some) operation(entry);
    return (this.file.readCount - before) / some.length;
  }
}

const scattered = (at: number): string => (Math.imul(at + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");

describe("pages that are loaded while 48 of a thousand are in memory", () => {
  const limited = new LimitedEntries(30_000, (at) => `${scattered(at)}.jpg`);
  const { packed } = limited;

  test("a lookup by id loads its places in the table and among the pointers, and its block", () => {
    expect(limited.memory.pageCount).toBeGreaterThan(1000);
    expect(limited.loads(({ upload }) => packed.get(upload.uploadId))).toBeLessThan(3.3);
  });

  test("a lookup by name loads its block", () => {
    expect(limited.loads(({ upload }) => packed.versionsOf(upload))).toBeLessThan(1.3);
  });

  test("a list loads each block once", () => {
    const loads = limited.loads(({ upload }) => {
      const cursor = packed.keysFrom("photos", upload.key);
      for (let count = 0; count < 100; count += 1) cursor.next();
    });
    expect(loads).toBeLessThan(1 + 100 / 15 + 1);
  });

  test("a change of an entry loads a few pages", () => {
    const loads = limited.loads((entry) => {
      packed.remove(entry.upload.uploadId);
      packed.put(entry);
    });
    expect(loads).toBeLessThan(4);
  });
});

test("a put in random order loads a few pages, even for keys that share 900 bytes", () => {
  const limited = new LimitedEntries(10_000, (at) => `${"deep/".repeat(180)}${scattered(at)}`);
  expect(limited.file.readCount / 10_000).toBeLessThan(4);
});

test("inserting or removing a version of an object loads only a few pages, however many versions it has", () => {
  const limited = new LimitedEntries(20_000, () => "cat");
  expect(limited.file.readCount / 20_000).toBeLessThan(3);
  const removed = limited.loads(({ upload }) => limited.packed.remove(upload.uploadId));
  expect(removed).toBeLessThan(4);
});
