import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

test("pages come back from a file that has no name", () => {
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

test("a page that was never written fails its checksum", () => {
  const file = new ScratchFile(folder, "index");
  file.write(3, pageOf(1));
  expect(() => readPage(file, 1)).toThrow("Page 1 of the index fails its checksum");
  expect(() => readPage(file, 4)).toThrow("ends before page 4");
  file.close();
});

test("a folder that does not exist is named in the error", () => {
  expect(() => new ScratchFile(join(folder, "none"), "index")).toThrow("none/index");
});
