/** Starts after a kill, which is a copy of the drive's folder while its pod runs. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { savePod } from "@stashlight/write-path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { IndexCheckpoints } from "./index-checkpoints.ts";
import {
  CheckpointedPods,
  createCheckpoints,
  DRIVE_ID,
  describePod,
  findPosition,
  flush,
  type RunningPod,
  SHARD_COUNT,
} from "./testing/checkpointed-pod.ts";
import { makeShard } from "./testing/pod-drive.ts";

let pods: CheckpointedPods;
beforeEach(() => {
  pods = new CheckpointedPods();
});
afterEach(() => pods.close());

const ended = (checkpoints: IndexCheckpoints) =>
  vi.waitFor(() => expect(checkpoints.isBusy).toBe(false), { timeout: 50_000 });

/** Saves the index once; returns why that failed. */
async function checkpoint(pod: RunningPod): Promise<string[]> {
  const reasons: string[] = [];
  let nowMs = 0;
  const checkpoints = createCheckpoints(pod, (reason) => reasons.push(reason), { nowMs: () => nowMs });
  checkpoints.tick();
  expect(checkpoints.isBusy).toBe(false);
  nowMs = 10_000;
  checkpoints.tick();
  await ended(checkpoints);
  return reasons;
}

/** Expects the same state from the checkpoint as from the whole log. */
async function expectSameStart(path: string, settledMin: number): Promise<RunningPod> {
  const read = describePod(await pods.start(pods.kill(path), "the test reads it"));
  const continued = await pods.start(pods.kill(path));
  expect(continued.open.opened.isResumed).toBe(true);
  expect(continued.pages.scanReason).toBeNull();
  expect(describePod(continued)).toEqual(read);
  expect(continued.state.entries.settled?.count).toBeGreaterThan(settledMin);
  return continued;
}

test("a start after a kill continues from the checkpoint, with what was written and killed afterwards", async () => {
  const path = await pods.fill();
  const pod = await pods.start(path);
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

test("a start after a kill without a checkpoint reads the log", async () => {
  const path = await pods.fill();
  await pods.start(path);
  const read = await pods.start(pods.kill(path));
  expect(read.open.opened.isResumed).toBe(false);
  expect(read.pages.scanReason).toBe("none was saved");
});

test("a start removes the root before it continues from it", async () => {
  const path = await pods.fill();
  await checkpoint(await pods.start(path));
  const root = `index-${DRIVE_ID}.root`;
  expect(readdirSync(path)).toContain(root);
  const killed = pods.kill(path);
  expect((await pods.start(killed)).open.opened.isResumed).toBe(true);
  expect(readdirSync(killed)).not.toContain(root);
});

test("a start reads the whole log if something after the checkpoint is damaged", async () => {
  const path = await pods.fill();
  const pod = await pods.start(path);
  await checkpoint(pod);
  const { store, shell } = pod.machine;
  shell.stop();
  for (let number = 1; number <= 3; number++) store.append(makeShard(SHARD_COUNT + number), "data");
  await flush(store);
  // Otherwise it would look like the torn end of a log.
  await promisify(store.log.attest.bind(store.log))();
  const killed = pods.kill(path);
  const text = `payload ${SHARD_COUNT + 2} `;
  for (const name of readdirSync(killed)) {
    const bytes = readFileSync(join(killed, name));
    const at = bytes.indexOf(text);
    if (at === -1) continue;
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(join(killed, name), bytes);
  }
  const read = await pods.start(killed);
  expect(read.open.opened.isResumed).toBe(false);
  expect(read.pages.scanReason).toContain("Damage (payload_lost) was found");
  expect(read.open.opened.corruptRecords).toHaveLength(1);
  expect(read.state.entries.size).toBe(SHARD_COUNT + 3);
});

test("a checkpoint waits until records have changed, or ten minutes if few have", async () => {
  const pod = await pods.start(await pods.fill());
  const { machine, state, settled } = pod;
  let nowMs = 0;
  const save = vi.fn(() => savePod(state, settled));
  const checkpoints = createCheckpoints(pod, () => {}, { nowMs: () => nowMs }, save);
  const savedAt = async (ms: number) => {
    nowMs = ms;
    const before = save.mock.calls.length;
    checkpoints.tick();
    await ended(checkpoints);
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

test("a pod that cannot be saved keeps running, and the reason is reported once", async () => {
  const pod = await pods.start(await pods.fill());
  const { machine } = pod;
  const reasons: string[] = [];
  let nowMs = 10_000;
  const failing = () => {
    throw new Error("its entries are wrong");
  };
  const report = (reason: string) => reasons.push(reason);
  const checkpoints = createCheckpoints(pod, report, { nowMs: () => nowMs }, failing);
  for (nowMs of [20_000, 40_000, 80_000]) {
    checkpoints.tick();
    await ended(checkpoints);
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
