import { benchmarkComparisonInput, createBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import { HOUR_MS } from "@stashlight/contracts/time";
import { beforeEach, expect, test } from "vitest";
import { cancelBenchmarkSlot } from "../benchmark/cancel-slot.ts";
import { createBenchmarkPlan } from "../benchmark/create-plan.ts";
import { getBenchmarkPlan } from "../benchmark/list-plans.ts";
import { pauseBenchmarkPlan } from "../benchmark/pause-plan.ts";
import { previewBenchmarkPlan } from "../benchmark/preview-plan.ts";
import { claimSlot } from "../benchmark/slot/claim.ts";
import { planDueRuns } from "../schedule/plan-due.ts";
import {
  auditEvents,
  createTestEndpoint,
  type Person,
  seedBenchmarkRun,
  useFreshInstallation,
} from "../testing/index.ts";
import { countBenchmarkSlots } from "./count-slots.ts";
import { getBenchmarkPlanVerdict } from "./plan-verdict.ts";
import { runBenchmarkUntilVerdict, runRestOfBenchmark } from "./run-rest.ts";

const now = new Date("2026-11-21T10:00:00Z");
const probeId = "00000000-0000-4000-8000-000000000001";
const priceList = {
  perThousandPuts: 5,
  perThousandGets: 0,
  perGbEgress: 0,
  perGbMonth: 0,
  minimumStorageDays: 0,
  asOf: "2026-11-01",
};
const { installation } = useFreshInstallation();
let operator: Person;
let ids: [string, string];
const method = { name: "small-uploads", parameters: {} };

beforeEach(async () => {
  installation.clock.set(now);
  operator = await installation.person("operator", "Olga");
  const { platform } = installation;
  ids = [
    await createTestEndpoint(platform, { name: "B2", priceList }),
    await createTestEndpoint(platform, { name: "S3", priceList }),
  ];
});

/** A plan with three measured slots. */
async function createPlan(changes: object = {}): Promise<string> {
  const input = createBenchmarkPlanInput.parse({
    name: "B2 beside S3",
    endpointIds: ids,
    method,
    cron: "0 */6 * * *",
    ...changes,
  });
  const { planId } = await createBenchmarkPlan({ ctx: operator.ctx, input });
  for (const slot of [1, 2, 3]) {
    const slotAt = new Date(now.getTime() - slot * 6 * HOUR_MS);
    for (const [i, name] of ["B2", "S3"].entries()) {
      const endpoint = { id: ids[i] ?? "", name };
      await seedBenchmarkRun(installation.platform, { planId, endpoint, slotAt, wireMs: [100, 101] });
    }
  }
  return planId;
}
const question = (planId: string, changes: object = {}) =>
  benchmarkComparisonInput.parse({
    planId,
    operation: "PUT",
    sizeBytes: 256_000,
    fromMs: now.getTime() - 30 * 24 * HOUR_MS,
    toMs: now.getTime() + HOUR_MS,
    endpointAId: ids[0],
    endpointBId: ids[1],
    ...changes,
  });
const runRest = (planId: string, changes: object = {}) =>
  runRestOfBenchmark({ ctx: operator.ctx, input: question(planId, changes) });
const count = (planId: string) => countBenchmarkSlots({ ctx: operator.ctx, input: question(planId) });
const states = async () =>
  (await installation.platform.db.scheduleRun.findMany({ orderBy: { plannedAt: "asc" } })).map(
    ({ state }) => state,
  );

test("concurrent and repeated requests queue the missing slots once", async () => {
  const planId = await createPlan();
  const nextAt = new Date("2026-11-21T12:00:00Z");
  expect(await count(planId)).toEqual({
    measuredCount: 3,
    undisturbedCount: 3,
    neededCount: 6,
    underWayCount: 0,
    beginsAt: null,
    runsSince: null,
    missingCount: 3,
    nextAt,
    slotSeconds: expect.any(Number),
  });
  const asked = await Promise.all([runRest(planId), runRest(planId)]);
  expect(asked.map(({ queuedCount }) => queuedCount).sort()).toEqual([0, 3]);
  expect(await states()).toEqual(["queued", "queued", "queued"]);
  expect(await count(planId)).toMatchObject({
    underWayCount: 3,
    beginsAt: expect.any(Date),
    missingCount: 0,
  });
  const requested = (await auditEvents(installation.platform)).filter(
    ({ action }) => action === "benchmark.rest_requested",
  );
  expect(requested).toHaveLength(1);
});

test("a plan that was never measured queues the slots of its verdict once, and has the verdict once they have run", async () => {
  const { platform } = installation;
  const input = createBenchmarkPlanInput.parse({
    name: "New",
    endpointIds: ids,
    method,
    cron: "0 */6 * * *",
  });
  const { planId } = await createBenchmarkPlan({ ctx: operator.ctx, input });
  const verdict = () => getBenchmarkPlanVerdict({ ctx: operator.ctx, input: { planId } });
  const before = await verdict();
  expect(before).toMatchObject({
    latest: null,
    slots: { undisturbedCount: 0, neededCount: 6, missingCount: 6 },
  });
  expect(before.slots?.slotSeconds).toBeGreaterThan(0);
  const run = () => runBenchmarkUntilVerdict({ ctx: operator.ctx, input: { planId } });
  expect(await run()).toEqual({ queuedCount: 6, reason: null });
  expect(await run()).toEqual({ queuedCount: 0, reason: null });
  for (const { plannedAt } of await platform.db.scheduleRun.findMany()) {
    for (const [i, name] of ["B2", "S3"].entries()) {
      const endpoint = { id: ids[i] ?? "", name };
      await seedBenchmarkRun(platform, { planId, endpoint, slotAt: plannedAt, wireMs: [100 + i, 101] });
    }
    await platform.db.scheduleRun.updateMany({
      where: { plannedAt },
      data: { state: "succeeded", startedAt: plannedAt, finishedAt: new Date(plannedAt.getTime() + 40_000) },
    });
  }
  installation.clock.set(new Date(now.getTime() + HOUR_MS));
  const after = await verdict();
  expect(after.slots).toMatchObject({
    undisturbedCount: 6,
    missingCount: 0,
    underWayCount: 0,
    beginsAt: null,
    slotSeconds: 40,
  });
  expect(after.latest).toMatchObject({ pairCount: 6, sentence: expect.stringContaining("over 6 slots") });
  // Two samples per run have no interval of their median, which the verdict must mention.
  expect(after.latest?.caveats).toEqual([{ kind: "few samples", count: 12, runCount: 12 }]);
});

test("a measured plan runs until its verdict, even if time passes during the request", async () => {
  let readings = 0;
  const platform = installation.anotherPlatform({ now: () => new Date(now.getTime() + 5 * readings++) });
  const planId = await createPlan();
  const ctx = { ...operator.ctx, platform };
  expect(await runBenchmarkUntilVerdict({ ctx, input: { planId } })).toEqual({
    queuedCount: 3,
    reason: null,
  });
});

test("a plan of one endpoint has nothing to compare, and is not run for a verdict", async () => {
  const input = createBenchmarkPlanInput.parse({
    name: "Alone",
    endpointIds: ids.slice(0, 1),
    method,
    cron: "0 */6 * * *",
  });
  const { planId } = await createBenchmarkPlan({ ctx: operator.ctx, input });
  expect(await getBenchmarkPlanVerdict({ ctx: operator.ctx, input: { planId } })).toEqual({
    latest: null,
    slots: null,
  });
  await expect(runBenchmarkUntilVerdict({ ctx: operator.ctx, input: { planId } })).rejects.toMatchObject({
    code: "precondition_failed",
  });
});

test("slots with a contaminated run count as missing", async () => {
  const planId = await createPlan();
  for (const [i, name] of ["B2", "S3"].entries()) {
    const slotAt = new Date(now.getTime() - 24 * HOUR_MS);
    const endpoint = { id: ids[i] ?? "", name };
    const run = { planId, endpoint, slotAt, wireMs: [100, 101], taggedAt: i === 0 ? [0] : [] };
    await seedBenchmarkRun(installation.platform, run);
  }
  expect(await count(planId)).toMatchObject({ measuredCount: 4, undisturbedCount: 3, missingCount: 3 });
  expect(await runRest(planId)).toMatchObject({ queuedCount: 3 });
});

test("a paused plan can be measured to the end, and shows no next slot", async () => {
  const planId = await createPlan();
  await pauseBenchmarkPlan({ ctx: operator.ctx, input: { planId, isPaused: true } });
  expect((await count(planId)).nextAt).toBeNull();
  expect(await runRest(planId)).toEqual({ queuedCount: 3, reason: null });
});

test("a budget that runs out midway queues as many slots as it allows, with the reason", async () => {
  const input = { endpointIds: ids, method, cron: "0 */6 * * *", timeZone: "UTC" };
  const { costs } = await previewBenchmarkPlan({ ctx: operator.ctx, input });
  const slotCost = costs.reduce((sum, { perRun }) => sum + (perRun ?? 0), 0);
  const planId = await createPlan({ budgetPerMonth: 2.5 * slotCost });
  expect(await runRest(planId)).toEqual({ queuedCount: 2, reason: expect.stringContaining("A slot would") });
  await expect(runRest(planId)).rejects.toMatchObject({ code: "precondition_failed" });
  expect(await states()).toEqual(["queued", "queued"]);
});

test("cancelling the first slot also cancels those after it, and they can be queued again", async () => {
  const planId = await createPlan();
  await runRest(planId);
  const { lastSlot } = await getBenchmarkPlan({ ctx: operator.ctx, input: { planId } });
  expect(lastSlot?.plannedAt).toEqual(now);
  await cancelBenchmarkSlot({ ctx: operator.ctx, input: { planId, plannedAtMs: now.getTime() } });
  expect(await states()).toEqual(["skipped", "skipped", "skipped"]);
  expect(await runRest(planId)).toEqual({ queuedCount: 3, reason: null });
});

test.each([
  [true, ["running", "queued", "queued"]],
  [false, ["skipped", "skipped", "skipped"]],
])(
  "slots of a probe wait while it measures, and are skipped while it is offline",
  async (isBusy, expected) => {
    const { platform } = installation;
    const node = {
      vault: "main",
      role: "probe",
      createdAt: now,
      name: "probe-eu",
      status: "active",
    } as const;
    await platform.db.node.create({ data: { ...node, id: probeId } });
    const planId = await createPlan({ vantageNodeId: probeId });
    await runRest(planId);
    const claim = { vantageNodeId: probeId, claimant: "probe", leaseMs: 3 * HOUR_MS, random: () => 0 };
    if (isBusy) expect(await claimSlot(platform, claim)).not.toBeNull();
    installation.clock.set(new Date("2026-11-21T12:00:30Z"));
    await planDueRuns(platform);
    expect((await states()).slice(0, 3)).toEqual(expected);
  },
);

test("a time range in the past and an endpoint that left the plan are refused", async () => {
  const planId = await createPlan();
  const refused = { code: "precondition_failed" };
  await expect(runRest(planId, { toMs: now.getTime() - 1 })).rejects.toMatchObject(refused);
  const other = await createTestEndpoint(installation.platform, { name: "Other" });
  await expect(runRest(planId, { endpointBId: other })).rejects.toMatchObject(refused);
  expect(await states()).toEqual([]);
});
