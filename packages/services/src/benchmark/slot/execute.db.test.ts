import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { Prisma } from "@stashlight/db";
import { expect, test } from "vitest";
import { createTestEndpoint, testSample, testStage } from "../../testing/index.ts";
import { getBenchmarkRun } from "../get-run.ts";
import { getBenchmarkSamples } from "../get-samples.ts";
import { makeSamples, until, useSlotTestBed } from "./testing/test-bed.ts";

const bed = useSlotTestBed();

test("a slot measures its endpoints one after another, and records and cleans up each run", async () => {
  await bed.createPlan();
  bed.goTo("12:00");
  expect(await bed.planDue()).toBe(1);
  const done = bed.execute(await bed.claimed());
  const first = await bed.runner.next();
  expect(first.job).toMatchObject({
    slotMs: Date.UTC(2026, 10, 21, 12),
    endpoint: { address: "203.0.113.7", bucket: expect.stringMatching(/^benchmarks-/) },
    credentials: { secretAccessKey: "a secret access key of the tests" },
  });
  first.measure(makeSamples(100));
  expect(bed.runner.cleaned).toEqual([]);
  first.end();
  const second = await bed.runner.next();
  second.measure([...makeSamples(99), testSample({ index: 99, outcome: "timed-out", errorCode: "timeout" })]);
  second.end();
  await done;
  const slot = await bed.lastSlot();
  expect(slot).toMatchObject({ state: "succeeded", outcome: "2 endpoints measured." });
  expect(slot.runs).toMatchObject([
    { state: "succeeded", sampleCount: 100, failureCount: 0, taggedShare: 0, progress: 1 },
    { state: "succeeded", sampleCount: 100, failureCount: 1 },
  ]);
  expect(new Set(slot.runs.map(({ endpointId }) => endpointId))).toEqual(new Set(bed.endpointIds));
  const run = await getBenchmarkRun({ ctx: bed.operator.ctx, input: { runId: slot.runs[0]?.id ?? "" } });
  expect(run.groups).toMatchObject([
    { operation: "PUT", sizeBytes: 256_000, connectionCount: 1, n: 100, medianMs: 50 },
  ]);
  expect(run.cleanedAt).not.toBeNull();
  expect(bed.runner.cleaned).toEqual(slot.runs.map(({ id }) => `stashlight-${id}/`));
  const input = { runId: run.id, operation: "PUT", sizeBytes: 256_000, connectionCount: 1 } as const;
  expect(await getBenchmarkSamples({ ctx: bed.operator.ctx, input })).toEqual(makeSamples(100));
  expect(await bed.installation.platform.db.benchmarkSamplePart.count()).toBe(0);
});

test.each([
  ["just after a start waits for its vault, and for no other store", 0, ["Vault"]],
  ["long after a start waits for nothing", 10, []],
])("a slot %s", async (_, minutes, awaited) => {
  const { platform, clock } = bed.installation;
  const vaultId = await createTestEndpoint(platform, { name: "Vault", kind: "vault" });
  const [s3Id = ""] = bed.endpointIds;
  await bed.createPlan({ endpointIds: [s3Id, vaultId] });
  bed.goTo("12:00");
  await bed.planDue();
  const slot = await bed.claimed();
  clock.set(new Date(platform.startedAt.getTime() + minutes * 60_000));
  const done = bed.execute(slot);
  (await bed.runner.next()).end();
  (await bed.runner.next()).end();
  await done;
  expect(bed.runner.awaited).toEqual(awaited);
});

test("the stages of a run are stored, each with the cost of its requests and bytes at the endpoint's prices", async () => {
  await bed.createPlan();
  bed.goTo("12:00");
  await bed.planDue();
  const done = bed.execute(await bed.claimed());
  const full = testStage({ name: "full", requests: { put: 2000, get: 500, delete: 9 } });
  const restore = testStage({ name: "restore", requests: { put: 0, get: 5000, delete: 0 } });
  (await bed.runner.next()).end({ stages: [full, restore] });
  (await bed.runner.next()).end();
  await done;
  const [first, second] = (await bed.lastSlot()).runs;
  const find = (runId = "") => getBenchmarkRun({ ctx: bed.operator.ctx, input: { runId } });
  const run = await find(first?.id);
  expect(run.report?.stages).toEqual([full, restore]);
  expect(run.stageCosts).toEqual({
    asOf: "2026-11-01",
    byName: { full: expect.closeTo(10 + 0.2, 9), restore: expect.closeTo(2, 9) },
  });
  expect(await find(second?.id)).toMatchObject({ report: { stages: [] }, stageCosts: null });
  const { db } = bed.installation.platform;
  await db.endpoint.updateMany({ data: { priceList: Prisma.DbNull } });
  expect((await find(first?.id)).stageCosts).toBeNull();
});

