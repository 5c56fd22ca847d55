import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PAGE_BYTES } from "../page-buffer.ts";
import { ScratchFile } from "./scratch-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scratch-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pageOf = (byte: number) => Buffer.alloc(PAGE_BYTES, byte);
const readPage = (file: ScratchFile, page: number) => {
  const bytes = Buffer.alloc(PAGE_BYTES);
  file.read(page, bytes);
  return bytes;
};

test("pages are read back from an unnamed file", () => {
  const file = new ScratchFile(folder, "index");
  for (const page of [5, 0, 2000]) file.write(page, pageOf(page % 256));
  file.write(5, pageOf(9));
  expect(readdirSync(folder)).toEqual([]);
  expect(
    [5, 0, 2000].map((page) => readPage(file, page).equals(pageOf(page === 5 ? 9 : page % 256))),
  ).toEqual([true, true, true]);
  expect(file.byteLength).toBe(2001 * PAGE_BYTES);
  file.close();
});

test("a page past the end of the file cannot be read", () => {
  const file = new ScratchFile(folder, "index");
  file.write(3, pageOf(1));
  expect(() => readPage(file, 4)).toThrow("ends before slot 4");
  file.close();
});

test("another process continues with the pages of a kept file", async () => {
  const file = new ScratchFile(folder, "index", "named");
  file.write(3, pageOf(7));
  await promisify(file.sync.bind(file))();
  file.close();
  const kept = new ScratchFile(folder, "index", "kept");
  expect(kept.byteLength).toBe(4 * PAGE_BYTES);
  expect(readPage(kept, 3).equals(pageOf(7))).toBe(true);
  kept.clear();
  expect(kept.byteLength).toBe(0);
  kept.remove();
  expect(readdirSync(folder)).toEqual([]);
  kept.close();
});

test("a file that was replaced by another leaves that one unchanged", () => {
  const before = new ScratchFile(folder, "index", "named");
  const after = new ScratchFile(folder, "index", "named");
  before.remove();
  expect(readdirSync(folder)).toEqual(["index"]);
  for (const file of [before, after]) file.close();
});

test("a folder that does not exist is named in the error", () => {
  expect(() => new ScratchFile(join(folder, "none"), "index")).toThrow("none/index");
});
