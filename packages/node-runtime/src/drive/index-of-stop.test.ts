import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { PageMemory } from "@stashlight/paged-memory";
import { type Position, ShardStore } from "@stashlight/shard-store";
import {
  createPod,
  createSavedPod,
  PackedEntries,
  type PodState,
  podAddress,
  type SavedPod,
  savePod,
} from "@stashlight/write-path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { VaultFile } from "../config/index.ts";
import type { Switchboard } from "../host/message-router.ts";
import { DriveHost } from "./drive-host.ts";
import type { DriveObservation } from "./drive-host-options.ts";
import type { DriveMachine } from "./drive-machine.ts";
import { startPod } from "./drive-machine.ts";
import { INDEX_ROOT_VERSION, readIndexRoot } from "./index-root.ts";
import { openDrive } from "./open-drive.ts";
import { describeEntries, describeRareParts } from "./testing/pod-content.ts";
import { ignoredAnswers, makeShard, podConfig } from "./testing/pod-drive.ts";

// Uses a folder beside the sources rather than a temporary one, which often has no O_DIRECT.
const scratch = join(dirname(fileURLToPath(import.meta.url)), "../../node_modules/.test");
const VOLUME = { segmentBytes: 1_048_576, segmentCount: 8 };
const DRIVE_ID = "d1".repeat(16);
const SHARD_COUNT = 300;
const INDEX_PAGES = { heldBytesMax: 8 * 4096, folder: null };
const file = {
  clusterId: "c1".repeat(16),
  podVolume: VOLUME,
  stashVolume: VOLUME,
  pieceBytes: 65_536,
  smallUploadBytesMax: 65_536,
  scheme: podConfig.scheme,
  stashFullAtShare: 0.75,
  reopenAfterMsMax: 50,
} as VaultFile;

let folder = "";
let drivePath = "";
let rootPath = "";
let pagesPath = "";
let host: DriveHost | null = null;
beforeEach(async () => {
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "stop-"));
  drivePath = join(folder, "drive");
  rootPath = join(drivePath, `index-${DRIVE_ID}.root`);
  pagesPath = join(drivePath, `index-${DRIVE_ID}.partial`);
  await fillDrive();
});
afterEach(async () => {
  await host?.stop();
  host = null;
  rmSync(folder, { recursive: true });
});

async function openStore() {
  const drive = { driveId: DRIVE_ID, path: drivePath, pod: 0 };
  const { opened, close } = await openDrive({ file, drive, policy: "extents", mayFormat: true });
  const options = { defer: setImmediate, after: () => {}, fullAtShare: 0.75, relievedAtShare: 0.7 };
  const { store, release } = ShardStore.start({ ...options, opened, answers: ignoredAnswers });
  release();
  return { store, close };
}

async function fillDrive(): Promise<void> {
  const { store, close } = await openStore();
  for (let number = 1; number <= SHARD_COUNT; number++) {
    store.append(makeShard(number), "data");
    if (number % 50 === 0) await promisify(store.log.flush.bind(store.log))();
  }
  // All but a few settle at the next start.
  for (let position = 0; position < SHARD_COUNT - 5; position++) store.remember(position, "complete");
  store.writeOutcomes();
  await close();
}

interface Started {
  readonly host: DriveHost;
  readonly memory: PageMemory;
  readonly observed: DriveObservation[];
  readonly state: PodState<Position>;
}

async function start(save = savePod): Promise<Started> {
  const observed: DriveObservation[] = [];
  let state: PodState<Position> | null = null;
  let pages: PageMemory | null = null;
  const boot = async (_drive: unknown, memory: PageMemory | null, saved: SavedPod | null) => {
    pages = memory;
    const settled = new PackedEntries(memory ?? undefined, undefined, saved?.settled);
    const pod =
      saved === null
        ? createPod<Position>(podConfig, 0, settled)
        : createSavedPod(podConfig, 0, settled, saved);
    state = pod;
    const machine: DriveMachine = {
      start: (begun) => startPod(pod, { podIndex: 0, driveId: DRIVE_ID, bootId: 1 }, begun),
      shardsOf: () => [],
      lifecycle: () => pod.lifecycle,
      refusals: () => new Map(),
      save: () => save(pod, settled),
    };
    return machine;
  };
  const started = new DriveHost({
    file,
    drive: { driveId: DRIVE_ID, path: drivePath, pod: 0 },
    address: podAddress(0),
    stateFolder: join(folder, "state"),
    policy: "extents",
    mayFormat: false,
    isDraining: () => false,
    scrubDiskAt: () => null,
    switchboard: { connect: () => {}, send: () => {} } as unknown as Switchboard,
    indexPages: INDEX_PAGES,
    boot,
    observe: (event) => observed.push(event),
  });
  host = started;
  await started.start();
  if (state === null || pages === null) throw new Error("The pod has not booted.");
  return { host: started, memory: pages, observed, state };
}