test("round trips stored beside samples become figures of their group, with late ones ranked last", async () => {
  await bed.createPlan();
  bed.goTo("12:00");
  await bed.planDue();
  const done = bed.execute(await bed.claimed());
  const first = await bed.runner.next();
  const samples = makeSamples(100).map((sample, index): BenchmarkSample => {
    if (index < 4) return { ...sample, rttMissing: index === 0 ? "failed" : "not-in-time" };
    return { ...sample, rttMs: 1 + index / 100 };
  });
  first.measure([...samples, testSample({ index: 100, operation: "TCP_CONNECT", sizeBytes: 0, leg: 1 })]);
  first.end();
  const second = await bed.runner.next();
  second.measure(
    samples.map(({ rttMs: _, ...sample }) => ({ ...sample, rttMissing: "not-in-time" as const })),
  );
  second.end();
  await done;
  const { runs } = await bed.lastSlot();
  const runGroups = async (place: number) => {
    const input = { runId: runs[place]?.id ?? "" };
    return (await getBenchmarkRun({ ctx: bed.operator.ctx, input })).groups;
  };
  expect(await runGroups(0)).toMatchObject([
    { operation: "PUT", n: 100, rttCount: 96, rttMissedCount: 4, rttMedianMs: 1.53, rttP95Ms: 1.98 },
    { operation: "TCP_CONNECT", rttCount: null, rttMissedCount: null, rttMedianMs: null, rttP95Ms: null },
  ]);
  expect(await runGroups(1)).toMatchObject([
    { rttCount: 0, rttMissedCount: 100, rttMedianMs: null, rttP95Ms: null },
  ]);
  const input = {
    runId: runs[0]?.id ?? "",
    operation: "PUT",
    sizeBytes: 256_000,
    connectionCount: 1,
  } as const;
  expect(await getBenchmarkSamples({ ctx: bed.operator.ctx, input })).toEqual(samples);
});

test("a running slot shows its progress and samples", async () => {
  await bed.createPlan();
  bed.goTo("12:00");
  await bed.planDue();
  const done = bed.execute(await bed.claimed());
  const run = await bed.runner.next();
  run.measure(makeSamples(7));
  run.progress(0.25, "Uploads");
  await until(async () => {
    expect((await bed.lastSlot()).runs).toContainEqual(
      expect.objectContaining({
        state: "running",
        sampleCount: 7,
        progress: 0.25,
        progressText: "Uploads",
        estimatedEndAt: new Date("2026-11-21T12:00:01Z"),
      }),
    );
  });
  const input = { runId: run.job.runId, operation: "PUT", sizeBytes: 256_000, connectionCount: 1 } as const;
  expect(await getBenchmarkSamples({ ctx: bed.operator.ctx, input })).toHaveLength(7);
  run.end();
  (await bed.runner.next()).end();
  await done;
});

test("a run whose samples all failed has failed, and keeps its samples", async () => {
  await bed.createPlan({ endpointIds: bed.endpointIds.slice(0, 1) });
  bed.goTo("12:00");
  await bed.planDue();
  const done = bed.execute(await bed.claimed());
  const run = await bed.runner.next();
  run.measure(makeSamples(10, { outcome: "failed", errorCode: "SlowDown", httpStatus: 503 }));
  run.end();
  await done;
  const slot = await bed.lastSlot();
  expect(slot).toMatchObject({ state: "failed", runs: [{ state: "failed", failureCount: 10 }] });
  const details = await getBenchmarkRun({ ctx: bed.operator.ctx, input: { runId: run.job.runId } });
  expect(details.groups).toMatchObject([{ n: 10, failureCount: 10, medianMs: null, meanMs: null }]);
});

test("an endpoint at a cloud's metadata service is refused before any request, and the others are measured", async () => {
  const inside = await createTestEndpoint(bed.installation.platform, {
    name: "Metadata",
    url: "http://169.254.169.254",
  });
  await bed.createPlan({ endpointIds: [inside, bed.endpointIds[0]] });
  bed.goTo("12:00");
  await bed.planDue();
  const done = bed.execute(await bed.claimed());
  const run = await bed.runner.next();
  expect(run.job.endpoint.name).toBe("B2");
  run.measure(makeSamples(1));
  run.end();
  await done;
  const slot = await bed.lastSlot();
  expect(slot).toMatchObject({ state: "failed", outcome: "1 of 2 endpoints could not be measured." });
  expect(slot.runs.find(({ endpointId }) => endpointId === inside)).toMatchObject({
    state: "failed",
    outcome: expect.stringContaining("169.254.169.254 belongs to the metadata service of a cloud"),
  });
  expect(bed.runner.cleaned).toHaveLength(1);
});
