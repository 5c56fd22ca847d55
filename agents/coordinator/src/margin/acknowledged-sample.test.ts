import { SECOND_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { AcknowledgedSample } from "./acknowledged-sample.ts";

/** Repeatable pseudo-random numbers in [0, 1). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function createSample() {
  const clock = { nowMs: 1_000_000_000 };
  const sample = new AcknowledgedSample({ nowMs: () => clock.nowMs, random: randomOf(7) });
  const add = (from: number, count: number) => {
    for (let id = from; id < from + count; id += 1) {
      sample.add({ uploadId: String(id), kind: "object", bucket: "b", key: `k${id}`, order: String(id) });
    }
  };
  const ids = (count: number) => sample.draw(count).map(({ uploadId }) => Number(uploadId));
  return { clock, sample, add, ids };
}

test("without acknowledged uploads nothing is drawn", () => {
  expect(createSample().ids(8)).toEqual([]);
});

test("draws are distinct, acknowledged, and stay in the sample", () => {
  const { add, ids } = createSample();
  add(0, 3);
  expect(ids(8).sort()).toEqual([0, 1, 2]);
  expect(ids(2)).toHaveLength(2);
});

test("uploads leave the sample after five minutes", () => {
  const { add, ids, clock } = createSample();
  add(0, 3);
  clock.nowMs += 200 * SECOND_MS;
  add(10, 1);
  expect(ids(8)).toHaveLength(4);
  clock.nowMs += 110 * SECOND_MS;
  expect(ids(8)).toEqual([10]);
  clock.nowMs += 300 * SECOND_MS;
  expect(ids(8)).toEqual([]);
});

test("32 uploads per busy period are kept, with equal chances for its first and second half", () => {
  const { add, ids, clock } = createSample();
  let earlyCount = 0;
  let keptCount = 0;
  for (let period = 0; period < 40; period += 1) {
    add(period * 1000, 1000);
    const kept = ids(1_000_000);
    expect(kept.length).toBeLessThanOrEqual(32);
    keptCount += kept.length;
    earlyCount += kept.filter((id) => id % 1000 < 500).length;
    // All earlier periods have expired.
    clock.nowMs += 330 * SECOND_MS;
  }
  expect(keptCount).toBe(40 * 32);
  expect(earlyCount / keptCount).toBeGreaterThan(0.45);
  expect(earlyCount / keptCount).toBeLessThan(0.55);
});

test("a busy period displaces no upload of a quiet one", () => {
  const { add, ids, clock } = createSample();
  add(0, 20);
  clock.nowMs += 30 * SECOND_MS;
  add(1000, 100_000);
  const kept = ids(1_000_000);
  expect(kept.filter((id) => id < 1000)).toHaveLength(20);
  expect(kept).toHaveLength(52);
});

test("only the last version of a key is kept, and nothing once it is deleted", () => {
  const { sample, ids, clock } = createSample();
  const version = { kind: "object", bucket: "b", key: "k" } as const;
  sample.add({ ...version, uploadId: "1", order: "1" });
  clock.nowMs += 30 * SECOND_MS;
  sample.add({ ...version, uploadId: "2", order: "2" });
  sample.add({ ...version, uploadId: "3", order: "3", bucket: "c" });
  expect(ids(8).sort()).toEqual([2, 3]);
  sample.add({ ...version, uploadId: "4", order: "4", kind: "tombstone" });
  expect(ids(8)).toEqual([3]);
});
