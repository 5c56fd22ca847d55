import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openSpoolFolder, type SpoolFiles } from "./files.ts";
import { Spool, type SpoolOptions } from "./spool.ts";

const WINDOW_MS = 10_000;
const HEAD_BYTES = 24;

/** A disk of `bytesMax` that keeps the part of a failed write that fitted, as a file system does. */
class Files implements SpoolFiles {
  readonly contents = new Map<string, Uint8Array>();
  bytesMax = Number.POSITIVE_INFINITY;

  async list(): Promise<string[]> {
    return [...this.contents.keys()].reverse();
  }
  async read(name: string): Promise<Uint8Array> {
    const bytes = this.contents.get(name);
    if (bytes === undefined) throw new Error("ENOENT");
    return bytes;
  }
  async append(name: string, bytes: Uint8Array): Promise<void> {
    const used = [...this.contents.values()].reduce((sum, { length }) => sum + length, 0);
    const taken = bytes.subarray(0, Math.max(0, this.bytesMax - used));
    this.contents.set(name, Buffer.concat([this.contents.get(name) ?? new Uint8Array(0), taken]));
    if (taken.length < bytes.length) throw new Error("ENOSPC");
  }
  async remove(name: string): Promise<void> {
    this.contents.delete(name);
  }
  async replace(name: string, bytes: Uint8Array): Promise<void> {
    this.contents.set(name, bytes);
  }
}

let nowMs = 0;
const open = (files: SpoolFiles, changes: Partial<SpoolOptions> = {}): Promise<Spool> =>
  Spool.open({
    files,
    bytesMax: 100_000,
    ageMsMax: 86_400_000,
    segmentBytesMax: 10 * (HEAD_BYTES + 1),
    nowMs: () => nowMs,
    ...changes,
  });

/** Window of this number, with the number as its only byte. */
const entry = (number: number) => ({
  startMs: number * WINDOW_MS,
  endMs: (number + 1) * WINDOW_MS,
  payload: Uint8Array.of(number),
});

async function append(spool: Spool, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number += 1) {
    nowMs = (number + 1) * WINDOW_MS;
    await spool.makeRoom(1);
    await spool.append(entry(number));
  }
}

