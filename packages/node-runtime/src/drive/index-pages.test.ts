import { mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAGE_BYTES } from "@stashlight/paged-memory";
import type { SavedBoot } from "@stashlight/shard-store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { IndexPages } from "./index-pages.ts";

const HELD_PAGES = 128;

let folder: string;
let pages: IndexPages | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "index-"));
});
afterEach(() => {
  pages?.close();
  rmSync(folder, { recursive: true });
});

function open(indexFolder: string | null = null): IndexPages {
  const drive = { path: indexFolder === null ? folder : join(folder, "no drive"), driveId: "d1" };
  pages = new IndexPages({ heldBytesMax: HELD_PAGES * PAGE_BYTES, folder: indexFolder }, drive, () => 0);
  return pages;
}

function allocate({ memory }: IndexPages, count: number): void {
  for (let page = 0; page < count; page++) {
    memory.relax();
    memory.allocate();
  }
  memory.relax();
}

test.each([null, "own"])(
  "pages above the limit are in a file in the %s folder, which the next boot removes",
  (name) => {
    const opened = open(name === null ? null : folder);
    allocate(opened, HELD_PAGES);
    expect(opened.use()).toEqual({ heldBytes: HELD_PAGES * PAGE_BYTES, fileBytes: 0, error: null });
    allocate(opened, 40);
    const { heldBytes, fileBytes } = opened.use();
    expect(heldBytes).toBe(HELD_PAGES * PAGE_BYTES);
    expect(fileBytes).toBeGreaterThanOrEqual(40 * PAGE_BYTES);
    expect(readdirSync(folder)).toEqual(["index-d1.partial"]);
    opened.close();
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("the number of records that fit follows from the free space and the pages per record", () => {
  const opened = open();
  const { bavail, bsize } = statfsSync(folder);
  const empty = opened.recordsUntilFull(0);
  // Other processes use the same file system.
  expect(empty / ((bavail * bsize) / 600)).toBeCloseTo(1, 1);
  allocate(opened, 2000);
  expect(opened.recordsUntilFull(100_000) / empty).toBeCloseTo(300 / ((2000 * PAGE_BYTES) / 100_000), 2);
});

test("an index is saved unless its pages take twice as many bytes per record as when it was built", () => {
  const opened = open();
  allocate(opened, 10_000);
  opened.started(100_000);
  allocate(opened, 10_000);
  expect(opened.refusalToSave(100_000)).toBeNull();
  allocate(opened, 1);
  expect(opened.refusalToSave(100_000)).toBe("its pages are half empty");
  expect(opened.refusalToSave(101_000)).toBeNull();
});

test("a small index is saved although most of its pages are empty", () => {
  const opened = open();
  allocate(opened, 10_000);
  opened.started(3);
  expect(opened.refusalToSave(3)).toBeNull();
});

test("a root that cannot be encoded is not written, and the reason is reported", () => {
  const boot = { log: () => {} } as unknown as SavedBoot;
  expect(() => open().files.prepareRoot(boot)).toThrow("could not be cloned");
});
