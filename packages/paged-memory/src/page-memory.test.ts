import { expect, test } from "vitest";
import { PAGE_WORDS } from "./page-buffer.ts";
import { PageMemory, type SavedPages } from "./page-memory.ts";
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

test("a frequently used page stays in memory while others are evicted", () => {
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

test("a freed page is reused, empty", () => {
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

test("a file without space keeps pages in memory, and writes them later", () => {
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

test("a page that cannot be read is an error on each attempt, and can be read later", () => {
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

test("reads alone do not fill memory while the file accepts no pages", () => {
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

test("pages leave memory once the file accepts them again, without further growth", () => {
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

test("pages that were saved are adopted by another memory, along with the free ones", () => {
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

test("a stale page fails its checksum", () => {
  const file = new ArrayFile();
  const memory = new PageMemory({ heldPagesMax: 2, file, checksum: sumOf });
  const [page = 0] = fill(memory, 5);
  memory.save();
  memory.keep({ slots: new Int32Array(0) });
  const earlier = file.copy();
  memory.change(page).words[3] = 77;
  const saved = memory.save();
  const later = new PageMemory({ heldPagesMax: 2, file: earlier, checksum: sumOf });
  later.adopt(saved);
  expect(() => later.look(page)).toThrow("it fails its checksum");
});

test("pages that were saved stay as they were while they change, until later ones are kept", () => {
  const file = new ArrayFile();
  const memory = new PageMemory({ heldPagesMax: 4, file, checksum: sumOf });
  const pages = fill(memory, 40);
  for (const page of pages.slice(30)) memory.free(page);
  const isWhole = (saved: SavedPages, firstWord: (page: number) => number) => {
    const adopted = new PageMemory({ heldPagesMax: 4, file: file.copy(), checksum: sumOf });
    adopted.adopt(saved);
    return pages.slice(0, 30).every((page) => {
      adopted.relax();
      return adopted.look(page).words[0] === firstWord(page);
    });
  };
  const changeAll = (round: number) => {
    for (const page of pages.slice(0, 30)) {
      memory.relax();
      memory.change(page).words[0] = page + 1000 * round;
    }
    memory.relax();
  };
  const first = memory.save();
  memory.keep(first);
  changeAll(1);
  expect(isWhole(first, (page) => page + 1)).toBe(true);
  const second = memory.save();
  changeAll(2);
  for (const page of pages.slice(20, 30)) memory.free(page);
  for (let each = 0; each < 10; each++) memory.change(memory.allocate()).words[0] = 1;
  // A kill may come before the second one is durable, or after it.
  expect([isWhole(first, (page) => page + 1), isWhole(second, (page) => page + 1000)]).toEqual([true, true]);
  memory.keep(second);
  changeAll(3);
  expect(isWhole(second, (page) => page + 1000)).toBe(true);
  expect(() => isWhole(first, (page) => page + 1)).toThrow("it fails its checksum");
});

test("slots of an abandoned save are reused, and those of the kept one are not", () => {
  const file = new ArrayFile();
  const memory = new PageMemory({ heldPagesMax: 4, file, checksum: sumOf });
  const pages = fill(memory, 30);
  const kept = memory.save();
  memory.keep(kept);
  for (let round = 0; round < 20; round++) {
    for (const page of pages) {
      memory.relax();
      memory.change(page).words[0] = 1000 + round;
    }
    expect(Math.max(...memory.save().slots)).toBeLessThan(90);
    memory.forgetSaved();
  }
  const adopted = new PageMemory({ heldPagesMax: 4, file, checksum: sumOf });
  adopted.adopt(kept);
  expect(pages.every((page) => isIntact(adopted, page))).toBe(true);
});

test("slots of replaced pages are reused", () => {
  const file = new ArrayFile();
  const memory = new PageMemory({ heldPagesMax: 4, file, checksum: sumOf });
  const pages = fill(memory, 30);
  for (let round = 0; round < 20; round++) {
    memory.keep(memory.save());
    for (const page of pages) {
      memory.relax();
      memory.change(page).words[0] = round;
    }
  }
  expect(Math.max(...memory.save().slots)).toBeLessThan(60);
});
