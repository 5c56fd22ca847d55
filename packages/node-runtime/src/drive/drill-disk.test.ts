import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { useSharedFolder } from "@stashlight/contracts/testing";
import type { DiskFile } from "@stashlight/shard-log";
import { type NodeDisk, openNodeDisk } from "@stashlight/shard-log/node";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drillDisk } from "./drill-disk.ts";

const SIZE_BYTES = 64;

const folder = useSharedFolder();
let disk: NodeDisk;
let fileCount = 0;

beforeAll(async () => {
  disk = (await promisify(openNodeDisk)(folder, { directReads: "buffered" })) as NodeDisk;
});
afterAll(async () => {
  await promisify(disk.close.bind(disk))();
});

async function createFile() {
  const name = `file-${++fileCount}`;
  const drill = drillDisk(disk);
  const file = (await promisify(drill.create.bind(drill))(name, SIZE_BYTES)) as DiskFile;
  const read = async () => {
    const target = new Uint8Array(SIZE_BYTES);
    await promisify(file.read.bind(file))(0, target);
    return [...target];
  };
  return {
    write: (offset: number, bytes: Uint8Array) => promisify(file.write.bind(file))(offset, bytes),
    sync: () => promisify(file.sync.bind(file))(),
    close: () => promisify(file.close.bind(file))(),
    read,
    /** Returns the bytes that another process would find if this one were killed. */
    readAfterKill: () => [...readFileSync(join(folder, name))],
  };
}

type Step = { type: "write"; offset: number; bytes: Uint8Array } | { type: "sync" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: SIZE_BYTES - 8 }), fc.uint8Array({ minLength: 1, maxLength: 8 }))
    .map(([offset, bytes]): Step => ({ type: "write", offset, bytes })),
  fc.constant<Step>({ type: "sync" }),
);

test("reads see every write, and a kill keeps only synced data", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const file = await createFile();
      const written = new Array<number>(SIZE_BYTES).fill(0);
      let synced = [...written];
      for (const next of steps) {
        if (next.type === "sync") {
          await file.sync();
          synced = [...written];
        } else {
          await file.write(next.offset, next.bytes);
          written.splice(next.offset, next.bytes.length, ...next.bytes);
        }
        expect(await file.read()).toEqual(written);
        expect(file.readAfterKill()).toEqual(synced);
      }
      await file.close();
      expect(file.readAfterKill()).toEqual(written);
    }),
    { numRuns: 50 },
  );
});

test("overlapping syncs keep the order of the writes between them, and reads see the newest data meanwhile", async () => {
  const file = await createFile();
  const syncs: Promise<unknown>[] = [];
  const reads: Promise<number[]>[] = [];
  for (let value = 1; value <= 50; value++) {
    void file.write(0, new Uint8Array(4).fill(value));
    syncs.push(file.sync());
    reads.push(file.read());
  }
  const seen = await Promise.all(reads);
  expect(seen.every(([first = 0], at) => first >= at + 1)).toBe(true);
  await Promise.all(syncs);
  expect(file.readAfterKill().slice(0, 5)).toEqual([50, 50, 50, 50, 0]);
  await file.close();
});

test("a caller may use its buffer again once the write is done", async () => {
  const file = await createFile();
  const bytes = new Uint8Array([1, 2, 3]);
  await file.write(0, bytes);
  bytes.fill(9);
  await file.sync();
  expect((await file.read()).slice(0, 3)).toEqual([1, 2, 3]);
  await file.close();
});
