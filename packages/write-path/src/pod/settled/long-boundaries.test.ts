import { PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import { expect, test } from "vitest";
import { settledEntryOf } from "../../testing/index.ts";
import { PackedEntries } from "./packed-entries.ts";

/** Three rows fill a block. */
const NOTE = "m".repeat(950);

/**
 * A node with many boundaries of nearly equal names of 1,004 bytes is joined with one that has a single child, where
 * the first of them shares nothing with the row before it.
 */
test.each([279, 282, 285, 288])(
  "nodes whose boundaries have long names are joined, after %i keys",
  (count) => {
    const packed = new PackedEntries(new PageMemory({ heldPagesMax: 256, file: new ArrayFile() }));
    const keyOf = (letter: string, at: number) => `${letter.repeat(1000)}${String(at).padStart(4, "0")}`;
    let arrival = 0;
    const put = (letter: string, at: number) => {
      const entry = settledEntryOf(++arrival, { key: keyOf(letter, at), userMetadata: { note: NOTE } });
      packed.put(entry);
      return entry.upload.uploadId;
    };
    const first = Array.from({ length: count }, (_, at) => put("g", at));
    for (let at = 0; at < 90; at += 1) put("h", at);
    for (const uploadId of first.slice(1, -3).reverse()) packed.remove(uploadId);
    expect([...packed.values()].map(({ upload }) => upload.key)).toEqual([
      keyOf("g", 0),
      ...[3, 2, 1].map((before) => keyOf("g", count - before)),
      ...Array.from({ length: 90 }, (_, at) => keyOf("h", at)),
    ]);
  },
);

/** Each folder has several blocks, so that the boundaries between them, of 1,087 bytes, share nothing with those of others. */
test("nodes with three boundaries of the longest names are split and joined", () => {
  const memory = new PageMemory({ heldPagesMax: 256, file: new ArrayFile() });
  const packed = new PackedEntries(memory);
  const pagesBefore = memory.pageCount;
  const [bucket, count] = ["b".repeat(63), 1200];
  const keyAt = (at: number) => {
    const folder = String((at * 7919) % 200).padStart(3, "0");
    return `${folder.repeat(340)}${String((at * 31) % count).padStart(4, "0")}`;
  };
  const entries = Array.from({ length: count }, (_, at) =>
    settledEntryOf(at + 1, { bucket, key: keyAt(at), userMetadata: { note: NOTE } }),
  );
  for (const entry of entries) packed.put(entry);
  const keys = entries.map(({ upload }) => upload.key).sort();
  expect([...packed.values()].map(({ upload }) => upload.key)).toEqual(keys);
  for (const { upload } of entries) packed.remove(upload.uploadId);
  expect(memory.pageCount).toBe(pagesBefore);
});
