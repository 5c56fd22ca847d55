/** Tests small parts of a run. */
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createUniform, shuffled } from "@stashlight/stats/random";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contentOfS3 } from "../drivers/s3/content.ts";
import { checkClock } from "./clock-check.ts";
import { DisturbanceMonitor } from "./disturbance.ts";
import { buildRunPrefix, isRunPrefix } from "./keys.ts";
import { ProgressCount } from "./progress.ts";

const runId = "1d05a69f-ab07-48d5-b0aa-049925dfd34c";

test.each([
  ["", `stashlight-${runId}/`],
  ["a/b", `a/b/stashlight-${runId}/`],
  ["a/b/", `a/b/stashlight-${runId}/`],
])("below the prefix %j a run writes to %s", (prefix, expected) => {
  expect(buildRunPrefix(prefix, runId)).toBe(expected);
  expect(isRunPrefix(expected)).toBe(true);
});

test.each([
  "",
  "/",
  "a/",
  `stashlight-${runId}`,
  "stashlight-1/",
  `x-stashlight-${runId}/`,
  `stashlight-${runId}/a/`,
])("%j is not the prefix of one run", (prefix) => expect(isRunPrefix(prefix)).toBe(false));

test("the same seed gives the same permutation of an order", () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer(), (items, seed) => {
      const order = shuffled(items, createUniform(seed));
      expect([...order].sort()).toEqual([...items].sort());
      expect(shuffled(items, createUniform(seed))).toEqual(order);
    }),
  );
});

test("every order of three occurs about equally often", () => {
  const random = createUniform(5);
  const counts = new Map<string, number>();
  for (let count = 0; count < 6000; count += 1) {
    const order = shuffled(["a", "b", "c"], random).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

const md5Hex = "5d41402abc4b2a76b9719d911017c592";

test.each([
  [{ etag: `"${md5Hex}"` }, md5Hex],
  [{ etag: md5Hex.toUpperCase() }, md5Hex],
  [{ etag: '"00000000000000000000000000000000"' }, "00000000000000000000000000000000"],
  [{ etag: `"${md5Hex}-1"` }, null],
  [{}, null],
  [{ etag: '"00000000000000000000000000000000"', "x-amz-server-side-encryption": "aws:kms" }, null],
  [
    {
      etag: '"00000000000000000000000000000000"',
      "x-amz-server-side-encryption-customer-algorithm": "AES256",
    },
    null,
  ],
])("the ETag of %j shows the MD5 %s", (headers, expected) => {
  const result = { kind: "answered", status: 200, headers: new Map(Object.entries(headers)) } as const;
  expect(contentOfS3({ result }).md5Hex).toBe(expected);
});

test("a delayed loop and a garbage collection appear only in the time in which they occurred", async () => {
  const monitor = new DisturbanceMonitor();
  monitor.start();
  await sleep(10);
  const from = performance.now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
  const to = performance.now();
  // Garbage is collected explicitly, because a process that has run other tests may have a heap large enough for all of
  // this test's garbage.
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  collectGarbage();
  const end = performance.now();
  await sleep(10);
  await monitor.settled();
  monitor.stop();
  expect(monitor.during(from, to).loopDelayMs).toBeGreaterThan(20);
  expect(monitor.during(to, end).gcMs).toBeGreaterThan(0);
  expect(monitor.during(from - 10_000, from - 9_000)).toEqual({});
  monitor.forgetBefore(Number.POSITIVE_INFINITY);
  expect(monitor.during(from, end)).toEqual({});
});

test("the clock is compared with the second that the server wrote", () => {
  const headers = new Map([["date", "Sat, 21 Nov 2026 17:00:00 GMT"]]);
  const serverMs = Date.UTC(2026, 10, 21, 17);
  expect(checkClock(headers, serverMs + 400, serverMs + 600)).toEqual({ offsetMs: 0, uncertaintyMs: 600 });
  expect(checkClock(headers, serverMs + 60_500, serverMs + 60_500)?.offsetMs).toBe(60_000);
  expect(checkClock(new Map(), 0, 0)).toBeNull();
});

test("progress counts samples, and leaves unknown figures out", () => {
  const progress = new ProgressCount();
  expect(progress.now).toEqual({ share: 0, text: "Starting", leftMs: null });
  progress.expectCount(4);
  progress.say("Uploads");
  progress.sampleDone();
  expect(progress.now).toMatchObject({ share: 0.25, text: "Uploads", leftMs: expect.any(Number) });
  for (let count = 0; count < 9; count += 1) progress.sampleDone();
  expect(progress.now).toMatchObject({ share: 1, leftMs: 0 });
});
