import { PAGE_BYTES, PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import { expect, test } from "vitest";
import { settledEntryOf } from "../../testing/index.ts";
import type { EntryView } from "../entry.ts";
import { BLOCK_BYTES_MAX } from "./block.ts";
import { PackedEntries } from "./packed-entries.ts";
import { RowEncoder } from "./row.ts";

const PAGE_OF_CHAIN = PAGE_BYTES - 4;
const name = (number: number) => `key ${String(number).padStart(4, "0")}`;

const entryOf = (number: number, note: string) =>
  settledEntryOf(number, { key: name(number), userMetadata: { note } });

/** Returns an entry whose row has exactly this length when it is alone in a block. */
function entryOfLength(number: number, rowBytes: number): EntryView<number> {
  const bytesOf = (entry: EntryView<number>): number => {
    const { head, tail } = new RowEncoder().encode(entry);
    // The name begins with the bucket and a slash, after two numbers of a byte each.
    return head.length + 2 + "photos/".length + name(number).length + tail.length;
  };
  const about = entryOf(number, "x".repeat(rowBytes - 200));
  return entryOf(number, "x".repeat(rowBytes - 200 + rowBytes - bytesOf(about)));
}

const LENGTHS = [
  BLOCK_BYTES_MAX - 1,
  BLOCK_BYTES_MAX,
  BLOCK_BYTES_MAX + 1,
  PAGE_OF_CHAIN,
  PAGE_OF_CHAIN + 1,
  10 * PAGE_OF_CHAIN,
  10 * PAGE_OF_CHAIN + 1,
];

test.each(LENGTHS)(
  "a row of %i bytes is stored between short ones, found, listed and removed",
  (rowBytes) => {
    const memory = new PageMemory({ heldPagesMax: 3, file: new ArrayFile() });
    const packed = new PackedEntries(memory);
    const pagesBefore = memory.pageCount;
    const entries = Array.from({ length: 200 }, (_, at) =>
      at % 50 === 25 ? entryOfLength(at + 1, rowBytes) : entryOf(at + 1, "short"),
    );
    const inNoOrder = entries.map((_, at) => entries[(at * 77) % 200] as EntryView<number>);
    for (const entry of inNoOrder) packed.put(entry);
    for (const entry of entries) {
      expect(packed.get(entry.upload.uploadId)).toEqual(entry);
      expect(packed.versionsOf(entry.upload)).toEqual([entry]);
      expect(packed.atArrival(entry.arrival)).toEqual(entry);
    }
    expect([...packed.values()]).toEqual(entries);
    const cursor = packed.keysFrom("photos", "");
    for (const { upload } of entries) expect(cursor.next()).toBe(upload.key);
    expect(cursor.next()).toBeNull();
    for (const { upload } of inNoOrder) packed.remove(upload.uploadId);
    expect([...packed.values()]).toEqual([]);
    expect(memory.pageCount).toBe(pagesBefore);
  },
);

test("the only row of a block has the intended length", () => {
  const memory = new PageMemory();
  const pagesOf = (rowBytes: number): number => {
    const packed = new PackedEntries(memory);
    const before = memory.pageCount;
    packed.put(entryOfLength(1, rowBytes));
    return memory.pageCount - before;
  };
  // One page each is of arrivals, of pointers and of the table, and a chain comes on top of its block.
  expect(LENGTHS.map(pagesOf)).toEqual([3, 3, 4, 4, 5, 13, 14]);
});
