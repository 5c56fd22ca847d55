/** Checkpoints that a stop, a kill, or a failure of the index's files interrupts. */
import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { ScratchFile } from "@stashlight/paged-memory/node";
import { savePod } from "@stashlight/write-path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { IndexCheckpoints } from "./index-checkpoints.ts";
import { type StopObservation, saveIndex } from "./index-of-stop.ts";
import {
  CheckpointedPods,
  createCheckpoints,
  DRIVE_ID,
  describePod,
  flush,
  type RunningPod,
  SHARD_COUNT,
} from "./testing/checkpointed-pod.ts";
import { makeShard } from "./testing/pod-drive.ts";

let pods: CheckpointedPods;
beforeEach(() => {
  pods = new CheckpointedPods();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await pods.close();
});

/** A pod that saves its index whenever the test's clock moves by as long as a pause. */
class Bench {
  readonly pod: RunningPod;
  readonly checkpoints: IndexCheckpoints;
  readonly reasons: string[] = [];
  nowMs = 0;
  #shardCount = SHARD_COUNT;

  private constructor(pod: RunningPod, endsWithinMs: number) {
    this.pod = pod;
    const options = { nowMs: () => this.nowMs, endsWithinMs };
    this.checkpoints = createCheckpoints(pod, (reason) => this.reasons.push(reason), options);
  }

  static async start(endsWithinMs = 50_000): Promise<Bench> {
    return new Bench(await pods.start(await pods.fill()), endsWithinMs);
  }

  /** Saves the index for the next start. */
  stop(): Promise<StopObservation | null> {
    const { machine: running, pages, state, settled } = this.pod;
    const boot = { running, pages, savePod: () => savePod(state, settled) };
    return saveIndex(boot, this.checkpoints, () => false);
  }

  begin(afterMs: number): void {
    this.nowMs += afterMs;
    this.checkpoints.tick();
  }

  ended(): Promise<void> {
    return vi.waitFor(() => expect(this.checkpoints.isBusy).toBe(false), { timeout: 50_000 });
  }

  async checkpoint(afterMs: number): Promise<void> {
    this.begin(afterMs);
    await this.ended();
  }

