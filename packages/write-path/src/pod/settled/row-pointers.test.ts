import { type Page, PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { NameBuffer } from "./name-buffer.ts";
import { TIME_BYTES } from "./row.ts";
import { RowPointers } from "./row-pointers.ts";

interface Pointer {
  readonly page: Page;
  readonly key: string;
  readonly time: number;
  readonly hash: number;
  readonly arrival: number;
}

const anyKey = fc.oneof(
  fc.nat(30).map((number) => `photos/2026/${number}.jpg`),
  fc.nat(30).map((number) => `${"deep/".repeat(200)}${number}`),
  fc.string({ maxLength: 8 }),
);
/** Hashes and arrivals of which a pointer has the same bits. */
const anyHash = fc.nat(2).map((number) => 7 + number * 0xffff);
const anyArrival = fc.nat(2).map((number) => 5 + number * 0x10000);
const anyPointer = fc.record({ key: anyKey, time: fc.nat(2 ** 47), hash: anyHash, arrival: anyArrival });

function makePointers() {
  const memory = new PageMemory({ heldPagesMax: 2, file: new ArrayFile() });
  const pointers = new RowPointers(memory);
  const [name, version] = [new NameBuffer(), Buffer.alloc(28)];
  const add = (each: Omit<Pointer, "page">): Pointer => {
    memory.relax();
    name.set({ bucket: "photos", key: each.key });
    version.writeUIntBE(each.time, 0, TIME_BYTES);
    return { page: pointers.add(name, version, each.hash, each.arrival), ...each };
  };
  /** Returns the offset of the pointer. */
  const find = ({ page, key, time, hash, arrival }: Pointer, by: "hash" | "arrival"): number => {
    let found = -1;
    const isMeant = (itsPage: Page, at: number) => {
      pointers.read(itsPage, at, name, version);
      const isSame = name.parse().key === key && version.readUIntBE(0, TIME_BYTES) === time;
      if (isSame) found = at;
      return isSame;
    };
    memory.relax();
    const isFound =
      by === "hash" ? pointers.findHash(page, hash, isMeant) : pointers.findArrival(page, arrival, isMeant);
    expect(isFound).toBe(found >= 0);
    return found;
  };
  return { memory, pointers, add, find };
}

test("pointers are found by upload id and by arrival until they are removed", () => {
  fc.assert(
    fc.property(fc.array(anyPointer, { maxLength: 150 }), fc.nat(5), (described, step) => {
      const { memory, pointers, add, find } = makePointers();
      const isUnique = ({ key, time }: Omit<Pointer, "page">, at: number) =>
        described.findIndex((other) => other.key === key && other.time === time) === at;
      const all = described.filter(isUnique).map(add);
      const [gone, kept] = [0, 1].map((part) =>
        all.filter((_, at) => (at % (step + 2) === 0) === (part === 0)),
      );
      for (const pointer of gone as Pointer[]) pointers.remove(pointer.page, find(pointer, "hash"));
      for (const pointer of kept as Pointer[]) {
        expect(find(pointer, "hash")).toBeGreaterThanOrEqual(0);
        expect(find(pointer, "arrival")).toBe(find(pointer, "hash"));
      }
      const keptPages = new Set((kept as Pointer[]).map(({ page }) => page));
      for (const pointer of gone as Pointer[])
        if (keptPages.has(pointer.page)) expect(find(pointer, "arrival")).toBe(-1);
      for (const pointer of kept as Pointer[]) pointers.remove(pointer.page, find(pointer, "arrival"));
      expect(memory.pageCount).toBe(0);
    }),
  );
});
