import type { LiveVault } from "@stashlight/contracts/planner";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accept, createTestNode, openTestInstallation, type TestInstallation } from "../testing/index.ts";
import { readLiveVault } from "./read-live-vault.ts";

const WINDOW_MS = 10_000;
const MINUTES = 10;
const UPLOADS_PER_WINDOW = 60;

let installation: TestInstallation;
let live: LiveVault;

const many = (count: number, value: number) => Array.from({ length: count }, () => value);
const stashPath = { path: "stash" } as const;

/**
 * Ten minutes of an upload of 10 ms six times per second, one of 50 ms in each window; half of each is spent outside
 * the quorum.
 */
beforeAll(async () => {
  installation = await openTestInstallation();
  const { ctx } = await installation.person("viewer");
  const endMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  installation.clock.set(new Date(endMs + 1000));
  const { platform } = installation;
  const coordinator = await createTestNode(platform, "c1", false, "east");
  const simulated = await createTestNode(platform, "sim-c1", true, "far");
  const pod = await createTestNode(platform, "p1", false, "east");
  const stash = await createTestNode(platform, "s1", false, "east");
  const fast = UPLOADS_PER_WINDOW - 1;
  for (let i = 1; i <= (MINUTES * MINUTE_MS) / WINDOW_MS; i += 1) {
    const atMs = endMs - MINUTES * MINUTE_MS + i * WINDOW_MS;
    await accept(
      platform,
      coordinator.batch({
        endMs: atMs,
        counters: [
          ["stashlight_upload_bytes_total", stashPath, UPLOADS_PER_WINDOW * 256_000],
          ["stashlight_uploads_overlapping_total", {}, 6],
        ],
        histograms: [
          [
            "stashlight_upload_seconds",
            { ...stashPath, size_class: "to-256KiB" },
            [...many(fast, 0.01), 0.05],
          ],
          ["stashlight_upload_seconds", { path: "direct", size_class: "to-256KiB" }, many(5, 0.4)],
          ["stashlight_upload_edge_seconds", stashPath, [...many(fast, 0.005), 0.025]],
          ["stashlight_upload_quorum_seconds", stashPath, [...many(fast, 0.005), 0.025]],
          ["stashlight_pod_quorum_seconds", {}, many(UPLOADS_PER_WINDOW, 0.004)],
          ["stashlight_quorum_wait_seconds", { set: "pods" }, many(UPLOADS_PER_WINDOW, 0.3)],
          ["stashlight_quorum_wait_seconds", { set: "stash" }, many(UPLOADS_PER_WINDOW, 0.005)],
          ["stashlight_pod_ack_seconds", {}, many(20 * UPLOADS_PER_WINDOW, 0.004)],
          ["stashlight_stash_ack_seconds", {}, many(20 * UPLOADS_PER_WINDOW, 0.005)],
        ],
      }),
      simulated.batch({
        endMs: atMs,
        histograms: [["stashlight_upload_edge_seconds", stashPath, many(1000, 0.5)]],
      }),
      pod.batch({
        endMs: atMs,
        histograms: [
          ["stashlight_fsync_seconds", { tier: "pod", device: "p0", modelled: "an-hdd" }, many(2, 0.012)],
        ],
      }),
      stash.batch({
        endMs: atMs,
        histograms: [
          ["stashlight_fsync_seconds", { tier: "stash", device: "s0", modelled: "an-ssd" }, many(60, 0.001)],
        ],
      }),
    );
  }
  live = await readLiveVault({ ctx, input: { fromMs: endMs - MINUTES * MINUTE_MS, toMs: endMs } });
}, 240_000);
afterAll(() => installation.close());

const median = (of: { quantiles: readonly (readonly [number, number])[] } | null) =>
  of?.quantiles.find(([share]) => share >= 0.5)?.[1] ?? Number.NaN;

/** A histogram's buckets are 4 % wide. */
const about = (ms: number) => ({ from: ms * 0.95, to: ms * 1.05 });
function expectAbout(value: number | null | undefined, ms: number): void {
  expect(value).toBeGreaterThan(about(ms).from);
  expect(value).toBeLessThan(about(ms).to);
}

test("uploads through the stash have a rate, sizes, percentiles and their confidence intervals", () => {
  expect(live.uploadsPerSecond).toBeCloseTo(UPLOADS_PER_WINDOW / 10, 1);
  expect(live.uploadBytesMean).toBe(256_000);
  expect(live.uploads?.sampleCount).toBe(UPLOADS_PER_WINDOW * MINUTES * 6);
  expectAbout(live.uploads?.p50Ms, 10);
  expectAbout(live.uploads?.p99Ms, 50);
  expectAbout(live.uploads?.p99Interval?.lowMs, 50);
  expectAbout(live.uploads?.p50Interval?.highMs, 10);
  expect(live.overlappingShare).toBeCloseTo(0.1);
});

test("modelled figures are marked as modelled, by the drives' models", () => {
  expect(live.uploads?.modelled).toEqual(["an-hdd", "an-ssd"]);
});

test("the processor time is the uploads' measured time outside the quorum, on real nodes only", () => {
  expectAbout(median(live.processor), 5000);
  expect(live.processor?.sampleCount).toBe(UPLOADS_PER_WINDOW * MINUTES * 6);
});

test("a message takes half of a shard's round trip, without the stash's syncs and without uploads that bypass it", () => {
  expectAbout(median(live.messages), 2000);
  expectAbout(median(live.stashMessages), 2000);
  expect(live.alike).toEqual({
    pods: expect.any(Number),
    stash: expect.any(Number),
    sets: expect.any(Number),
  });
});
