/** Starts after a kill, which is a copy of the drive's folder while its pod runs. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Position, ShardStore } from "@stashlight/shard-store";
import {
  createPod,
  createSavedPod,
  PackedEntries,
  type PodState,
  type SavedPod,
  savePod,
} from "@stashlight/write-path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { VaultFile } from "../config/index.ts";
import { type RunningMachine, startPod } from "./drive-machine.ts";
import { IndexCheckpoints } from "./index-checkpoints.ts";
import type { IndexPages } from "./index-pages.ts";
import { type OpenDrive, openDrive } from "./open-drive.ts";
import { describeEntries, describeRareParts } from "./testing/pod-content.ts";
import { ignoredAnswers, makeShard, podConfig } from "./testing/pod-drive.ts";

// Uses a folder beside the sources rather than a temporary one, which often has no O_DIRECT.
const scratch = join(dirname(fileURLToPath(import.meta.url)), "../../node_modules/.test");
const VOLUME = { segmentBytes: 1_048_576, segmentCount: 8 };
const DRIVE_ID = "d1".repeat(16);
const SHARD_COUNT = 300;
const file = {
  clusterId: "c1".repeat(16),
  podVolume: VOLUME,
  stashVolume: VOLUME,
  pieceBytes: 65_536,
  smallUploadBytesMax: 65_536,
  scheme: podConfig.scheme,
} as VaultFile;

interface Running {
  /** Folder of the drive. */
  readonly path: string;
  readonly open: OpenDrive;
  readonly pages: IndexPages;
  readonly machine: RunningMachine;
  readonly state: PodState<Position>;
  readonly settled: PackedEntries;
}

let folder = "";
let copyCount = 0;
const running: Running[] = [];
beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "checkpoint-"));
});
afterEach(async () => {
  for (const { open, machine } of running.splice(0)) {
    machine.shell.stop();
    machine.store.end();
    await open.close();
  }
  rmSync(folder, { recursive: true });
});

/** Messages wait as long as a slow drive needs, and all pods take the same turns. */
const patient = { random: () => 0, holdUsMax: 60_000_000 };

const storeOptions = {
  defer: setImmediate,
  after: () => {},
  fullAtShare: 0.75,
  relievedAtShare: 0.7,
};

const flush = ({ log }: ShardStore) => promisify(log.flush.bind(log))();

/** Fills a drive, all but a few of whose shards settle at the next start. */
async function fillDrive(): Promise<string> {
  const path = join(folder, "drive");
  const drive = { driveId: DRIVE_ID, path, pod: 0 };
  const { opened, close } = await openDrive({ file, drive, policy: "extents", mayFormat: true });
  const { store, release } = ShardStore.start({ ...storeOptions, opened, answers: ignoredAnswers });
  release();
  for (let number = 1; number <= SHARD_COUNT; number++) {
    store.append(makeShard(number), "data");
    if (number % 50 === 0) await flush(store);
  }
  for (let position = 0; position < SHARD_COUNT - 5; position++) store.remember(position, "complete");
  store.persistRefusal({ uploadId: "f1".repeat(16), isKnowing: true, order: "0".repeat(24) });
  store.writeOutcomes();
  await flush(store);
  await close();
  return path;
}

/** Starts the pod on the drive at this path. */
async function start(path: string, scanReason: string | null = null): Promise<Running> {
  const open = await openDrive({
    ...{ file, drive: { driveId: DRIVE_ID, path, pod: 0 }, policy: "extents", mayFormat: false },
    ...{ scanReason, indexPages: { heldBytesMax: 8 * 4096, folder: null } },
  });
  const pages = open.indexPages as IndexPages;
  const pod: SavedPod | null = open.saved?.pod ?? null;
  const settled = new PackedEntries(pages.memory, undefined, pod?.settled);
  const state =
    pod === null ? createPod<Position>(podConfig, 0, settled) : createSavedPod(podConfig, 0, settled, pod);
  const machine = startPod(
    state,
    { podIndex: 0, driveId: DRIVE_ID, bootId: 1 },
    {
      opened: open.opened,
      storeOptions: { ...storeOptions, memory: pages.memory, saved: open.saved },
      surroundings: { send: () => {}, startTimer: () => () => {}, defer: setImmediate, nowMs: Date.now },
      halt: (reason) => {
        throw new Error(reason);
      },
      watch: undefined,
    },
  );
  machine.recover();
  const started = { path, open, pages, machine, state, settled };
  running.push(started);
  return started;
}

