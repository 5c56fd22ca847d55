import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { demoBucket } from "@stashlight/contracts/upload";
import { S3Client } from "@stashlight/s3/client";
import { startEdge, type TestEdge, testKeys } from "@stashlight/s3/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BackedUpFile, listFiles, readBlocks } from "./files.ts";
import { type RoundOptions, runRound, type Slot } from "./round.ts";

const root = useSharedFolder();
let edge: TestEdge;
let client: S3Client;

beforeAll(async () => {
  mkdirSync(join(root, "docs/node_modules"), { recursive: true });
  mkdirSync(join(root, "docs/deep"));
  writeFileSync(join(root, "docs/b.txt"), "b".repeat(70));
  writeFileSync(join(root, "docs/a.txt"), "a".repeat(30));
  writeFileSync(join(root, "docs/empty"), "");
  writeFileSync(join(root, "docs/deep/c.txt"), "c".repeat(25));
  writeFileSync(join(root, "docs/.hidden"), "hidden");
  writeFileSync(join(root, "docs/node_modules/x.js"), "x");
  edge = await startEdge();
  const accessKey = testKeys.writer;
  client = new S3Client({ endpoint: edge.url, region: "us-east-1", accessKey });
  await client.createBucket(demoBucket);
});
afterAll(async () => {
  client.close();
  await edge.close();
});

const round = (slot: Slot, difference: Partial<RoundOptions> = {}) =>
  runRound({
    client,
    root,
    folders: ["docs"],
    blockBytes: 50,
    blockCountMax: 10,
    slot,
    random: () => 0.5,
    request: (action) => action(),
    untilRoom: async () => {},
    ...difference,
  });

async function keysInBucket(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of client.list(demoBucket)) keys.push(key);
  return keys;
}

const slotKeys = (slot: Slot) =>
  [0, 1, 2].map((i) => `${slot}/block-0000${i}`).concat(`${slot}/manifest.json`);

test("the files are concatenated in blocks of one size", async () => {
  const files: BackedUpFile[] = [];
  const blocks: Buffer[] = [];
  const paths = listFiles(root, ["docs"]);
  for await (const block of readBlocks(root, paths, 50, (file) => files.push(file))) blocks.push(block);
  expect(paths).toEqual(["docs/a.txt", "docs/b.txt", "docs/deep/c.txt", "docs/empty"]);
  expect(blocks.map(({ length }) => length)).toEqual([50, 50, 25]);
  expect(Buffer.concat(blocks).toString()).toBe("a".repeat(30) + "b".repeat(70) + "c".repeat(25));
  expect(files.map(({ offsetBytes }) => offsetBytes)).toEqual([0, 30, 100, 125]);
});

test("every round leaves one backup, under the same keys every other time", async () => {
  const first = await round("backup-a");
  expect(first).toEqual({ blockCount: 3, bytesWritten: 125, deletedKeyCount: 0 });
  for (const slot of ["backup-b", "backup-a", "backup-b"] as const) {
    expect(await round(slot)).toMatchObject({ deletedKeyCount: 4 });
    expect(await keysInBucket()).toEqual(slotKeys(slot));
  }
});

test("the backup of a large folder is limited", async () => {
  expect(await round("backup-a", { blockCountMax: 2 })).toMatchObject({ blockCount: 2, bytesWritten: 100 });
});

test("a block that comes back wrong is detected", async () => {
  const liar = await startEdge({
    overrides: {
      getObject: async () => ({ info: await info(), partSizesBytes: null, read: () => wrongBytes() }),
    },
  });
  const lied = new S3Client({ endpoint: liar.url, region: "us-east-1", accessKey: testKeys.writer });
  await lied.createBucket(demoBucket);
  const info = () =>
    liar.store.findObject(undefined as never, { bucket: demoBucket, key: "backup-a/block-00001" });
  await expect(round("backup-a", { client: lied })).rejects.toThrow(/came back with the MD5/);
  lied.close();
  await liar.close();
});

async function* wrongBytes() {
  yield Buffer.alloc(50, "w");
}

test("a round writes nothing while the vault has no space to spare, and resumes where it stopped", async () => {
  await round("backup-a");
  const room = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let putCount = 0;
  const untilRoom = async () => {
    putCount += 1;
    if (putCount !== 2) return;
    asked.resolve();
    await room.promise;
  };
  const running = round("backup-b", { untilRoom });
  await asked.promise;
  expect((await keysInBucket()).filter((key) => key.startsWith("backup-b"))).toEqual([
    "backup-b/block-00000",
  ]);
  room.resolve();
  await running;
  expect(await keysInBucket()).toEqual(slotKeys("backup-b"));
});