async function stop({ host: started }: Started): Promise<void> {
  await started.stop();
  host = null;
}

const opening = ({ observed }: Started) => observed.find(({ type }) => type === "opened");

test("a boot continues with the index saved at shutdown, and the pod is as if it had read the log", async () => {
  const first = await start();
  expect(opening(first)).toMatchObject({ isIndexResumed: false, scanReason: "none was saved" });
  expect(first.state.entries.settled?.count).toBe(SHARD_COUNT - 5);
  const content = describeEntries(first.state);
  await stop(first);
  expect(first.observed.at(-1)).toMatchObject({ type: "indexSaved" });
  for (let generation = 0; generation < 3; generation++) {
    const next = await start();
    expect(opening(next)).toMatchObject({
      isIndexResumed: true,
      scanReason: null,
      shardCount: SHARD_COUNT + 1,
    });
    expect(readdirSync(drivePath)).not.toContain(`index-${DRIVE_ID}.root`);
    expect(describeEntries(next.state)).toEqual(content);
    await stop(next);
  }
});

/** A shard in the segment that is written last, whose payloads a start reads. */
const DAMAGED = SHARD_COUNT - 10;

/** Adds a tombstone, a promise and a horizon to the drive, and damages a shard. */
async function addRareRecords(): Promise<void> {
  const { store, close } = await openStore();
  const { upload } = makeShard(SHARD_COUNT + 1);
  const tombstone = { ...upload, kind: "tombstone", key: "1.jpg", sizeBytes: 0 } as const;
  store.append({ upload: tombstone, shardIndex: 0, payload: Buffer.alloc(0), payloadCrc: 0 }, "removal");
  const { uploadId, order } = makeShard(SHARD_COUNT + 2).upload;
  store.persistRefusal({ uploadId, isKnowing: true, order });
  store.persistHorizon(makeShard(20).upload.order);
  await promisify(store.log.flush.bind(store.log))();
  await close();
  const found = readdirSync(drivePath).flatMap((name) => {
    const at = readFileSync(join(drivePath, name)).indexOf(`payload ${DAMAGED} `);
    return at === -1 ? [] : [{ path: join(drivePath, name), at }];
  });
  expect(found).toHaveLength(1);
  for (const { path, at } of found) overwrite(path, at);
}

test("a saved index restores the same tombstones, promises, horizon, damaged and open entries as the log", async () => {
  await addRareRecords();
  const first = await start();
  const [content, rare] = [describeEntries(first.state), describeRareParts(first.state)];
  const uploadIdOf = (number: number) => makeShard(number).upload.uploadId;
  expect(rare).toMatchObject({
    tombstones: [uploadIdOf(SHARD_COUNT + 1)],
    refused: [[uploadIdOf(SHARD_COUNT + 2), { isKnowing: true }]],
    horizon: makeShard(20).upload.order,
    damaged: [uploadIdOf(DAMAGED)],
    open: expect.arrayContaining([uploadIdOf(DAMAGED), uploadIdOf(SHARD_COUNT)]),
  });
  await stop(first);
  const next = await start();
  expect(opening(next)).toMatchObject({ isIndexResumed: true });
  expect([describeEntries(next.state), describeRareParts(next.state)]).toEqual([content, rare]);
  await stop(next);
  rmSync(rootPath);
  const last = await start();
  expect(opening(last)).toMatchObject({ isIndexResumed: false });
  expect([describeEntries(last.state), describeRareParts(last.state)]).toEqual([content, rare]);
});

const overwrite = (path: string, at: number) => {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
};

test.each<[string, string, () => void]>([
  ["its root is missing", "none was saved", () => rmSync(rootPath)],
  ["its root is half", "its root fails its checksum", () => truncateSync(rootPath, 900)],
  ["a byte of its root has changed", "its root fails its checksum", () => overwrite(rootPath, 700)],
  [
    "its root has another version",
    `its root has the version ${INDEX_ROOT_VERSION ^ 1}`,
    () => overwrite(rootPath, 8),
  ],
  ["its root is empty", "its root is no root", () => truncateSync(rootPath, 0)],
  ["its pages are missing", "its file cannot be opened", () => rmSync(pagesPath)],
  ["its pages are half", "its file is shorter than it was", () => truncateSync(pagesPath, 4096)],
])("a boot reads the log if %s", async (_case, reason, damage) => {
  const first = await start();
  const content = describeEntries(first.state);
  await stop(first);
  damage();
  const next = await start();
  expect(opening(next)).toMatchObject({ isIndexResumed: false, scanReason: expect.stringContaining(reason) });
  expect(describeEntries(next.state)).toEqual(content);
});

