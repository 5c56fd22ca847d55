import { createBenchmarkPlanInput, updateBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import { beforeEach, expect, test } from "vitest";
import type { Context } from "../context.ts";
import { planDueRuns } from "../schedule/plan-due.ts";
import {
  auditEvents,
  createTestEndpoint,
  type Person,
  seedBenchmarkRun,
  useFreshInstallation,
} from "../testing/index.ts";
import { createBenchmarkPlan } from "./create-plan.ts";
import { deleteBenchmarkPlan } from "./delete-plan.ts";
import { getBenchmarkPlan, listBenchmarkPlans } from "./list-plans.ts";
import { pauseBenchmarkPlan } from "./pause-plan.ts";
import { previewBenchmarkPlan } from "./preview-plan.ts";
import { runBenchmarkPlanNow } from "./run-plan-now.ts";
import { updateBenchmarkPlan } from "./update-plan.ts";
import { listVantages } from "./vantage.ts";

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
let endpointId: string;

beforeEach(async () => {
  installation.clock.set(new Date("2026-11-21T10:00:00Z"));
  operator = await installation.person("operator", "Olga");
  endpointId = await createTestEndpoint(installation.platform, { name: "B2", priceList });
});

const fields = (changes: object = {}) => ({
  name: "B2 every six hours",
  endpointIds: [endpointId],
  method: { name: "small-uploads", parameters: { repetitionCount: 100 } },
  cron: "0 */6 * * *",
  ...changes,
});
const create = (changes: object = {}, ctx: Context = operator.ctx) =>
  createBenchmarkPlan({ ctx, input: createBenchmarkPlanInput.parse(fields(changes)) });
const get = (planId: string) => getBenchmarkPlan({ ctx: operator.ctx, input: { planId } });

test("a plan is stored with all of its method's parameters, and lists its next five slots", async () => {
  const { planId } = await create();
  expect(await get(planId)).toMatchObject({
    name: "B2 every six hours",
    endpoints: [{ id: endpointId, name: "B2", kind: "s3-compatible" }],
    method: {
      name: "small-uploads",
      parameters: { pauseMs: 10, warmUpCount: 3, pingCount: 100, measuresRtt: true },
    },
    vantage: { nodeId: null, name: "This worker" },
    missedPolicy: "skip",
    spentThisMonth: 0,
    lastSlot: null,
    nextRunsAt: [12, 18, 24, 30, 36].map((hours) => new Date(Date.UTC(2026, 10, 21, hours))),
  });
  expect(await listBenchmarkPlans({ ctx: operator.ctx })).toHaveLength(1);
  const events = await auditEvents(installation.platform);
  expect(events.map(({ action, targetName }) => [action, targetName])).toEqual([
    ["benchmark.plan_created", "B2 every six hours"],
  ]);
});

test.each([
  ["an invalid cron expression", { cron: "0 */6 * * 99" }, "cron", '"0 */6 * * 99" is not a cron expression'],
  ["an unknown time zone", { timeZone: "Mars/Olympus" }, "timeZone", 'no time zone "Mars/Olympus"'],
  [
    "an unknown endpoint",
    { endpointIds: ["00000000-0000-4000-8000-000000000000"] },
    "endpointIds",
    "One of the endpoints no longer exists",
  ],
  ["an unknown method", { method: { name: "magic" } }, undefined, 'no method "magic"'],
  [
    "a parameter out of bounds",
    { method: { name: "small-uploads", parameters: { pauseMs: -1 } } },
    "parameters.pauseMs",
    'The parameter "pauseMs" of the method "small-uploads"',
  ],
  [
    "a vantage point that is none",
    { vantageNodeId: "00000000-0000-4000-8000-000000000000" },
    "vantageNodeId",
    "There is no such vantage point.",
  ],
])("%s is refused with a message for its field", async (_, changes, field, message) => {
  await expect(create(changes)).rejects.toMatchObject({ field, message: expect.stringContaining(message) });
  expect(await installation.platform.db.schedule.count({ where: { kind: "benchmark" } })).toBe(0);
});

test("a name that is taken is refused", async () => {
  await create();
  await expect(create()).rejects.toMatchObject({ code: "conflict", field: "name" });
});

test("a budget requires prices of every endpoint", async () => {
  const unpriced = await createTestEndpoint(installation.platform, { name: "Unpriced" });
  const changes = { endpointIds: [endpointId, unpriced], budgetPerMonth: 5 };
  await expect(create(changes)).rejects.toMatchObject({
    field: "budgetPerMonth",
    message: expect.stringContaining('the endpoint "Unpriced" has no price list'),
  });
});

// A slot of small uploads to one endpoint is 206 PUTs and a few lists, at half a cent each.
test("a limit per slot is checked when a plan is created or changed, with the estimate and the limit in the message", async () => {
  const sentence =
    /^One slot is estimated to cost \$1\.\d\d, and at most \$1\.00 is allowed; raise the limit, or measure less\.$/;
  const refusal = { field: "costPerSlotMax", message: expect.stringMatching(sentence) };
  await expect(create({ costPerSlotMax: 1 })).rejects.toMatchObject(refusal);
  const { planId } = await create({ costPerSlotMax: 1.5 });
  expect(await get(planId)).toMatchObject({
    costPerSlotMax: 1.5,
    costPerSlot: expect.closeTo(1.04, 1),
    budgetPerMonth: null,
  });
  const update = (changes: object) => {
    const input = updateBenchmarkPlanInput.parse({ ...fields(changes), planId });
    return updateBenchmarkPlan({ ctx: operator.ctx, input });
  };
  await expect(update({ costPerSlotMax: 1 })).rejects.toMatchObject(refusal);
  await update({ costPerSlotMax: null });
  expect(await get(planId)).toMatchObject({ costPerSlotMax: null });
  const events = await auditEvents(installation.platform);
  expect(events.at(-1)).toMatchObject({ before: { costPerSlotMax: 1.5 }, after: { costPerSlotMax: null } });
});

test.each(["object-sweep", "backup", "performance-stats"])(
  "a limit per slot is enforced for %s too",
  async (name) => {
    const { planId } = await create({ name, method: { name } });
    const costPerSlot = (await get(planId)).costPerSlot ?? 0;
    expect(costPerSlot).toBeGreaterThan(0);
    await create({ name: "exact", method: { name }, costPerSlotMax: costPerSlot });
    await expect(
      create({ name: "less", method: { name }, costPerSlotMax: costPerSlot * 0.99 }),
    ).rejects.toMatchObject({ field: "costPerSlotMax" });
  },
);

test("a slot of pings costs nothing, so any limit admits it", async () => {
  const { planId } = await create({ method: { name: "pings" }, costPerSlotMax: 0 });
  expect(await get(planId)).toMatchObject({ costPerSlot: 0 });
});

test("a limit per slot requires prices of every endpoint, and an unknown cost is not zero", async () => {
  const unpriced = await createTestEndpoint(installation.platform, { name: "Unpriced" });
  const changes = { endpointIds: [endpointId, unpriced] };
  await expect(create({ ...changes, costPerSlotMax: 5 })).rejects.toMatchObject({
    field: "costPerSlotMax",
    message: expect.stringContaining(
      'cannot be checked for the endpoint "Unpriced", which has no price list',
    ),
  });
  const { planId } = await create(changes);
  expect(await get(planId)).toMatchObject({ costPerSlot: null, spentThisMonth: null });
});

test("runs from before an endpoint had prices leave the month's spending unknown", async () => {
  const { planId } = await create();
  const endpoint = { id: endpointId, name: "B2" };
  const slotAt = installation.platform.now();
  await seedBenchmarkRun(installation.platform, { planId, endpoint, slotAt, wireMs: [100, 101] });
  expect(await get(planId)).toMatchObject({ costPerSlot: expect.any(Number), spentThisMonth: null });
});

test("a changed plan runs at its new times, and does not make up for old ones", async () => {
  const { planId } = await create({ missedPolicy: "run-late" });
  installation.clock.set(new Date("2026-11-21T13:00:00Z"));
  const other = await createTestEndpoint(installation.platform, { name: "S3" });
  const input = updateBenchmarkPlanInput.parse({
    ...fields({ name: "Hourly", cron: "0 * * * *", endpointIds: [other, endpointId] }),
    planId,
  });
  await updateBenchmarkPlan({ ctx: operator.ctx, input });
  expect(await planDueRuns(installation.platform)).toBe(0);
  expect(await get(planId)).toMatchObject({
    name: "Hourly",
    endpoints: [{ name: "S3" }, { name: "B2" }],
    nextRunsAt: expect.arrayContaining([new Date("2026-11-21T14:00:00Z")]),
  });
  const [, changed] = await auditEvents(installation.platform);
  expect(changed).toMatchObject({
    action: "benchmark.plan_changed",
    before: { cron: "0 */6 * * *", endpoints: ["B2"] },
    after: { cron: "0 * * * *", endpoints: ["S3", "B2"] },
  });
});

test("a paused plan is not due, and does not make up for missed runs when resumed", async () => {
  const { planId } = await create({ missedPolicy: "run-late" });
  const setPaused = (isPaused: boolean) =>
    pauseBenchmarkPlan({ ctx: operator.ctx, input: { planId, isPaused } });
  await setPaused(true);
  installation.clock.set(new Date("2026-11-21T13:00:00Z"));
  expect(await planDueRuns(installation.platform)).toBe(0);
  expect(await get(planId)).toMatchObject({ isPaused: true, nextRunsAt: [] });
  await setPaused(false);
  expect(await planDueRuns(installation.platform)).toBe(0);
  installation.clock.set(new Date("2026-11-21T18:00:00Z"));
  expect(await planDueRuns(installation.platform)).toBe(1);
});

test("a plan is deleted by its name, but not while it runs", async () => {
  const { planId } = await create();
  const remove = (name: string) => deleteBenchmarkPlan({ ctx: operator.ctx, input: { planId, name } });
  await expect(remove("b2")).rejects.toMatchObject({ field: "name" });
  await runBenchmarkPlanNow({ ctx: operator.ctx, input: { planId } });
  await installation.platform.db.scheduleRun.updateMany({ data: { state: "running" } });
  await expect(remove("B2 every six hours")).rejects.toMatchObject({ code: "conflict" });
  await installation.platform.db.scheduleRun.updateMany({ data: { state: "succeeded" } });
  await remove("B2 every six hours");
  expect(await listBenchmarkPlans({ ctx: operator.ctx })).toEqual([]);
  expect(await installation.platform.db.schedule.count({ where: { kind: "benchmark" } })).toBe(0);
});

test("a preview shows times, work and cost before anything is written", async () => {
  const viewer = await installation.person("viewer");
  const input = {
    endpointIds: [endpointId],
    method: { name: "small-uploads", parameters: {} },
    cron: "0 */6 * * *",
    timeZone: "UTC",
  };
  const preview = await previewBenchmarkPlan({ ctx: viewer.ctx, input });
  expect(preview.nextRunsAt).toHaveLength(5);
  // Two sizes of 103 uploads each.
  expect(preview).toMatchObject({ uploadedBytesPerRun: 103 * 1_256_000, downloadedBytesPerRun: 0 });
  const [cost] = preview.costs;
  expect(cost).toMatchObject({ endpointName: "B2" });
  expect(cost?.perRun).toBeGreaterThan((206 * 5) / 1000);
  expect(cost?.perMonth).toBeCloseTo((cost?.perRun ?? 0) * 120, 6);
});

test("probes are vantage points, and report why they cannot be used", async () => {
  const node = { vault: "main", role: "probe", createdAt: installation.clock.now() };
  const { db } = installation.platform;
  const id = "00000000-0000-4000-8000-00000000000";
  await db.node.create({ data: { ...node, id: `${id}1`, name: "probe-eu", status: "active" } });
  await db.node.create({ data: { ...node, id: `${id}2`, name: "probe-us", status: "revoked" } });
  await db.node.create({ data: { ...node, id: `${id}3`, name: "pod-1", role: "pod", status: "active" } });
  const vantages = await listVantages({ ctx: operator.ctx });
  expect(vantages.map(({ name, reason }) => [name, reason])).toEqual([
    ["This worker", null],
    ["probe-eu", null],
    ["probe-us", "The vantage point probe-us was revoked."],
  ]);
  await create({ vantageNodeId: `${id}1` });
  await expect(create({ name: "Other", vantageNodeId: `${id}3` })).rejects.toMatchObject({
    message: "The node pod-1 is not a probe, so no benchmark runs on it.",
  });
});

test("a method of the AWS SDK is refused for a store that does not speak S3, and accepted for one that does", async () => {
  const blobs = await createTestEndpoint(installation.platform, {
    name: "Blobs",
    kind: "azure-blob",
    priceList,
  });
  const changes = { endpointIds: [endpointId, blobs], method: { name: "sdk-uploads" } };
  await expect(create(changes)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining('"Blobs" does not'),
  });
  const { planId } = await create({ ...changes, endpointIds: [endpointId] });
  expect(await get(planId)).toMatchObject({
    endpoints: [{ id: endpointId, kind: "s3-compatible" }],
    method: { name: "sdk-uploads" },
  });
});