  /** Has the pod give up shards whose entries are in many pages, and take others. */
  async change(): Promise<void> {
    const { machine, state } = this.pod;
    const { store, shell } = machine;
    for (let number = this.#shardCount - 290; number < SHARD_COUNT - 20; number += 40) {
      const proof = { type: "superseded", by: "f".repeat(24) } as const;
      shell.receive("c0", { type: "pod.discard", upload: makeShard(number).upload, proof });
    }
    for (let count = 0; count < 5; count++) {
      const shard = makeShard(++this.#shardCount);
      const repair = { purpose: "repair", isDurable: true, condition: { type: "none" } } as const;
      shell.receive("c0", { type: "pod.append", shard, ...repair, bootId: 1, stashDeviceId: null });
    }
    await vi.waitFor(() => expect(store.isQuiet).toBe(true), { timeout: 50_000 });
    await flush(store);
    expect(state.entries.get(makeShard(this.#shardCount).upload.uploadId)?.position).not.toBeNull();
  }

  /** Expects the pod to have an answer for a client. */
  expectService(): void {
    const { machine, state } = this.pod;
    const before = state.nextLoadId;
    const { uploadId } = makeShard(1).upload;
    machine.shell.receive("c0", { type: "pod.load", requestId: 1, uploadId });
    expect(state.nextLoadId).toBe(before + 1);
    expect(machine.store.log.isPaused).toBe(false);
  }
}

/** Long enough for a checkpoint to be due after any other one. */
const HOUR_MS = 3_600_000;

/** Has the root of the next checkpoint wait, once its pages are durable, until `goOn` is called. */
function holdRoot({ pages }: RunningPod): { goOn: (() => void) | null } {
  const held: { goOn: (() => void) | null } = { goOn: null };
  const { files } = pages;
  const spy = vi.spyOn(pages, "files", "get").mockReturnValue({
    ...files,
    prepareRoot: (boot) => {
      const write = files.prepareRoot(boot);
      spy.mockRestore();
      return (done) => {
        held.goOn = () => write(done);
      };
    },
  });
  return held;
}

/** Begins a checkpoint; resolves when its pages are durable and its root is not written. */
async function checkpointWithoutRoot(bench: Bench): Promise<{ goOn: (() => void) | null }> {
  const held = holdRoot(bench.pod);
  bench.begin(HOUR_MS);
  await vi.waitFor(() => expect(held.goOn).not.toBeNull(), { timeout: 50_000 });
  return held;
}

/** Expects the same state from a checkpoint as from the whole log. */
async function expectSameStart(path: string): Promise<void> {
  const read = describePod(await pods.start(pods.kill(path), "the test reads it"));
  const continued = await pods.start(pods.kill(path));
  expect(continued.pages.scanReason).toBeNull();
  expect(describePod(continued)).toEqual(read);
}

test("a start after a kill between the pages and the root continues from the checkpoint before", async () => {
  const bench = await Bench.start();
  const { path } = bench.pod;
  const first = await checkpointWithoutRoot(bench);
  expect((await pods.start(pods.kill(path))).pages.scanReason).toBe("none was saved");
  first.goOn?.();
  await bench.ended();
  await bench.change();
  const second = await checkpointWithoutRoot(bench);
  await bench.change();
  await expectSameStart(path);
  second.goOn?.();
  await bench.ended();
  await bench.change();
  await expectSameStart(path);
  expect(bench.reasons).toEqual([]);
});

test("a stop waits for the checkpoint that is being written, and leaves its own index", async () => {
  const bench = await Bench.start();
  const { pod } = bench;
  const held = await checkpointWithoutRoot(bench);
  const stopped = bench.stop();
  expect(pod.machine.store.isEnded).toBe(false);
  held.goOn?.();
  expect(await stopped).toMatchObject({ type: "indexSaved" });
  const content = describePod(pod);
  await pods.end(pod);
  const next = await pods.start(pod.path);
  expect(next.pages.scanReason).toBeNull();
  expect(next.open.saved?.log.isEnd).toBe(true);
  expect(describePod(next)).toEqual(content);
});

test("a start after a stop continues from a checkpoint even if the drive wrote its root only after the stop", async () => {
  const bench = await Bench.start(0);
  const { pod } = bench;
  await bench.checkpoint(HOUR_MS);
  await bench.change();
  const held = await checkpointWithoutRoot(bench);
  await bench.change();
  expect(await bench.stop()).toEqual({ type: "indexNotSaved", reason: "a checkpoint of it has not ended" });
  await pods.end(pod);
  await expectSameStart(pod.path);
  held.goOn?.();
  await bench.ended();
  await expectSameStart(pod.path);
});

const rootPath = ({ path }: RunningPod): string => join(path, `index-${DRIVE_ID}.root`);

/** Each fault begins with its call, and ends when the returned function is called. */
const faults: readonly [string, string, (pod: RunningPod) => () => void][] = [
  [
    "has no space for pages",
    "its index cannot be written: ENOSPC",
    () => {
      const write = vi.spyOn(ScratchFile.prototype, "write").mockImplementation(() => {
        throw new Error("ENOSPC");
      });
      return () => write.mockRestore();
    },
  ],
  [
    "cannot write the root",
    "its index cannot be written: EISDIR",
    (pod) => {
      const partial = `${rootPath(pod)}.partial`;
      mkdirSync(partial);
      return () => rmdirSync(partial);
    },
  ],
];

test.each(faults)(
  "a pod whose index %s continues from its last checkpoint, and saves it later",
  async (_name, reason, begin) => {
    const bench = await Bench.start();
    const { path, machine } = bench.pod;
    await bench.checkpoint(HOUR_MS);
    const end = begin(bench.pod);
    await bench.change();
    await bench.checkpoint(HOUR_MS);
    expect(bench.reasons).toEqual([expect.stringContaining(reason)]);
    bench.expectService();
    await bench.change();
    end();
    await expectSameStart(path);
    await bench.checkpoint(9_999);
    await expectSameStart(path);
    await bench.checkpoint(1);
    expect(bench.reasons).toHaveLength(1);
    const saved = await pods.start(pods.kill(path));
    expect(saved.open.saved?.log.marks.nextLsn).toBe(machine.store.log.nextLsn);
  },
);

test("a pod whose index could not be synced is not saved again, and the last checkpoint remains", async () => {
  const bench = await Bench.start();
  const { pod } = bench;
  await bench.checkpoint(HOUR_MS);
  vi.spyOn(ScratchFile.prototype, "sync").mockImplementationOnce((done) => done(new Error("EIO")));
  await bench.change();
  await bench.checkpoint(HOUR_MS);
  await bench.checkpoint(HOUR_MS);
  expect(bench.reasons).toEqual(["its index cannot be written: EIO", "a sync of its file has failed: EIO"]);
  bench.expectService();
  await bench.change();
  await expectSameStart(pod.path);
  expect(await bench.stop()).toEqual({ type: "indexNotSaved", reason: "its index cannot be written: EIO" });
  await pods.end(pod);
  await expectSameStart(pod.path);
});
