import { startEdge, type TestEdge, testKeys } from "@stashlight/s3/testing";
import {
  createBenchmarkPlan,
  getBenchmarkRun,
  getBenchmarkSamples,
  listBenchmarkSlots,
  recoverLostSlots,
  runBenchmarkPlanNow,
} from "@stashlight/services/benchmark";
import type { Context } from "@stashlight/services/context";
import { openPlatform } from "@stashlight/services/platform";
import {
  createTestEndpoint,
  openTestInstallation,
  type TestInstallation,
} from "@stashlight/services/testing";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { runNextBenchmark } from "./benchmarks.ts";

/** Starts processes that measure, which takes seconds on a loaded machine. */
vi.setConfig({ testTimeout: 120_000 });

const bucket = "benchmarks";
let installation: TestInstallation;
let edge: TestEdge;
let ctx: Context;
let endpointIds: string[];

beforeAll(async () => {
  installation = await openTestInstallation({ kind: "worker", now: () => new Date() });
  ({ ctx } = await installation.person("operator"));
  edge = await startEdge();
  await edge.store.addBucket(bucket);
  endpointIds = [];
  for (const name of ["first", "second"]) {
    const { id: accessKeyId, secret: secretAccessKey } = testKeys.writer;
    const options = { name, url: edge.url, bucket, accessKeyId, secretAccessKey };
    endpointIds.push(await createTestEndpoint(installation.platform, options));
  }
  const createdAt = new Date();
  await installation.platform.db.outboundNetwork.create({
    data: { cidr: "127.0.0.0/8", createdByName: "test", createdAt },
  });
});
afterAll(async () => {
  await edge.close();
  await installation.close();
});
beforeEach(async () => {
  await installation.platform.db.schedule.deleteMany();
});

const never = new AbortController().signal;
const runNext = (stopping = never) =>
  runNextBenchmark(installation.platform, {
    stopping,
    beatMs: 50,
    onError: (error) => {
      throw error;
    },
  });
const runNow = async (name: string, parameters: object, changes: object = {}) => {
  const input = {
    name,
    description: "",
    endpointIds,
    method: { name: "small-uploads", parameters: { pingCount: 5, warmUpCount: 1, ...parameters } },
    cron: "0 0 1 1 *",
    timeZone: "UTC",
    jitterSeconds: 0,
    missedPolicy: "run-late" as const,
    vantageNodeId: null,
    budgetPerMonth: null,
    costPerSlotMax: null,
    writtenBytesPerMonth: null,
    isPaused: false,
    ...changes,
  };
  const { planId } = await createBenchmarkPlan({ ctx, input });
  await runBenchmarkPlanNow({ ctx, input: { planId } });
  return planId;
};
const lastSlot = async (planId: string) => {
  const [slot] = await listBenchmarkSlots({ ctx, input: { planId, fromMs: 0, toMs: 4e12, pageSize: 5 } });
  if (slot === undefined) throw new Error("there is no slot");
  return slot;
};
const objectCount = async () => {
  const range = { bucket, prefix: "", after: "", keyCountMax: 1000 };
  return (await edge.store.listObjects({} as never, range)).objects.length;
};

test("a slot uploads to both endpoints, stores every sample and its conditions, and leaves nothing behind", async () => {
  const planId = await runNow("whole", { sizesBytes: [20_000, 50_000], repetitionCount: 20, pauseMs: 1 });
  await runNext();
  const slot = await lastSlot(planId);
  expect(slot).toMatchObject({ state: "succeeded", outcome: "2 endpoints measured." });
  for (const { id: runId, cleanedAt } of await Promise.all(
    slot.runs.map(({ id }) => getBenchmarkRun({ ctx, input: { runId: id } })),
  )) {
    const run = await getBenchmarkRun({ ctx, input: { runId } });
    expect(cleanedAt).not.toBeNull();
    expect(run.groups.map(({ operation, sizeBytes, n }) => [operation, sizeBytes, n])).toEqual([
      ["PUT", 20_000, 20],
      ["PUT", 50_000, 20],
      ["TCP_CONNECT", 0, 5],
    ]);
    expect(run.manifest).toMatchObject({
      method: { name: "small-uploads" },
      endpoint: { address: "127.0.0.1" },
    });
    expect(JSON.stringify(run)).not.toContain(testKeys.writer.secret);
    const input = { runId, operation: "PUT", sizeBytes: 20_000, connectionCount: 1 } as const;
    const samples = await getBenchmarkSamples({ ctx, input });
    expect(samples.every(({ outcome, httpStatus }) => outcome === "ok" && httpStatus === 200)).toBe(true);
  }
  expect(await objectCount()).toBe(0);
});

test("a worker that is stopped during a run ends it and queues the slot again; the next one deletes the remaining objects", async () => {
  const planId = await runNow("stopped", { sizesBytes: [1000], repetitionCount: 10_000, pauseMs: 5 });
  const stop = new AbortController();
  const stopped = runNext(stop.signal);
  await vi.waitFor(
    async () => expect((await lastSlot(planId)).runs.some(({ sampleCount }) => sampleCount > 20)).toBe(true),
    { timeout: 60_000, interval: 50 },
  );
  stop.abort();
  await stopped;
  const slot = await lastSlot(planId);
  expect(slot.state).toBe("queued");
  expect(slot.runs).toMatchObject([
    { state: "interrupted", outcome: expect.stringContaining("worker was stopped") },
  ]);
  expect(await objectCount()).toBeGreaterThan(0);
  // The run waits before it is retried, so this call only cleans up.
  await runNext();
  expect(await objectCount()).toBe(0);
});

test("a worker that is killed during a run leaves samples that are kept and objects that the next worker deletes", async () => {
  const planId = await runNow(
    "killed",
    { sizesBytes: [1000], repetitionCount: 10_000, pauseMs: 5 },
    { missedPolicy: "skip" },
  );
  // Cuts the database connection of this "process", so that it falls silent.
  const doomed = openPlatform({ ...installation.platform.options, now: () => new Date() });
  const stop = new AbortController();
  const cut = runNextBenchmark(doomed, { stopping: stop.signal, beatMs: 50, onError: () => {} });
  await vi.waitFor(
    async () => expect((await lastSlot(planId)).runs.some(({ sampleCount }) => sampleCount > 20)).toBe(true),
    { timeout: 60_000, interval: 50 },
  );
  await installation.platform.db.scheduleRun.updateMany({
    data: { claimedBy: "nobody", leaseUntil: new Date(0) },
  });
  await cut;
  await doomed.close();
  expect(await recoverLostSlots(installation.platform)).toBe(1);
  expect(await lastSlot(planId)).toMatchObject({
    state: "failed",
    outcome: "Interrupted: the process that ran it was lost.",
    runs: [{ state: "interrupted" }, { state: "skipped" }],
  });
  await runNext();
  expect(await objectCount()).toBe(0);
});
