import type { BenchmarkSample } from "@stashlight/contracts/benchmark/sample";
import { MINUTE_MS } from "@stashlight/contracts/time/duration";
import { Prisma } from "@stashlight/db";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Platform } from "../../platform.ts";
import { planDueRuns } from "../../schedule/plan-due.ts";
import {
  createFakeRunner,
  createTestEndpoint,
  type FakeRunner,
  openTestInstallation,
  type Person,
  type TestInstallation,
  testSample,
  testStage,
} from "../../testing/index.ts";
import { cancelBenchmarkSlot } from "../cancel-slot.ts";
import { createBenchmarkPlan } from "../create-plan.ts";
import { getBenchmarkRun } from "../get-run.ts";
import { getBenchmarkSamples } from "../get-samples.ts";
import { listBenchmarkSlots } from "../list-slots.ts";
import { packSamples } from "../pack.ts";
import { runBenchmarkPlanNow } from "../run-plan-now.ts";
import { type ClaimedSlot, claimSlot, leaseMs } from "./claim.ts";
import { cleanLeftovers } from "./clean.ts";
import { executeSlot } from "./execute.ts";
import { recoverLostSlots } from "./interrupt.ts";

const priceList = {
  perThousandPuts: 5,
  perThousandGets: 0.4,
  perGbEgress: 0,
  perGbMonth: 0,
  minimumStorageDays: 0,
  asOf: "2026-11-01",
};
let installation: TestInstallation;
let operator: Person;
let runner: FakeRunner;
let endpointIds: string[];

/** The clock begins at 10:00; plans are due every six hours. */
beforeEach(async () => {
  installation = await openTestInstallation({ kind: "worker" });
  installation.clock.set(new Date("2026-11-21T10:00:00Z"));
  operator = await installation.person("operator", "Olga");
  runner = createFakeRunner();
  endpointIds = [];
  for (const name of ["B2", "S3"]) {
    endpointIds.push(await createTestEndpoint(installation.platform, { name, priceList }));
  }
});
afterEach(() => installation.close());

const createPlan = async (changes: object = {}) => {
  const { planId } = await createBenchmarkPlan({
    ctx: operator.ctx,
    input: {
      name: "B2 against S3",
      description: "",
      endpointIds,
      method: { name: "small-uploads", parameters: {} },
      cron: "0 */6 * * *",
      timeZone: "UTC",
      jitterSeconds: 0,
      missedPolicy: "run-late",
      vantageNodeId: null,
      budgetPerMonth: null,
      costPerSlotMax: null,
      writtenBytesPerMonth: null,
      isPaused: false,
      ...changes,
    },
  });
  return planId;
};
const goTo = (time: string) => installation.clock.set(new Date(`2026-11-21T${time}:00Z`));
const plan = () => planDueRuns(installation.platform);
const claim = (claimant = "worker-1", platform: Platform = installation.platform) =>
  claimSlot(platform, { vantageNodeId: null, claimant, random: () => 0.99 });
const claimed = async (claimant?: string): Promise<ClaimedSlot> => {
  const slot = await claim(claimant);
  if (slot === null) throw new Error("nothing to claim");
  return slot;
};
const stopping = new AbortController().signal;
const execute = (slot: ClaimedSlot, signal = stopping) =>
  executeSlot(installation.platform, slot, {
    runner,
    stopping: signal,
    beatMs: 5,
    onError: (error) => {
      throw error;
    },
  });
const slots = () =>
  listBenchmarkSlots({ ctx: operator.ctx, input: { fromMs: 0, toMs: 2e12, pageSize: 100 } });
const lastSlot = async () => {
  const [slot] = await slots();
  if (slot === undefined) throw new Error("there is no slot");
  return slot;
};
const samplesOf = (count: number, changes: Partial<BenchmarkSample> = {}) =>
  Array.from({ length: count }, (_, index) => testSample({ index, wireMs: index + 1, ...changes }));
const until = (assertion: () => Promise<void> | void) =>
  vi.waitFor(assertion, { timeout: 15_000, interval: 20 });