async function drain(spool: Spool): Promise<number[]> {
  const numbers: number[] = [];
  for (let next = await spool.oldest(); next !== null; next = await spool.oldest()) {
    numbers.push(next.payload[0] as number);
    await spool.forgetOldest();
  }
  return numbers;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

test("entries are read oldest first, and leave no file behind", async () => {
  const files = new Files();
  const spool = await open(files);
  await append(spool, 1, 25);
  expect(files.contents.size).toBe(3);
  expect(spool.entryCount).toBe(25);
  expect(await drain(spool)).toEqual(range(1, 25));
  expect(files.contents.size).toBe(0);
  expect(spool.bytes).toBe(0);
  expect(spool.gaps).toEqual([]);
});

test("entries appended while the oldest are read come back after them, once", async () => {
  const spool = await open(new Files());
  await append(spool, 1, 3);
  expect((await spool.oldest())?.payload[0]).toBe(1);
  await append(spool, 4, 6);
  expect(await drain(spool)).toEqual(range(1, 6));
});

test("the next process delivers the entries that are left, and a half-delivered file again as a whole", async () => {
  const files = new Files();
  const first = await open(files);
  await append(first, 1, 15);
  for (let count = 0; count < 12; count += 1) {
    await first.oldest();
    await first.forgetOldest();
  }
  const second = await open(files);
  await append(second, 16, 17);
  // The half delivered file comes back whole.
  expect(await drain(second)).toEqual(range(11, 17));
});

describe("a limit is kept, and its cost is reported:", () => {
  test("in bytes: drops the oldest file", async () => {
    const files = new Files();
    const spool = await open(files, { bytesMax: 30 * (HEAD_BYTES + 1) });
    await append(spool, 1, 31);
    expect(spool.gaps).toEqual([{ startMs: 1 * WINDOW_MS, endMs: 11 * WINDOW_MS, reason: "spool_full" }]);
    expect(spool.bytes).toBeLessThanOrEqual(30 * (HEAD_BYTES + 1));
    expect(await drain(spool)).toEqual(range(11, 31));
  });

  test("for a half delivered file only the rest becomes a gap", async () => {
    const spool = await open(new Files(), { bytesMax: 10 * (HEAD_BYTES + 1) });
    await append(spool, 1, 10);
    for (let count = 0; count < 4; count += 1) {
      await spool.oldest();
      await spool.forgetOldest();
    }
    await append(spool, 11, 11);
    expect(spool.gaps).toEqual([{ startMs: 5 * WINDOW_MS, endMs: 11 * WINDOW_MS, reason: "spool_full" }]);
    expect(await drain(spool)).toEqual([11]);
  });

  test("in age: drops entries older than the limit", async () => {
    const spool = await open(new Files(), { ageMsMax: 60_000 });
    await append(spool, 1, 10);
    nowMs = 200_000;
    await spool.makeRoom(1);
    expect(spool.gaps).toEqual([{ startMs: 1 * WINDOW_MS, endMs: 11 * WINDOW_MS, reason: "too_old" }]);
    expect(spool.entryCount).toBe(0);
  });

  test("a full disk costs only the entry that did not fit, and no earlier one", async () => {
    const files = new Files();
    const spool = await open(files);
    await append(spool, 1, 3);
    files.bytesMax = 3 * (HEAD_BYTES + 1) + 7;
    await append(spool, 4, 5);
    files.bytesMax = Number.POSITIVE_INFINITY;
    await append(spool, 6, 6);
    expect(spool.gaps).toEqual([{ startMs: 4 * WINDOW_MS, endMs: 6 * WINDOW_MS, reason: "disk_full" }]);
    expect(await drain(spool)).toEqual([1, 2, 3, 6]);
  });
});

test("dropped entries are counted by reason, and counts never fall", async () => {
  const files = new Files();
  const spool = await open(files, { bytesMax: 10 * (HEAD_BYTES + 1), ageMsMax: 600_000 });
  await append(spool, 1, 10);
  expect(spool.droppedCounts).toEqual(new Map());
  await append(spool, 11, 20);
  expect(spool.droppedCounts).toEqual(new Map([["spool_full", 10]]));
  await spool.oldest();
  await spool.forgetOldest();
  await append(spool, 21, 23);
  // One entry of the second file was delivered, so it is not counted as dropped.
  expect(spool.droppedCounts).toEqual(new Map([["spool_full", 19]]));
  nowMs += 3_600_000;
  await spool.makeRoom(1);
  expect(spool.entryCount).toBe(0);
  files.bytesMax = 7;
  for (const number of [24, 25]) await spool.append(entry(number));
  expect(spool.droppedCounts).toEqual(
    new Map([
      ["spool_full", 19],
      ["too_old", 3],
      ["disk_full", 2],
    ]),
  );
});

test("a disk that cannot delete loses no window: delivered entries are sent again after a restart", async () => {
  const files = new Files();
  const spool = await open(files);
  await append(spool, 1, 12);
  files.remove = async () => {
    throw new Error("EROFS");
  };
  expect(await drain(spool)).toEqual(range(1, 12));
  expect(await drain(await open(files))).toEqual(range(1, 12));
});

test("a gap is kept for the next process until it has been delivered", async () => {
  const files = new Files();
  const first = await open(files, { bytesMax: 10 * (HEAD_BYTES + 1) });
  await append(first, 1, 11);
  const gaps = [{ startMs: WINDOW_MS, endMs: 11 * WINDOW_MS, reason: "spool_full" }] as const;
  const second = await open(files);
  expect(second.gaps).toEqual(gaps);
  const told = second.gaps;
  await second.addGap({ startMs: 11 * WINDOW_MS, endMs: 12 * WINDOW_MS, reason: "spool_full" });
  await second.forgetGaps(told);
  // The gap has grown since, and is reported again.
  expect(second.gaps).toEqual([{ ...gaps[0], endMs: 12 * WINDOW_MS }]);
  await second.forgetGaps(second.gaps);
  expect((await open(files)).gaps).toEqual([]);
});

test.each([
  "{",
  "[1, null]",
  '[{"startMs":2,"endMs":1,"reason":"damaged"}]',
  '[{"startMs":1,"endMs":2,"reason":"rain"}]',
])("a stored list of gaps that is %s is ignored", async (text) => {
  const files = new Files();
  files.contents.set("gaps.json", new TextEncoder().encode(text));
  expect((await open(files)).gaps).toEqual([]);
});

describe("damage to a file costs at most the rest of that file:", () => {
  test.each([
    ["cut in the middle of an entry", (bytes: Uint8Array) => bytes.subarray(0, 4 * (HEAD_BYTES + 1) - 5)],
    [
      "a flipped bit",
      (bytes: Uint8Array) => {
        const flipped = Uint8Array.from(bytes);
        (flipped[3 * (HEAD_BYTES + 1) + HEAD_BYTES] as number) ^= 4;
        return flipped;
      },
    ],
    [
      "an endless length",
      (bytes: Uint8Array) => {
        const endless = Uint8Array.from(bytes);
        endless.fill(0xff, 3 * (HEAD_BYTES + 1), 3 * (HEAD_BYTES + 1) + 4);
        return endless;
      },
    ],
  ])("%s", async (_, damage) => {
    const files = new Files();
    await append(await open(files), 1, 15);
    const [first = ""] = [...files.contents.keys()].sort();
    files.contents.set(first, damage(files.contents.get(first) as Uint8Array));
    const spool = await open(files);
    expect(spool.gaps).toEqual([{ startMs: 4 * WINDOW_MS, endMs: 11 * WINDOW_MS, reason: "damaged" }]);
    expect(await drain(spool)).toEqual([1, 2, 3, ...range(11, 15)]);
  });

  test("a file that disappears while the process runs", async () => {
    const files = new Files();
    const spool = await open(files);
    await append(spool, 1, 12);
    files.contents.delete([...files.contents.keys()].sort()[0] as string);
    expect(await drain(spool)).toEqual([11, 12]);
    expect(spool.gaps).toEqual([{ startMs: 1 * WINDOW_MS, endMs: 11 * WINDOW_MS, reason: "damaged" }]);
  });

  test("but other programs' files are left alone", async () => {
    const files = new Files();
    files.contents.set("notes.txt", Uint8Array.of(1));
    const spool = await open(files);
    await append(spool, 1, 1);
    expect(await drain(spool)).toEqual([1]);
    expect([...files.contents.keys()]).toEqual(["notes.txt"]);
  });
});

describe("in a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-spool-"));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("a spool is found by the next process, and the folder is created", async () => {
    const path = join(folder, "made/spool");
    await append(await open(await openSpoolFolder(path)), 1, 12);
    const spool = await open(await openSpoolFolder(path));
    expect(await drain(spool)).toEqual(range(1, 12));
    expect(readdirSync(path)).toEqual([]);
  });

  test.runIf(existsSync("/dev/full"))(
    "a file without space on the disk costs its entry, which the next process still reports",
    async () => {
      const path = join(folder, "full");
      const spool = await open(await openSpoolFolder(path));
      await append(spool, 1, 10);
      // Accepts no byte, like a full disk.
      symlinkSync("/dev/full", join(path, "000000000002.spool"));
      await append(spool, 11, 13);
      const gaps = [{ startMs: 11 * WINDOW_MS, endMs: 12 * WINDOW_MS, reason: "disk_full" }] as const;
      expect(spool.gaps).toEqual(gaps);
      const next = await open(await openSpoolFolder(path));
      expect(next.gaps).toEqual(gaps);
      expect(await drain(next)).toEqual([...range(1, 10), 12, 13]);
    },
  );
});
