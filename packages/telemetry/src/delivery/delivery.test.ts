import { expect, test } from "vitest";
import { decodeBatch } from "../batch/batch.ts";
import type { RecordedWindow } from "../recorder/recorder.ts";
import { Spool } from "../spool/spool.ts";
import { Delivery, type PostResult } from "./delivery.ts";

const WINDOW_MS = 10_000;
const accepted: PostResult = { type: "accepted", skewMs: 3 };
const unreachable: PostResult = { type: "unreachable", reason: "connect ECONNREFUSED" };

/** Sets up a node, its spool in memory, and an ingest whose answers the test chooses. */
async function setUp({ bytesMax = 1_000_000, random = 0 } = {}) {
  const contents = new Map<string, Uint8Array>();
  const clock = { nowMs: 0 };
  const spool = await Spool.open({
    files: {
      list: async () => [...contents.keys()],
      read: async (name) => contents.get(name) as Uint8Array,
      append: async (name, bytes) =>
        void contents.set(name, Buffer.concat([contents.get(name) ?? new Uint8Array(0), bytes])),
      remove: async (name) => void contents.delete(name),
      replace: async (name, bytes) => void contents.set(name, bytes),
    },
    bytesMax,
    ageMsMax: 86_400_000,
    segmentBytesMax: 500,
    nowMs: () => clock.nowMs,
  });
  const asked: ReturnType<typeof decodeBatch>["batch"][] = [];
  const aside: string[] = [];
  const ingest = { answer: (): PostResult => accepted };
  const delivery = new Delivery({
    nodeId: "pod-1",
    bootId: 1,
    spool,
    post: async (bytes) => {
      asked.push(decodeBatch(bytes).batch);
      return ingest.answer();
    },
    putAside: async (_, reason) => void aside.push(reason),
    nowMs: () => clock.nowMs,
    random: () => random,
  });
  let number = 0;
  /** Delivers the window that ends now, one window after the last; returns the sequences that the ingest received. */
  const tick = async (): Promise<number[]> => {
    const startMs = number++ * WINDOW_MS;
    clock.nowMs = startMs + WINDOW_MS;
    const gauges = [{ metric: "stashlight_client_connections", labels: {}, value: number }] as const;
    const window: RecordedWindow = { startMs, endMs: clock.nowMs, histograms: [], counters: [], gauges };
    asked.length = 0;
    await delivery.take(window);
    return asked.map(({ sequence }) => sequence);
  };
  const ticks = async (count: number): Promise<number[][]> => {
    const all: number[][] = [];
    for (let at = 0; at < count; at += 1) all.push(await tick());
    return all;
  };
  return { delivery, spool, asked, aside, ingest, clock, tick, ticks };
}

test("without failures each window is delivered once, when it ends", async () => {
  const { ticks, spool, delivery } = await setUp();
  expect(await ticks(3)).toEqual([[1], [2], [3]]);
  expect(spool.entryCount).toBe(0);
  expect(delivery.status()).toMatchObject({ skewMs: 3, trouble: null, replayedTotal: 0 });
});

test("after an outage the newest window is sent first, then the oldest ones, five per window", async () => {
  const { ingest, ticks, spool, delivery } = await setUp();
  ingest.answer = () => unreachable;
  await ticks(12);
  expect(spool.entryCount).toBe(12);
  expect(delivery.status().trouble).toBe("connect ECONNREFUSED");
  ingest.answer = () => accepted;
  const later = (await ticks(10)).filter((each) => each.length > 0);
  const delivered = later.flat();
  expect(later[0]?.slice(1)).toEqual([1, 2, 3, 4, 5]);
  expect(Math.max(...later.map((each) => each.length))).toBe(6);
  expect([...delivered].sort((a, b) => a - b)).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
  expect(spool.entryCount).toBe(0);
  expect(delivery.status()).toMatchObject({ trouble: null, spoolBytes: 0 });
});

test("an unreachable ingest is tried again at growing intervals of at most about a minute", async () => {
  const { ingest, ticks } = await setUp();
  ingest.answer = () => unreachable;
  const tries = (await ticks(60)).map((each) => each.length);
  // Delays of 1, 2, 4 and 8 s end before the next window; 16 s skips one, 32 s three, and later delays are a minute.
  expect(tries.slice(0, 11)).toEqual([1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 1]);
  expect(tries.slice(16).reduce((sum, count) => sum + count, 0)).toBe(8);
});

test("a delivery waits for as long as the ingest asks, plus a random part", async () => {
  const { ingest, ticks } = await setUp({ random: 0.5 });
  ingest.answer = () => ({ type: "again", afterMs: 20_000 });
  expect((await ticks(7)).map((each) => each.length)).toEqual([1, 0, 0, 1, 0, 0, 1]);
});

test("a refused batch is moved aside and reported as a gap with the next batch", async () => {
  const { ingest, tick, aside, asked, spool } = await setUp();
  ingest.answer = () => ({ type: "refused", reason: "The node's key was revoked." });
  await tick();
  expect(aside).toEqual(["The node's key was revoked."]);
  expect(spool.entryCount).toBe(0);
  ingest.answer = () => accepted;
  expect(await tick()).toEqual([2]);
  expect(asked[0]?.gaps).toEqual([{ startMs: 0, endMs: WINDOW_MS, reason: "refused" }]);
  expect(spool.gaps).toEqual([]);
});

test("the gaps of successive refused batches are merged, and reported with the next accepted batch", async () => {
  const { ingest, tick, asked } = await setUp();
  ingest.answer = () => ({ type: "refused", reason: "No." });
  await tick();
  await tick();
  ingest.answer = () => accepted;
  await tick();
  expect(asked[0]?.gaps).toEqual([{ startMs: 0, endMs: 2 * WINDOW_MS, reason: "refused" }]);
});

test("each window is either delivered or reported as a gap after the spool dropped batches", async () => {
  const { ingest, ticks, tick, asked, spool } = await setUp({ bytesMax: 1000 });
  ingest.answer = () => unreachable;
  await ticks(40);
  expect(spool.bytes).toBeLessThanOrEqual(1000);
  ingest.answer = () => accepted;
  const told: { startMs: number; endMs: number }[] = [];
  const seen = new Set<number>();
  for (let at = 0; at < 20; at += 1) {
    await tick();
    for (const { gaps, window } of asked) {
      seen.add(window.startMs);
      told.push(...gaps);
    }
  }
  const inGaps = told.flatMap(({ startMs, endMs }) =>
    Array.from({ length: (endMs - startMs) / WINDOW_MS }, (_, i) => startMs + i * WINDOW_MS),
  );
  // Every window is either delivered or reported as a gap, never both.
  const all = Array.from({ length: 60 }, (_, i) => i * WINDOW_MS);
  expect([...seen, ...inGaps].sort((a, b) => a - b)).toEqual(all);
  expect(inGaps.length).toBeGreaterThan(0);
});

test("windows that arrive during a delivery wait for it", async () => {
  const { delivery, asked } = await setUp();
  const window: RecordedWindow = { startMs: 0, endMs: 1, histograms: [], counters: [], gauges: [] };
  await Promise.all([delivery.take(window), delivery.take(window), delivery.take(window)]);
  expect(asked.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});