/** Saves the index as the host of the drive does. */
async function checkpoint({ machine, pages, state, settled }: Running): Promise<string[]> {
  const reasons: string[] = [];
  let nowMs = 0;
  const save = () => savePod(state, settled);
  const checkpoints = new IndexCheckpoints(
    { running: machine, pages, savePod: save },
    (reason) => reasons.push(reason),
    { ...patient, nowMs: () => nowMs },
  );
  checkpoints.tick();
  expect(checkpoints.isBusy).toBe(false);
  nowMs = 10_000;
  checkpoints.tick();
  await checkpoints.settled();
  return reasons;
}

/** The drive as a kill leaves it now. */
function kill(path: string): string {
  const copy = join(folder, `copy-${copyCount++}`);
  cpSync(path, copy, { recursive: true });
  return copy;
}

const findPosition = ({ state }: Running, number: number): Position =>
  state.entries.get(makeShard(number).upload.uploadId)?.position as Position;

/** Shards whose outcome the next statement leaves open. */
function listOpenOutcomes({ machine }: Running): object[] {
  const saved = machine.store.save();
  if (typeof saved === "string") throw new Error(saved);
  const open = [...saved.outcomes.open].map(([key, { isCommitted }]) => ({ key, isCommitted }));
  return open.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Expects the same state from the checkpoint as from the whole log. */
async function expectSameStart(path: string, settledMin: number): Promise<Running> {
  const copy = kill(path);
  const read = await start(copy, "the test reads it");
  const [content, rare, outcomes] = [
    describeEntries(read.state),
    describeRareParts(read.state),
    listOpenOutcomes(read),
  ];
  const continued = await start(kill(path));
  expect(continued.open.opened.isResumed).toBe(true);
  expect(continued.pages.scanReason).toBeNull();
  expect([describeEntries(continued.state), describeRareParts(continued.state)]).toEqual([content, rare]);
  expect(listOpenOutcomes(continued)).toEqual(outcomes);
  expect(continued.state.entries.settled?.count).toBeGreaterThan(settledMin);
  return continued;
}

test("recovery after a kill continues from the checkpoint, with what was written and killed afterwards", async () => {
  const path = await fillDrive();
  const pod = await start(path);
  expect(await checkpoint(pod)).toEqual([]);
  await expectSameStart(path, SHARD_COUNT - 10);
  const { store, shell } = pod.machine;
  // The pod would kill shards that it has not requested.
  shell.stop();
  for (let number = SHARD_COUNT + 1; number <= SHARD_COUNT + 30; number++)
    store.append(makeShard(number), "data");
  // Shards that had settled, or were open: killed, written again, and both.
  for (const number of [3, 4, SHARD_COUNT - 1]) store.kill(findPosition(pod, number));
  for (const number of [5, 6, SHARD_COUNT]) store.append(makeShard(number), "repair");
  store.kill(findPosition(pod, 7));
  store.append(makeShard(7), "data");
  await flush(store);
  store.forgetRefusal("f1".repeat(16));
  store.persistRefusal({ uploadId: "f2".repeat(16), isKnowing: false, order: "1".repeat(24) });
  store.persistHorizon(makeShard(2).upload.order);
  store.remember(findPosition(pod, SHARD_COUNT - 2), "complete");
  store.remember(findPosition(pod, SHARD_COUNT - 3), "committed");
  store.writeOutcomes();
  await flush(store);
  const continued = await expectSameStart(path, SHARD_COUNT - 20);
  expect(continued.state.entries.size).toBe(SHARD_COUNT + 30 - 3);
  // A second kill, of a pod that continued, after records were moved.
  expect(await checkpoint(continued)).toEqual([]);
  const later = continued.machine.store;
  for (let number = 10; number < 150; number++) later.kill(findPosition(continued, number));
  await flush(later);
  for (let round = 0; round < 6; round++) await promisify(later.log.compact.bind(later.log))();
  expect(later.log.stats().counters.recordsMovedTotal).toBeGreaterThan(0);
  later.remember(findPosition(continued, SHARD_COUNT - 3), "complete");
  later.writeOutcomes();
  await flush(later);
  await expectSameStart(continued.path, 100);
});

test("recovery after a kill without a checkpoint reads the log", async () => {
  const path = await fillDrive();
  await start(path);
  const read = await start(kill(path));
  expect(read.open.opened.isResumed).toBe(false);
  expect(read.pages.scanReason).toBe("none was saved");
});

test("a boot removes the root before it continues from it", async () => {
  const path = await fillDrive();
  await checkpoint(await start(path));
  const root = `index-${DRIVE_ID}.root`;
  expect(readdirSync(path)).toContain(root);
  const killed = kill(path);
  expect((await start(killed)).open.opened.isResumed).toBe(true);
  expect(readdirSync(killed)).not.toContain(root);
});

test("recovery reads the whole log if something after the checkpoint is damaged", async () => {
  const path = await fillDrive();
  const pod = await start(path);
  await checkpoint(pod);
  const { store, shell } = pod.machine;
  shell.stop();
  for (let number = 1; number <= 3; number++) store.append(makeShard(SHARD_COUNT + number), "data");
  await flush(store);
  // Otherwise it would look like the torn end of a log.
  await promisify(store.log.attest.bind(store.log))();
  const killed = kill(path);
  const text = `payload ${SHARD_COUNT + 2} `;
  for (const name of readdirSync(killed)) {
    const bytes = readFileSync(join(killed, name));
    const at = bytes.indexOf(text);
    if (at === -1) continue;
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(join(killed, name), bytes);
  }
  const read = await start(killed);
  expect(read.open.opened.isResumed).toBe(false);
  expect(read.pages.scanReason).toContain("Damage (payload_lost) was found");
  expect(read.open.opened.corruptRecords).toHaveLength(1);
  expect(read.state.entries.size).toBe(SHARD_COUNT + 3);
});

test("a checkpoint waits until records have changed, or ten minutes if few have", async () => {
  const { machine, pages, state, settled } = await start(await fillDrive());
  let nowMs = 0;
  const save = vi.fn(() => savePod(state, settled));
  const checkpoints = new IndexCheckpoints({ running: machine, pages, savePod: save }, () => {}, {
    ...patient,
    nowMs: () => nowMs,
  });
  const savedAt = async (ms: number) => {
    nowMs = ms;
    const before = save.mock.calls.length;
    checkpoints.tick();
    await checkpoints.settled();
    return save.mock.calls.length - before;
  };
  expect([await savedAt(9_000), await savedAt(10_000), await savedAt(900_000)]).toEqual([0, 1, 0]);
  machine.store.append(makeShard(SHARD_COUNT + 1), "data");
  await flush(machine.store);
  expect([await savedAt(609_000), await savedAt(611_000)]).toEqual([0, 1]);
  vi.spyOn(machine.store.log, "stats").mockReturnValue({
    ...machine.store.log.stats(),
    counters: { ...machine.store.log.stats().counters, appendsTotal: 100_002 },
  });
  expect(await savedAt(612_000)).toBe(1);
});

test("a pod that cannot be saved continues, and the reason is reported once", async () => {
  const pod = await start(await fillDrive());
  const { machine, pages } = pod;
  const reasons: string[] = [];
  let nowMs = 10_000;
  const failing = () => {
    throw new Error("its entries are wrong");
  };
  const checkpoints = new IndexCheckpoints(
    { running: machine, pages, savePod: failing },
    (reason) => reasons.push(reason),
    { ...patient, nowMs: () => nowMs },
  );
  for (nowMs of [20_000, 40_000, 80_000]) {
    checkpoints.tick();
    await checkpoints.settled();
  }
  expect(reasons).toEqual(["its pod cannot be saved: its entries are wrong"]);
  expect(machine.store.log.isPaused).toBe(false);
  const before = pod.state.nextLoadId;
  machine.shell.receive("c0", { type: "pod.load", requestId: 1, uploadId: makeShard(1).upload.uploadId });
  expect(pod.state.nextLoadId).toBe(before + 1);
  machine.store.append(makeShard(SHARD_COUNT + 1), "data");
  await flush(machine.store);
  expect(await checkpoint(pod)).toEqual([]);
});
