import { MINUTE_MS } from "@stashlight/contracts/time";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTraceRing, type TraceRingOptions } from "./trace-ring.ts";
import type { UploadTrace } from "./upload-trace.ts";

const WALL_CLOCK_MS = 1_800_000_000_000;

/** A ring on a manual clock, with a function that makes an upload of a given duration. */
function ringWith(options: Partial<TraceRingOptions> = {}) {
  const clock = { ms: 5000 };
  const wallClockMs = () => WALL_CLOCK_MS + clock.ms;
  const ring = createTraceRing({ nowMs: () => clock.ms, wallClockMs, ...options });
  let uploadCount = 0;
  const begin = (sizeBytes = 262_144): UploadTrace => {
    uploadCount += 1;
    return ring.begin({ uploadId: `upload-${uploadCount}`, bucket: "backups", sizeBytes, shardCount: 3 });
  };
  const upload = (durationMs: number, sizeBytes?: number): UploadTrace => {
    const trace = begin(sizeBytes);
    clock.ms += durationMs;
    ring.finish(trace, { path: "stash", result: "stored" });
    return trace;
  };
  return { clock, ring, begin, upload };
}

const never = { sampleEvery: 1_000_000_000 };
const uploadIds = (traces: readonly { uploadId: string }[]) => traces.map(({ uploadId }) => uploadId);

test("a kept trace has each moment in microseconds from its start, and null for moments that did not happen", () => {
  const { clock, ring, begin } = ringWith();
  const trace = begin();
  const at = (ms: number) => {
    clock.ms = 5000 + ms;
  };
  trace.mark("verifyStart");
  at(1.25);
  trace.mark("verifyEnd");
  trace.mark("encodeStart");
  at(1.5);
  trace.mark("encodeEnd");
  trace.markShard("podSent", 0);
  trace.markShard("stashSent", 0, 5001.6);
  at(3);
  trace.markShard("podWritten", 0);
  trace.mark("podQuorum");
  at(4);
  trace.mark("quorum");
  ring.finish(trace, { path: "stash", result: "stored" });
  const [snapshot] = ring.snapshot().recent;
  expect(snapshot).toMatchObject({
    uploadId: "upload-1",
    bucket: "backups",
    sizeBytes: 262_144,
    path: "stash",
    result: "stored",
    startedAtMs: WALL_CLOCK_MS + 5000,
    totalUs: 4000,
    verify: { startUs: 0, endUs: 1250 },
    encode: { startUs: 1250, endUs: 1500 },
    podQuorumUs: 3000,
    stashQuorumUs: null,
    quorumUs: 4000,
  });
  expect(snapshot?.shards).toHaveLength(3);
  expect(snapshot?.shards[0]).toEqual({
    index: 0,
    podSentUs: 1500,
    podWrittenUs: 3000,
    stashSentUs: 1600,
    stashDurableUs: null,
    flushedUs: null,
    purgedUs: null,
  });
  expect(JSON.parse(JSON.stringify(ring.snapshot()))).toEqual(ring.snapshot());
});

test("moments after the answer are marked in the kept trace, by handle or by upload id", () => {
  const { clock, ring, begin } = ringWith();
  const trace = begin();
  ring.finish(trace, { path: "stash", result: "stored" });
  clock.ms += 2000;
  trace.markShard("flushed", 1);
  ring.find("upload-1")?.markShard("purged", 1, clock.ms + 500);
  expect(ring.snapshot().recent[0]?.shards[1]).toMatchObject({ flushedUs: 2_000_000, purgedUs: 2_500_000 });
  expect(ring.find("upload-2")).toBeNull();
});

test("a moment is marked once, an upload finished once, and a shard index beyond the upload ignored", () => {
  const { clock, ring, begin } = ringWith();
  const trace = begin();
  trace.mark("quorum", clock.ms + 1);
  trace.mark("quorum", clock.ms + 9);
  trace.markShard("podWritten", 3);
  trace.markShard("podWritten", -1);
  ring.finish(trace, { path: "stash", result: "stored" });
  ring.finish(trace, { path: "direct", result: "unavailable" });
  const { recent, finishedCount } = ring.snapshot();
  expect(finishedCount).toBe(1);
  expect(recent).toMatchObject([{ path: "stash", quorumUs: 1000, stashQuorumUs: null }]);
  expect(recent[0]?.shards.every(({ podWrittenUs }) => podWrittenUs === null)).toBe(true);
});