test("a boot reads the log if the root is of an earlier shutdown", async () => {
  const first = await start();
  const content = describeEntries(first.state);
  await stop(first);
  const copy = join(folder, "root");
  copyFileSync(rootPath, copy);
  await stop(await start());
  copyFileSync(copy, rootPath);
  const next = await start();
  expect(opening(next)).toMatchObject({
    isIndexResumed: false,
    scanReason: "the log was opened after it was saved, or is older",
  });
  expect(describeEntries(next.state)).toEqual(content);
});

test("a drive with a changed index page fails when the page is needed, and reads the log when it is reopened", async () => {
  const first = await start();
  await stop(first);
  for (let at = 100; at < readFileSync(pagesPath).length; at += 4096) overwrite(pagesPath, at);
  const { observed } = await start();
  const openings = () => observed.filter(({ type }) => type === "opened");
  // The pod needs pages at once, for the versions of the objects that do not rest.
  await vi.waitFor(() => expect(openings()).toHaveLength(1), { timeout: 20_000 });
  const failed = { type: "failed", reason: expect.stringContaining("it fails its checksum") };
  expect(observed).toContainEqual(expect.objectContaining(failed));
  expect(openings()).toMatchObject([{ isIndexResumed: false, scanReason: "none was saved" }]);
});

test("the saved index survives failed attempts to open the drive that change nothing", async () => {
  const first = await start();
  const content = describeEntries(first.state);
  await stop(first);
  const left = readdirSync(drivePath).sort();
  const drive = { driveId: DRIVE_ID, path: drivePath, pod: 0 };
  const podVolume = { ...VOLUME, segmentCount: VOLUME.segmentCount / 2 };
  const options = { drive, policy: "extents", mayFormat: false, indexPages: INDEX_PAGES } as const;
  await expect(openDrive({ ...options, file: { ...file, podVolume } })).rejects.toThrow();
  expect(readdirSync(drivePath).sort()).toEqual(left);
  const next = await start();
  expect(opening(next)).toMatchObject({ isIndexResumed: true });
  expect(describeEntries(next.state)).toEqual(content);
});

test("an open log keeps nothing of the saved index", async () => {
  await stop(await start());
  const drive = { driveId: DRIVE_ID, path: drivePath, pod: 0 };
  const open = async () => {
    const { opened, saved, close } = await openDrive({
      ...{ file, drive, policy: "extents", mayFormat: false, indexPages: INDEX_PAGES },
    });
    if (saved === null) throw new Error("The log was read.");
    return { log: opened.log, close, saved: new WeakRef(saved) };
  };
  const { log, close, saved } = await open();
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  await vi.waitFor(() => {
    collectGarbage();
    // An error with the value itself would hold it.
    expect(saved.deref() === undefined).toBe(true);
  });
  expect(log.stats().state).toBe("open");
  await close();
});

test("an index of mostly empty pages is not saved, so that the next boot builds a new one", async () => {
  const first = await start();
  for (let page = 0; page < 15_000; page++) {
    first.memory.relax();
    first.memory.allocate();
  }
  await stop(first);
  expect(first.observed.at(-1)).toEqual({ type: "indexNotSaved", reason: "its pages are half empty" });
  const next = await start();
  expect(opening(next)).toMatchObject({ isIndexResumed: false, scanReason: "none was saved" });
  expect(next.memory.pageCount).toBeLessThan(1000);
});

test("a drive whose pod cannot be saved stops, and the next boot reads its log", async () => {
  const first = await start(() => {
    throw new Error("EIO");
  });
  await stop(first);
  expect(first.observed.at(-1)).toEqual({ type: "indexNotSaved", reason: "EIO" });
  expect(opening(await start())).toMatchObject({ isIndexResumed: false });
});

test("a boot removes the partial root of a killed shutdown", async () => {
  writeFileSync(`${rootPath}.partial`, "STASHIDX");
  await start();
  expect(readdirSync(drivePath)).not.toContain(`index-${DRIVE_ID}.root.partial`);
});

/** Names and types of everything in a value; of arrays and maps, those of the first element. */
function shapeOf(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return value.constructor.name;
  if (value instanceof Map) return { map: shapeOf([...value][0]) };
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}

const hashOf = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

test("a change in the format of the root or its pages requires another version", async () => {
  await stop(await start());
  const root = readIndexRoot(rootPath, DRIVE_ID);
  // If one of these changes, raise INDEX_ROOT_VERSION: starts of the next version read the log once.
  expect({
    version: INDEX_ROOT_VERSION,
    root: hashOf(JSON.stringify(shapeOf(root))),
    pages: hashOf(readFileSync(pagesPath)),
  }).toEqual({ version: 3, root: "af5c28aa6164a771", pages: "748544bbf2c4bbc2" });
});
