import { expect, test } from "vitest";
import { PAGE_WORDS } from "./page-buffer.ts";
import { PageMemory } from "./page-memory.ts";
import { ArrayFile } from "./testing/array-file.ts";

const limited = (heldPagesMax: number) => {
  const file = new ArrayFile();
  return { file, memory: new PageMemory({ heldPagesMax, file }) };
};

/** Allocates pages that hold their own numbers. */
function fill(memory: PageMemory, count: number): number[] {
  return Array.from({ length: count }, () => {
    memory.relax();
    const page = memory.allocate();
    memory.change(page).words.fill(page + 1);
    return page;
  });
}

const isIntact = (memory: PageMemory, page: number) => {
  memory.relax();
  return memory.look(page).words.every((word) => word === page + 1);
};

test("pages above the limit are in the file and come back as they were", () => {
  const { file, memory } = limited(4);
  const pages = fill(memory, 100);
  memory.relax();
  expect(memory.heldCount).toBe(4);
  expect(memory.pageCount).toBe(100);
  expect(pages.filter((page) => !isIntact(memory, page))).toEqual([]);
  expect(file.readCount).toBeGreaterThanOrEqual(96);
});

test("memory without a file holds all pages", () => {
  const memory = new PageMemory();
  const pages = fill(memory, 200);
  expect(memory.heldCount).toBe(200);
  expect(pages.filter((page) => !isIntact(memory, page))).toEqual([]);
});

test("a page that was only looked at is not written again", () => {
  const { file, memory } = limited(2);
  const pages = fill(memory, 10);
  memory.relax();
  const written = file.writeCount;
  for (const page of pages) isIntact(memory, page);
  memory.relax();
  expect(file.writeCount).toBeLessThanOrEqual(written + 2);
});

test("pages in use stay valid until the next operation, even above the limit", () => {
  const { memory } = limited(2);
  const pages = fill(memory, 10);
  memory.relax();
  const buffers = pages.map((page) => memory.look(page));
  expect(buffers.map(({ words }) => words[0])).toEqual(pages.map((page) => page + 1));
  memory.relax();
  expect(memory.heldCount).toBe(2);
});

test("a page used often stays while others go", () => {
  const { file, memory } = limited(3);
  const [often = 0, ...others] = fill(memory, 12);
  memory.look(often);
  memory.relax();
  const before = file.readCount;
  for (const page of others) {
    memory.look(often);
    memory.relax();
    memory.look(page);
  }
  expect(file.readCount - before).toBeLessThanOrEqual(others.length + 1);
});

test("a freed page is given again, empty", () => {
  const { memory } = limited(2);
  const pages = fill(memory, 6);
  memory.relax();
  for (const page of pages.slice(0, 3)) memory.free(page);
  expect(memory.pageCount).toBe(3);
  const again = Array.from({ length: 3 }, () => memory.allocate());
  expect(again.sort()).toEqual(pages.slice(0, 3));
  for (const page of again) expect(memory.look(page).words.every((word) => word === 0)).toBe(true);
  expect(pages.slice(3).filter((page) => !isIntact(memory, page))).toEqual([]);
});

test("a file without space keeps pages in memory, and takes them later", () => {
  const { file, memory } = limited(16);
  file.failure = new Error("no space");
  const pages = fill(memory, 64);
  expect(memory.heldCount).toBe(64);
  expect(memory.error?.message).toBe("no space");
  file.failure = null;
  pages.push(...fill(memory, 4));
  memory.relax();
  expect(memory.error).toBeNull();
  expect(memory.heldCount).toBe(16);
  expect(pages.filter((page) => !isIntact(memory, page))).toEqual([]);
});

test("a page that cannot be read is an error each time and can be read later", () => {
  const { file, memory } = limited(1);
  const [first = 0] = fill(memory, 3);
  memory.relax();
  const read = file.read.bind(file);
  file.read = () => {
    throw new Error("EIO");
  };
  expect(() => memory.look(first)).toThrow("EIO");
  expect(() => memory.look(first)).toThrow("EIO");
  file.read = read;
  expect(isIntact(memory, first)).toBe(true);
});

test("a change that was not announced is found in tests", () => {
  const { memory } = limited(1);
  const [first = 0] = fill(memory, 3);
  memory.relax();
  memory.look(first).words[PAGE_WORDS - 1] = 7;
  expect(() => {
    for (let turn = 0; turn < 4; turn++) fill(memory, 1);
  }).toThrow("was changed unannounced");
});

test("reads alone do not fill memory while the file takes nothing", () => {
  const { file, memory } = limited(16);
  const pages = fill(memory, 400);
  memory.relax();
  file.failure = new Error("no space");
  fill(memory, 20);
  for (const page of pages) {
    memory.relax();
    memory.look(page);
  }
  memory.relax();
  expect(memory.heldCount).toBeLessThan(16 + 20 + 4);
});

test("pages leave memory once the file takes them again, without further growth", () => {
  const { file, memory } = limited(16);
  file.failure = new Error("no space");
  fill(memory, 64);
  file.failure = null;
  memory.tryAgain();
  memory.relax();
  expect(memory.heldCount).toBe(16);
  expect(memory.error).toBeNull();
});

test("many pages that waited for the file are written in parts", () => {
  const { file, memory } = limited(16);
  file.failure = new Error("no space");
  fill(memory, 3000);
  file.failure = null;
  memory.tryAgain();
  memory.relax();
  expect(memory.heldCount).toBeGreaterThan(1500);
  for (let operation = 0; operation < 4; operation++) memory.relax();
  expect(memory.heldCount).toBe(16);
});

const sumOf = (bytes: Uint8Array) => bytes.reduce((sum, byte) => (sum * 31 + byte) >>> 0, 0);

test("pages that were saved are adopted by another memory, with those that are free", () => {
  const file = new ArrayFile();
  const memory = new PageMemory({ heldPagesMax: 4, file, checksum: sumOf });
  const pages = fill(memory, 30);
  for (const page of pages.slice(10, 15)) memory.free(page);
  const adopted = new PageMemory({ heldPagesMax: 4, file: file.copy(), checksum: sumOf });
  const saved = memory.save();
  const later = new PageMemory({ heldPagesMax: 4, file: file.copy(), checksum: sumOf });
  later.adopt(saved);
  expect(later.pageCount).toBe(25);
  expect(later.heldCount).toBe(0);
  expect([...pages.slice(0, 10), ...pages.slice(15)].every((page) => isIntact(later, page))).toBe(true);
  expect(later.allocate()).toBe(pages[14]);
  // The file was copied before the last pages were written.
  adopted.adopt(saved);
  expect(() => pages.map((page) => isIntact(adopted, page))).toThrow();
});

test("a page as it was at an earlier time fails its checksum", () => {
  const file = new ArrayFile();
  const memory = new PageMemory({ heldPagesMax: 2, file, checksum: sumOf });
  const [page = 0] = fill(memory, 5);
  memory.save();
  const earlier = file.copy();
  memory.change(page).words[3] = 77;
  const saved = memory.save();
  const later = new PageMemory({ heldPagesMax: 2, file: earlier, checksum: sumOf });
  later.adopt(saved);
  expect(() => later.look(page)).toThrow("it fails its checksum");
});
