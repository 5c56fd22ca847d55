import { StashlightError } from "@stashlight/contracts/errors";
import type { ReceivedBatch } from "@stashlight/services/metrics/ingest";
import { expect, test, vi } from "vitest";
import { GroupCommit, type GroupCommitOptions } from "./group-commit.ts";

const accepted = (nodeId: string, sequence = 1): ReceivedBatch => ({
  nodeId,
  isSimulated: false,
  batch: {
    nodeId,
    bootId: 1,
    sequence,
    window: { startMs: 0, endMs: 10_000, histograms: [], counters: [], gauges: [] },
    gaps: [],
  },
});

/** The values returned by `store` do not matter; each batch gets a remark that names it. */
function gatherInto(
  store: (batches: readonly ReceivedBatch[]) => Promise<void>,
  changes: Partial<GroupCommitOptions> = {},
) {
  const commit: GroupCommitOptions["commit"] = async (batches) => {
    await store(batches);
    return batches.map(({ nodeId }) => [remarkOn(nodeId)]);
  };
  return new GroupCommit({ commit, gatherMs: 5, batchesPerCommitMax: 100, commitsAtOnceMax: 1, ...changes });
}

const remarkOn = (metric: string) => ({ metric, reason: "counted_as_other", count: 1 }) as const;

test("each batch is answered with its own result, even if it arrives twice", async () => {
  const gather = gatherInto(async () => {});
  const remarks = await Promise.all(["a", "b", "a"].map((nodeId) => gather.add(accepted(nodeId))));
  expect(remarks).toEqual([[remarkOn("a")], [remarkOn("b")], [remarkOn("a")]]);
});

test("batches that arrive together are committed together, and the number of concurrent commits is limited", async () => {
  const sizes: number[] = [];
  let atOnce = 0;
  const gather = gatherInto(
    async (batches) => {
      atOnce += 1;
      expect(atOnce).toBeLessThanOrEqual(2);
      sizes.push(batches.length);
      await new Promise(setImmediate);
      atOnce -= 1;
    },
    { batchesPerCommitMax: 10, commitsAtOnceMax: 2 },
  );
  await Promise.all(Array.from({ length: 35 }, (_, at) => gather.add(accepted(`node-${at}`))));
  expect(sizes).toEqual([10, 10, 10, 5]);
});

test("the end of a commit does not shorten the next batches' wait for others", async () => {
  const ends: (() => void)[] = [];
  const sizes: number[] = [];
  const gather = gatherInto(
    (batches) => {
      sizes.push(batches.length);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    { gatherMs: 3_600_000, batchesPerCommitMax: 2 },
  );
  const first = ["a", "b"].map((nodeId) => gather.add(accepted(nodeId)));
  const third = gather.add(accepted("c"));
  ends[0]?.();
  await Promise.all(first);
  expect(sizes).toEqual([2]);
  const fourth = gather.add(accepted("d"));
  expect(sizes).toEqual([2, 2]);
  ends[1]?.();
  await Promise.all([third, fourth]);
});

test("a full group does not shorten the wait of the batches after it", async () => {
  vi.useFakeTimers();
  try {
    const sizes: number[] = [];
    const gather = gatherInto(async (batches) => void sizes.push(batches.length), {
      gatherMs: 100,
      batchesPerCommitMax: 2,
    });
    const first = gather.add(accepted("a"));
    await vi.advanceTimersByTimeAsync(60);
    await Promise.all([first, gather.add(accepted("b"))]);
    const third = gather.add(accepted("c"));
    await vi.advanceTimersByTimeAsync(99);
    expect(sizes).toEqual([2]);
    await vi.advanceTimersByTimeAsync(1);
    await third;
    expect(sizes).toEqual([2, 1]);
  } finally {
    vi.useRealTimers();
  }
});

test("a commit that hangs delays only its own batches", async () => {
  const hangs = Promise.withResolvers<void>();
  const gather = gatherInto(([batch]) => (batch?.nodeId === "slow" ? hangs.promise : Promise.resolve()), {
    batchesPerCommitMax: 1,
    commitsAtOnceMax: 2,
  });
  const slow = gather.add(accepted("slow"));
  await gather.add(accepted("quick"));
  hangs.resolve();
  await slow;
});

test("a batch that arrives twice while it waits is committed once", async () => {
  const commit = vi.fn(async () => {});
  const gather = gatherInto(commit);
  await Promise.all([gather.add(accepted("a")), gather.add(accepted("a")), gather.add(accepted("a", 2))]);
  expect(commit).toHaveBeenCalledTimes(1);
  expect(commit).toHaveBeenCalledWith([accepted("a"), accepted("a", 2)]);
  await gather.add(accepted("a"));
  expect(commit).toHaveBeenCalledTimes(2);
});

test("a bad batch is refused without affecting others", async () => {
  const committed: string[] = [];
  const gather = gatherInto(async (batches) => {
    if (batches.some(({ nodeId }) => nodeId === "bad")) throw new StashlightError("invalid_input", "Bad.");
    committed.push(...batches.map(({ nodeId }) => nodeId));
  });
  const outcomes = await Promise.allSettled(["a", "bad", "b"].map((nodeId) => gather.add(accepted(nodeId))));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(committed).toEqual(["a", "b"]);
});

test("all senders are asked to retry after one attempt while the database is unreachable", async () => {
  const commit = vi.fn(() => Promise.reject(new StashlightError("unavailable", "Away.")));
  const gather = gatherInto(commit);
  const outcomes = await Promise.allSettled(["a", "b"].map((nodeId) => gather.add(accepted(nodeId))));
  expect(outcomes).toMatchObject([{ reason: { code: "unavailable" } }, { reason: { code: "unavailable" } }]);
  expect(commit).toHaveBeenCalledTimes(1);
});

test("drain commits waiting batches at once", async () => {
  const commit = vi.fn(async () => {});
  const gather = gatherInto(commit, { gatherMs: 3_600_000 });
  const answered = gather.add(accepted("a"));
  await gather.drain();
  await answered;
  expect(commit).toHaveBeenCalledTimes(1);
});