test("a slot measures its endpoints one after the other, and each run is recorded and cleaned up", async () => {
  await createPlan();
  goTo("12:00");
  expect(await plan()).toBe(1);
  const done = execute(await claimed());
  const first = await runner.next();
  expect(first.job).toMatchObject({
    slotMs: Date.UTC(2026, 10, 21, 12),
    endpoint: { address: "203.0.113.7", bucket: "benchmarks" },
    credentials: { secretAccessKey: "a secret access key of the tests" },
  });
  first.measure(samplesOf(100));
  expect(runner.cleaned).toEqual([]);
  first.end();
  const second = await runner.next();
  second.measure([...samplesOf(99), testSample({ index: 99, outcome: "timed-out", errorCode: "timeout" })]);
  second.end();
  await done;
  const slot = await lastSlot();
  expect(slot).toMatchObject({ state: "succeeded", outcome: "2 endpoints measured." });
  expect(slot.runs).toMatchObject([
    { state: "succeeded", sampleCount: 100, failureCount: 0, taggedShare: 0, progress: 1 },
    { state: "succeeded", sampleCount: 100, failureCount: 1 },
  ]);
  expect(new Set(slot.runs.map(({ endpointId }) => endpointId))).toEqual(new Set(endpointIds));
  const run = await getBenchmarkRun({ ctx: operator.ctx, input: { runId: slot.runs[0]?.id ?? "" } });
  expect(run.groups).toMatchObject([
    { operation: "PUT", sizeBytes: 256_000, connectionCount: 1, n: 100, medianMs: 50, medianLowMs: 40 },
  ]);
  expect(run.cleanedAt).not.toBeNull();
  expect(runner.cleaned).toEqual(slot.runs.map(({ id }) => `stashlight-${id}/`));
  const input = { runId: run.id, operation: "PUT", sizeBytes: 256_000, connectionCount: 1 } as const;
  expect(await getBenchmarkSamples({ ctx: operator.ctx, input })).toEqual(samplesOf(100));
  expect(await installation.platform.db.benchmarkSamplePart.count()).toBe(0);
});

test("the stages of a run are kept, and each costs what it asked and stored by the endpoint's prices", async () => {
  await createPlan();
  goTo("12:00");
  await plan();
  const done = execute(await claimed());
  const full = testStage({ name: "full", requests: { put: 2000, get: 500, delete: 9 } });
  const restore = testStage({ name: "restore", requests: { put: 0, get: 5000, delete: 0 } });
  (await runner.next()).end({ stages: [full, restore] });
  (await runner.next()).end();
  await done;
  const [first, second] = (await lastSlot()).runs;
  const find = (runId = "") => getBenchmarkRun({ ctx: operator.ctx, input: { runId } });
  const run = await find(first?.id);
  expect(run.report?.stages).toEqual([full, restore]);
  expect(run.stageCosts).toEqual({
    asOf: "2026-11-01",
    byName: { full: expect.closeTo(10 + 0.2, 9), restore: expect.closeTo(2, 9) },
  });
  expect(await find(second?.id)).toMatchObject({ report: { stages: [] }, stageCosts: null });
  const { db } = installation.platform;
  await db.endpoint.updateMany({ data: { priceList: Prisma.DbNull } });
  expect((await find(first?.id)).stageCosts).toBeNull();
});

test("round trips beside samples are figures of their group, and those that were late rank last", async () => {
  await createPlan();
  goTo("12:00");
  await plan();
  const done = execute(await claimed());
  const first = await runner.next();
  const samples = samplesOf(100).map((sample, index): BenchmarkSample => {
    if (index < 4) return { ...sample, rttMissing: index === 0 ? "failed" : "not-in-time" };
    return { ...sample, rttMs: 1 + index / 100 };
  });
  first.measure([...samples, testSample({ index: 100, operation: "TCP_CONNECT", sizeBytes: 0, leg: 1 })]);
  first.end();
  const second = await runner.next();
  second.measure(
    samples.map(({ rttMs: _, ...sample }) => ({ ...sample, rttMissing: "not-in-time" as const })),
  );
  second.end();
  await done;
  const { runs } = await lastSlot();
  const groupsOf = async (place: number) => {
    const input = { runId: runs[place]?.id ?? "" };
    return (await getBenchmarkRun({ ctx: operator.ctx, input })).groups;
  };
  expect(await groupsOf(0)).toMatchObject([
    { operation: "PUT", n: 100, rttCount: 96, rttMissedCount: 4, rttMedianMs: 1.53, rttP95Ms: 1.98 },
    { operation: "TCP_CONNECT", rttCount: null, rttMissedCount: null, rttMedianMs: null, rttP95Ms: null },
  ]);
  expect(await groupsOf(1)).toMatchObject([
    { rttCount: 0, rttMissedCount: 100, rttMedianMs: null, rttP95Ms: null },
  ]);
  const input = {
    runId: runs[0]?.id ?? "",
    operation: "PUT",
    sizeBytes: 256_000,
    connectionCount: 1,
  } as const;
  expect(await getBenchmarkSamples({ ctx: operator.ctx, input })).toEqual(samples);
});

