import { PAGE_BYTES, PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import { describe, expect, test } from "vitest";
import { Positions } from "./positions.ts";

const uploadIdOf = (number: number): string => number.toString(16).padStart(32, "0");
const a = { uploadId: uploadIdOf(10), shardIndex: 0 };

describe.each([
  ["unlimited", () => new PageMemory()],
  ["limited", () => new PageMemory({ heldPagesMax: 2, file: new ArrayFile() })],
])("with %s memory", (_name, makeMemory) => {
  test("a name is dead once its last position is released, and each position refers to its name until then", () => {
    const positions = new Positions(makeMemory());
    positions.reserve(a, false);
    const first = positions.give(a.uploadId, 0);
    positions.reserve(a, true);
    const second = positions.give(a.uploadId, 0);
    expect([positions.nameOf(first), positions.nameOf(second)]).toEqual([a, a]);
    expect(positions.release(first)).toBe(null);
    expect(positions.nameOf(first)).toBe(null);
    expect(positions.release(first)).toBe(null);
    expect(positions.release(second)).toEqual(a);
  });

  test("a failed append does not keep its name alive", () => {
    const positions = new Positions(makeMemory());
    positions.reserve(a, false);
    const held = positions.give(a.uploadId, 0);
    positions.reserve(a, true);
    positions.cancel(a);
    expect(positions.release(held)).toEqual(a);
  });

  test("positions are not reused after their release, and free their pages", () => {
    const memory = makeMemory();
    const positions = new Positions(memory);
    const given = Array.from({ length: 1000 }, (_, at) => positions.give(uploadIdOf(at), at % 20));
    expect(given.map((position) => positions.release(position))).toEqual(
      given.map((_, at) => ({ uploadId: uploadIdOf(at), shardIndex: at % 20 })),
    );
    expect(given).not.toContain(positions.give(uploadIdOf(5000), 0));
    expect(given.every((position) => positions.nameOf(position) === null)).toBe(true);
    // The last group is not full.
    expect(memory.pageCount).toBe(1);
  });

  test("a page is freed only once its whole group was assigned", () => {
    const memory = makeMemory();
    const positions = new Positions(memory);
    const count = Math.floor(PAGE_BYTES / 18) - 1;
    for (let at = 0; at < count; at += 1) positions.release(positions.give(uploadIdOf(at), 0));
    expect(memory.pageCount).toBe(1);
    const last = positions.give(uploadIdOf(count), 0);
    expect(memory.pageCount).toBe(1);
    positions.release(last);
    expect(memory.pageCount).toBe(0);
  });
});