describe("the ring", () => {
  test("keeps every Nth upload, newest first, and drops the oldest beyond its capacity", () => {
    const { ring, upload } = ringWith({ sampleEvery: 10, capacity: 3, slowestCapacity: 1 });
    for (let i = 0; i < 50; i += 1) upload(1);
    const { recent, finishedCount, sampleEvery } = ring.snapshot();
    expect({ finishedCount, sampleEvery }).toEqual({ finishedCount: 50, sampleEvery: 10 });
    expect(uploadIds(recent)).toEqual(["upload-41", "upload-31", "upload-21"]);
    expect(ring.find("upload-11")).toBeNull();
    expect(ring.find("upload-21")).not.toBeNull();
  });

  test("keeps the first stored upload of each of 1,000 buckets, so that a user finds their own", () => {
    const { ring } = ringWith({ ...never, capacity: 2_000, slowestCapacity: 1 });
    const upload = (bucket: string, result = "stored"): string => {
      const uploadId = `${bucket} ${result} ${ring.snapshot().finishedCount}`;
      ring.finish(ring.begin({ uploadId, bucket, sizeBytes: 1, shardCount: 3 }), { path: "stash", result });
      return uploadId;
    };
    upload("demo");
    for (let i = 0; i < 10; i += 1) upload("demo");
    const [refused, first] = [upload("photos", "NoSuchBucket"), upload("photos")];
    upload("photos");
    expect(uploadIds(ring.snapshot().recent)).toEqual([first, refused, "demo stored 0"]);
    for (let i = 0; i < 1_100; i += 1) upload(`bucket-${i}`);
    expect(ring.snapshot().recent).toHaveLength(1_000);
  });

  test("keeps uploads slower than the running p99 of their path and size, after 1,000 uploads", () => {
    const { ring, upload } = ringWith({ ...never, slowestCapacity: 1 });
    upload(50);
    for (let i = 0; i < 1100; i += 1) upload(2 + (i % 100) / 100);
    const slow = upload(9);
    for (let i = 0; i < 20; i += 1) upload(400, 50_000_000);
    const reasons = ring.snapshot().recent.map(({ uploadId, keptBecause }) => [uploadId, ...keptBecause]);
    expect(reasons).toEqual([
      [slow.start.uploadId, "slow"],
      ["upload-1", "sampled"],
    ]);
  });

  test("keeps no upload as slow if all take about the same time", () => {
    const { ring, upload } = ringWith({ ...never, slowestCapacity: 1 });
    for (let i = 0; i < 3000; i += 1) upload(2 + (i % 10) / 1000);
    expect(uploadIds(ring.snapshot().recent)).toEqual(["upload-1"]);
  });

  test("compares with the last minutes only: once all uploads have become slower, none is slow", () => {
    const { clock, ring, upload } = ringWith({ ...never, capacity: 5000, slowestCapacity: 1 });
    for (let i = 0; i < 1100; i += 1) upload(1);
    clock.ms += 11 * MINUTE_MS;
    for (let i = 0; i < 1500; i += 1) upload(5);
    expect(ring.snapshot().recent).toHaveLength(1);
  });
});

describe("the list of slowest uploads", () => {
  test("covers the last hour, slowest first, independent of the ring", () => {
    const { clock, ring, upload } = ringWith({ ...never, capacity: 1, slowestCapacity: 2 });
    const old = upload(900);
    clock.ms += 30 * MINUTE_MS;
    const [second, first] = [upload(300), upload(700)];
    for (let i = 0; i < 10; i += 1) upload(5);
    expect(uploadIds(ring.snapshot().slowest)).toEqual(uploadIds([old.start, first.start]));
    clock.ms += 31 * MINUTE_MS;
    expect(uploadIds(ring.snapshot().slowest)).toEqual(uploadIds([first.start, second.start]));
    expect(ring.snapshot().slowest[0]?.keptBecause).toEqual(["slowest"]);
    clock.ms += 60 * MINUTE_MS;
    expect(ring.snapshot().slowest).toEqual([]);
    expect(ring.find(first.start.uploadId)).toBeNull();
  });

  test("is exact among all uploads within the hour", () => {
    const durations = fc.array(fc.integer({ min: 1, max: 15_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(durations, (durationsMs) => {
        const { ring, upload } = ringWith({ ...never, capacity: 1, slowestCapacity: 5 });
        for (const durationMs of durationsMs) upload(durationMs);
        const expected = durationsMs.map((durationMs) => durationMs * 1000).sort((a, b) => b - a);
        expect(ring.snapshot().slowest.map(({ totalUs }) => totalUs)).toEqual(expected.slice(0, 5));
      }),
    );
  });

  test("and the ring keep a limited number of traces from 20,000 uploads", () => {
    const { clock, ring, upload } = ringWith({ sampleEvery: 7, capacity: 10, slowestCapacity: 4 });
    const ids = Array.from({ length: 20_000 }, (_, i) => {
      clock.ms += 1000;
      return upload(1 + (i % 977)).start.uploadId;
    });
    const keptCount = ids.filter((id) => ring.find(id) !== null).length;
    expect(keptCount).toBeLessThanOrEqual(10 + 14 * 4);
    expect(ring.snapshot().slowest).toHaveLength(4);
  });
});

test.each([0, -1, 1.5, Number.NaN])("a capacity of %d is refused", (capacity) => {
  expect(() => ringWith({ capacity })).toThrow("capacity must be a whole number from 1");
});