test("while it runs, its progress and samples can be seen", async () => {
  await createPlan();
  goTo("12:00");
  await plan();
  const done = execute(await claimed());
  const run = await runner.next();
  run.measure(samplesOf(7));
  run.progress(0.25, "Uploads");
  await until(async () => {
    expect((await lastSlot()).runs).toContainEqual(
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
  expect(await getBenchmarkSamples({ ctx: operator.ctx, input })).toHaveLength(7);
  run.end();
  (await runner.next()).end();
  await done;
});

test("a vantage point runs one slot at a time, whoever claims", async () => {
  await createPlan();
  await createPlan({ name: "Another" });
  goTo("12:00");
  expect(await plan()).toBe(2);
  const others = [1, 2, 3, 4].map((number) => ({
    name: `worker-${number}`,
    platform: installation.anotherPlatform(),
  }));
  const claims = await Promise.all(others.map(({ name, platform }) => claim(name, platform)));
  const [slot, ...more] = claims.filter((each) => each !== null);
  expect(more).toEqual([]);
  expect(await claim()).toBeNull();
  const done = execute(slot as ClaimedSlot);
  for (const _ of endpointIds) (await runner.next()).end();
  await done;
  expect(await claim()).not.toBeNull();
});

test("a slot that is due while the one before runs is skipped, and says why", async () => {
  const planId = await createPlan();
  goTo("12:00");
  await plan();
  await claimed();
  await expect(runBenchmarkPlanNow({ ctx: operator.ctx, input: { planId } })).rejects.toMatchObject({
    code: "conflict",
  });
  goTo("18:00");
  expect(await plan()).toBe(0);
  expect(await lastSlot()).toMatchObject({
    state: "skipped",
    outcome: "Skipped: the run before it had not finished.",
  });
});

test.each([
  ["skip", "skipped", "Missed: no worker was running at that time."],
  ["run-late", "queued", null],
])("a slot that nobody was there for (%s) is %s", async (missedPolicy, state, outcome) => {
  await createPlan({ missedPolicy });
  goTo("14:00");
  await plan();
  expect(await lastSlot()).toMatchObject({ plannedAt: new Date("2026-11-21T12:00:00Z"), state, outcome });
});

test("jitter delays a slot by a part of what is allowed, and its name stays the planned time", async () => {
  await createPlan({ jitterSeconds: 600 });
  goTo("12:00");
  await planDueRuns(installation.platform, () => 0.5);
  expect(await claim()).toBeNull();
  goTo("12:05");
  expect(await claimed()).toMatchObject({ plannedAt: new Date("2026-11-21T12:00:00Z") });
});

test("a person's cancellation ends the run within a beat, keeps its samples, and leaves the rest out", async () => {
  const planId = await createPlan();
  goTo("12:00");
  await plan();
  const slot = await claimed();
  const done = execute(slot);
  (await runner.next()).measure(samplesOf(3));
  const input = { planId, plannedAtMs: slot.plannedAt.getTime() };
  await cancelBenchmarkSlot({ ctx: operator.ctx, input });
  await done;
  expect(await lastSlot()).toMatchObject({
    state: "cancelled",
    outcome: "Cancelled by Olga.",
    runs: [
      { state: "cancelled", outcome: "Cancelled by Olga after 3 samples.", sampleCount: 3 },
      { state: "cancelled", outcome: "Cancelled by Olga.", sampleCount: 0 },
    ],
  });
  expect(runner.cleaned).toHaveLength(1);
  await expect(cancelBenchmarkSlot({ ctx: operator.ctx, input })).rejects.toMatchObject({ code: "conflict" });
});

test("a slot that waits is cancelled at once", async () => {
  const planId = await createPlan();
  const { plannedAt } = await runBenchmarkPlanNow({ ctx: operator.ctx, input: { planId } });
  await cancelBenchmarkSlot({ ctx: operator.ctx, input: { planId, plannedAtMs: plannedAt.getTime() } });
  expect(await lastSlot()).toMatchObject({
    state: "cancelled",
    outcome: expect.stringMatching(/^Cancelled/),
  });
  expect(await claim()).toBeNull();
});

test("a worker lost in mid-run: what it measured stays, its objects are deleted, the slot is tried again", async () => {
  await createPlan();
  goTo("12:00");
  await plan();
  const slot = await claimed();
  // Its process is gone after the first samples were committed; no beat renews the lease.
  const { db } = installation.platform;
  const [first] = slot.runs;
  const keyPrefix = `stashlight-${first?.id}/`;
  await db.benchmarkRun.update({
    where: { id: first?.id ?? "" },
    data: { state: "running", startedAt: installation.clock.now(), keyPrefix, sampleCount: 5 },
  });
  await db.benchmarkSamplePart.create({
    data: { runId: first?.id ?? "", part: 0, sampleCount: 5, packed: packSamples(samplesOf(5)) },
  });
  installation.clock.advance(leaseMs);
  expect(await recoverLostSlots(installation.platform)).toBe(0);
  installation.clock.advance(1);
  expect(await recoverLostSlots(installation.platform)).toBe(1);
  expect(await lastSlot()).toMatchObject({
    state: "queued",
    outcome: "Attempt 1 of 3 was interrupted: the process that ran it was lost.",
    runs: [{ id: first?.id, state: "interrupted", sampleCount: 5 }],
  });
  expect(
    (await getBenchmarkRun({ ctx: operator.ctx, input: { runId: first?.id ?? "" } })).groups,
  ).toMatchObject([{ n: 5 }]);
  expect(await cleanLeftovers(installation.platform, null, runner, stopping)).toBe(1);
  expect(runner.cleaned).toEqual([keyPrefix]);
  expect(await claim()).toBeNull();
  installation.clock.advance(MINUTE_MS);
  const done = execute(await claimed("worker-2"));
  for (const _ of endpointIds) {
    const run = await runner.next();
    run.measure(samplesOf(10));
    run.end();
  }
  await done;
  const runs = (await lastSlot()).runs.map(({ attempt, state }) => [attempt, state]);
  expect(runs).toEqual([
    [1, "interrupted"],
    [2, "succeeded"],
    [2, "succeeded"],
  ]);
});

test("what a worker still says of a slot that it lost changes nothing", async () => {
  await createPlan();
  goTo("12:00");
  await plan();
  const done = execute(await claimed());
  const run = await runner.next();
  run.measure(samplesOf(2));
  await until(async () => expect((await lastSlot()).runs.some((each) => each.sampleCount === 2)).toBe(true));
  // A beat may renew the lease between the two.
  await until(async () => {
    await installation.platform.db.scheduleRun.updateMany({ data: { leaseUntil: new Date(0) } });
    expect(await recoverLostSlots(installation.platform)).toBe(1);
  });
  run.measure(samplesOf(50));
  run.end();
  await done;
  expect(await lastSlot()).toMatchObject({
    state: "queued",
    runs: [{ state: "interrupted", sampleCount: 2 }],
  });
});

test.each([
  ["run-late", "queued"],
  ["skip", "failed"],
])("a worker that is stopped interrupts its slot, which is then (%s) %s", async (missedPolicy, state) => {
  await createPlan({ missedPolicy });
  goTo("12:00");
  await plan();
  const stop = new AbortController();
  const done = execute(await claimed(), stop.signal);
  const run = await runner.next();
  run.measure(samplesOf(4));
  stop.abort();
  await done;
  const slot = await lastSlot();
  expect(slot.state).toBe(state);
  expect(slot.outcome).toContain("the worker was stopped");
  expect(slot.runs[0]).toMatchObject({
    state: "interrupted",
    outcome: "The worker was stopped after 4 samples.",
    sampleCount: 4,
  });
  expect(slot.runs.slice(1).map((each) => each.state)).toEqual(state === "failed" ? ["skipped"] : []);
});

test("a slot that is interrupted again and again is given up after three attempts", async () => {
  await createPlan();
  goTo("12:00");
  await plan();
  for (const attempt of [1, 2, 3]) {
    expect(await claimed()).toMatchObject({ attempt });
    installation.clock.advance(leaseMs + 1);
    await recoverLostSlots(installation.platform);
    installation.clock.advance(MINUTE_MS);
  }
  expect(await lastSlot()).toMatchObject({
    state: "failed",
    outcome: "Interrupted: the process that ran it was lost.",
  });
  expect(await claim()).toBeNull();
});

test("a measuring process that is lost interrupts its run only, and that endpoint is measured again", async () => {
  await createPlan();
  goTo("12:00");
  await plan();
  const done = execute(await claimed());
  const lost = await runner.next();
  lost.measure(samplesOf(2));
  lost.end({ state: "interrupted", sentence: "The process that measured was lost (SIGKILL)." });
  const other = await runner.next();
  other.measure(samplesOf(2));
  other.end();
  await done;
  installation.clock.advance(MINUTE_MS);
  const again = await claimed();
  expect(again.runs.map(({ endpointName }) => endpointName)).toEqual([lost.job.endpoint.name]);
});

test("a budget stops a slot before it is passed, with the figures", async () => {
  // A slot of 206 PUTs and a few lists on each of two endpoints costs about two dollars and ten cents.
  const planId = await createPlan({ budgetPerMonth: 3 });
  goTo("12:00");
  await plan();
  const done = execute(await claimed());
  for (const _ of endpointIds) {
    const run = await runner.next();
    run.measure(samplesOf(1));
    run.end();
  }
  await done;
  goTo("18:00");
  await plan();
  expect(await claim()).toBeNull();
  expect(await lastSlot()).toMatchObject({
    state: "skipped",
    outcome: expect.stringMatching(
      /^Skipped: It would cost \$2\.\d\d, and \$2\.\d\d of this month's \$3\.00 are spent\.$/,
    ),
    runs: [],
  });
  await expect(runBenchmarkPlanNow({ ctx: operator.ctx, input: { planId } })).rejects.toMatchObject({
    code: "precondition_failed",
  });
  installation.clock.set(new Date("2026-12-01T00:00:00Z"));
  await plan();
  expect(await claim()).not.toBeNull();
});

test("a slot whose prices have risen over the limit per slot is skipped, with the figures", async () => {
  const planId = await createPlan({ costPerSlotMax: 3 });
  await installation.platform.db.endpoint.updateMany({
    where: { id: { in: endpointIds } },
    data: { priceList: { ...priceList, perThousandPuts: 50 } },
  });
  goTo("12:00");
  await plan();
  expect(await claim()).toBeNull();
  expect(await lastSlot()).toMatchObject({
    state: "skipped",
    outcome: expect.stringMatching(
      /^Skipped: It would cost \$2\d\.\d\d, and one slot may cost at most \$3\.00\.$/,
    ),
    runs: [],
  });
  await expect(runBenchmarkPlanNow({ ctx: operator.ctx, input: { planId } })).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringContaining("may cost at most $3.00"),
  });
  await installation.platform.db.endpoint.updateMany({ data: { priceList } });
  goTo("18:00");
  await plan();
  expect(await claim()).not.toBeNull();
});

test("a slot whose price list is gone is skipped rather than taken for free", async () => {
  await createPlan({ costPerSlotMax: 3 });
  await installation.platform.db.$executeRaw`UPDATE endpoint SET price_list = NULL WHERE name = 'B2'`;
  goTo("12:00");
  await plan();
  expect(await claim()).toBeNull();
  expect(await lastSlot()).toMatchObject({
    state: "skipped",
    outcome: 'Skipped: What it would cost cannot be checked, because the endpoint "B2" has no price list.',
  });
});

test("what an interrupted attempt has spent counts towards the limit per slot", async () => {
  // Two endpoints cost about two dollars and ten cents, so a second attempt at one of them would pass the limit.
  await createPlan({ costPerSlotMax: 2.2 });
  goTo("12:00");
  await plan();
  const slot = await claimed();
  const { db } = installation.platform;
  await db.benchmarkRun.update({
    where: { id: slot.runs[0]?.id ?? "" },
    data: { state: "succeeded", cost: 1.05 },
  });
  await db.benchmarkRun.update({
    where: { id: slot.runs[1]?.id ?? "" },
    data: { state: "interrupted", cost: 1 },
  });
  await db.scheduleRun.updateMany({ data: { state: "queued", startedAt: null } });
  expect(await claim("worker-2")).toBeNull();
  expect(await lastSlot()).toMatchObject({
    state: "skipped",
    outcome: expect.stringMatching(
      /^Skipped: It would cost \$3\.\d\d, of which \$2\.05 are spent already, and one slot may cost at most \$2\.20\.$/,
    ),
  });
});

test("an endpoint on this machine's own network is refused before anything is sent, and the others are measured", async () => {
  const inside = await createTestEndpoint(installation.platform, {
    name: "Metadata",
    url: "http://169.254.169.254",
  });
  await createPlan({ endpointIds: [inside, endpointIds[0]] });
  goTo("12:00");
  await plan();
  const done = execute(await claimed());
  const run = await runner.next();
  expect(run.job.endpoint.name).toBe("B2");
  run.measure(samplesOf(1));
  run.end();
  await done;
  const slot = await lastSlot();
  expect(slot).toMatchObject({ state: "failed", outcome: "1 of 2 endpoints could not be measured." });
  expect(slot.runs.find(({ endpointId }) => endpointId === inside)).toMatchObject({
    state: "failed",
    outcome: expect.stringContaining("169.254.169.254 belongs to the metadata service of a cloud"),
  });
  expect(runner.cleaned).toHaveLength(1);
});

test("objects that could not be deleted are tried again, later each time, until they are gone", async () => {
  await createPlan({ endpointIds: endpointIds.slice(0, 1) });
  goTo("12:00");
  await plan();
  runner.cleaningFails = new Error("connect ECONNREFUSED");
  const done = execute(await claimed());
  const run = await runner.next();
  run.measure(samplesOf(1));
  run.end();
  await done;
  const details = () => getBenchmarkRun({ ctx: operator.ctx, input: { runId: run.job.runId } });
  expect(await details()).toMatchObject({
    cleanedAt: null,
    cleanError: "connect ECONNREFUSED",
    cleanAfter: new Date(installation.clock.now().getTime() + MINUTE_MS),
  });
  const cleanAll = () => cleanLeftovers(installation.platform, null, runner, stopping);
  expect(await cleanAll()).toBe(0);
  installation.clock.advance(MINUTE_MS);
  expect(await cleanAll()).toBe(1);
  runner.cleaningFails = null;
  installation.clock.advance(MINUTE_MS);
  expect(await cleanAll()).toBe(0);
  installation.clock.advance(MINUTE_MS);
  expect(await cleanAll()).toBe(1);
  expect(await details()).toMatchObject({
    cleanedAt: expect.any(Date),
    cleanError: null,
    cleanAfter: null,
  });
  installation.clock.advance(MINUTE_MS);
  expect(await cleanAll()).toBe(0);
});

test("what lies at an endpoint that was deleted is given up, and its run says so", async () => {
  await createPlan({ endpointIds: endpointIds.slice(0, 1) });
  goTo("12:00");
  await plan();
  runner.cleaningFails = new Error("connect ECONNREFUSED");
  const done = execute(await claimed());
  const run = await runner.next();
  run.end();
  await done;
  await installation.platform.db.benchmarkPlan.deleteMany();
  await installation.platform.db.endpoint.deleteMany();
  installation.clock.advance(MINUTE_MS);
  expect(await cleanLeftovers(installation.platform, null, runner, stopping)).toBe(1);
  installation.clock.advance(86_400_000);
  expect(await cleanLeftovers(installation.platform, null, runner, stopping)).toBe(0);
  const input = { runId: run.job.runId };
  expect(await getBenchmarkRun({ ctx: operator.ctx, input })).toMatchObject({
    endpointId: null,
    endpointName: "B2",
    cleanError: expect.stringContaining("The endpoint was deleted"),
    cleanAfter: null,
  });
});

test("a run of which everything failed has failed, and its samples stay", async () => {
  await createPlan({ endpointIds: endpointIds.slice(0, 1) });
  goTo("12:00");
  await plan();
  const done = execute(await claimed());
  const run = await runner.next();
  run.measure(samplesOf(10, { outcome: "failed", errorCode: "SlowDown", httpStatus: 503 }));
  run.end();
  await done;
  const slot = await lastSlot();
  expect(slot).toMatchObject({ state: "failed", runs: [{ state: "failed", failureCount: 10 }] });
  const details = await getBenchmarkRun({ ctx: operator.ctx, input: { runId: run.job.runId } });
  expect(details.groups).toMatchObject([{ n: 10, failureCount: 10, medianMs: null, meanMs: null }]);
});
