import {
  benchmarkComparisonInput,
  createBenchmarkPlanInput,
  formatContamination,
} from "@stashlight/contracts/benchmark";
import { HOUR_MS } from "@stashlight/contracts/time";
import { beforeEach, expect, test } from "vitest";
import { createBenchmarkPlan } from "../benchmark/create-plan.ts";
import { createTestEndpoint, seedBenchmarkRun, useFreshInstallation } from "../testing/index.ts";
import { compareBenchmark } from "./compare.ts";
import { listLatestVerdicts } from "./latest-verdicts.ts";
import { getBenchmarkPlanVerdict } from "./plan-verdict.ts";

const startMs = Date.UTC(2026, 9, 1);
const { installation, operator } = useFreshInstallation("operator");
let planId: string;
let b2: { id: string; name: string };
let s3: { id: string; name: string };

beforeEach(async () => {
  const { platform } = installation;
  b2 = { name: "B2", id: await createTestEndpoint(platform, { name: "B2" }) };
  s3 = { name: "S3", id: await createTestEndpoint(platform, { name: "S3" }) };
  const input = createBenchmarkPlanInput.parse({
    name: "B2 beside S3",
    endpointIds: [b2.id, s3.id],
    method: { name: "small-uploads" },
    cron: "0 */6 * * *",
  });
  ({ planId } = await createBenchmarkPlan({ ctx: operator.ctx, input }));
});

const slotAt = (slot: number) => new Date(startMs + slot * 6 * HOUR_MS);

/** Every sample close to one level; in contaminated slots four of forty of S3's samples were disturbed. */
async function seedSlots(levels: readonly { b2Ms: number; s3Ms: number; isContaminated: boolean }[]) {
  for (const [slot, { b2Ms, s3Ms, isContaminated }] of levels.entries()) {
    const around = (ms: number) => Array.from({ length: 40 }, (_, i) => ms + ((i * 7 + slot * 3) % 11) / 10);
    const run = { planId, slotAt: slotAt(slot) };
    await seedBenchmarkRun(installation.platform, { ...run, endpoint: b2, wireMs: around(b2Ms) });
    const taggedAt = isContaminated ? [3, 4, 5, 6] : [3, 4];
    await seedBenchmarkRun(installation.platform, { ...run, endpoint: s3, wireMs: around(s3Ms), taggedAt });
  }
}
const slots = (count: number, of: { b2Ms: number; s3Ms: number; isContaminated: boolean }) =>
  Array.from({ length: count }, () => of);
const compare = () =>
  compareBenchmark({
    ctx: operator.ctx,
    input: benchmarkComparisonInput.parse({
      planId,
      operation: "PUT",
      sizeBytes: 256_000,
      fromMs: startMs,
      toMs: startMs + 90 * 24 * HOUR_MS,
      endpointAId: b2.id,
      endpointBId: s3.id,
    }),
  });

test("contaminated slots do not count on any page", async () => {
  await seedSlots([
    ...slots(6, { b2Ms: 100, s3Ms: 130, isContaminated: false }),
    ...slots(6, { b2Ms: 100, s3Ms: 60, isContaminated: true }),
  ]);
  const comparison = await compare();
  expect(comparison).toMatchObject({
    slots: { measuredCount: 12, undisturbedCount: 6, neededCount: 6 },
    pairCount: 6,
    verdict: { kind: "faster", which: "a" },
    sentence: expect.stringContaining("over 6 undisturbed of 12 slots)"),
    contamination: { runCount: 24, contaminatedCount: 6, slotCount: 6 },
  });
  expect(comparison.contamination?.worst[0]).toMatchObject({ endpointName: "S3", taggedShare: 0.1 });
  expect(await compare()).toEqual(comparison);
  const [latest] = await listLatestVerdicts({ ctx: operator.ctx });
  const { sentence, contamination, pairCount, ratio, differenceMs, pValue } = comparison;
  expect(latest).toMatchObject({ sentence, contamination, pairCount, ratio, differenceMs, pValue });
  const card = await getBenchmarkPlanVerdict({ ctx: operator.ctx, input: { planId } });
  expect(card).toMatchObject({ latest, slots: { ...comparison.slots, missingCount: 0 } });
});

test("too few undisturbed slots give no winner, and the sentence counts both kinds", async () => {
  await seedSlots([
    ...slots(5, { b2Ms: 100, s3Ms: 130, isContaminated: false }),
    ...slots(2, { b2Ms: 100, s3Ms: 130, isContaminated: true }),
  ]);
  const comparison = await compare();
  expect(comparison).toMatchObject({
    pairCount: 5,
    pValue: null,
    ratio: { low: null, high: null },
    sentence: "B2 leads, not tested: 7 slots, 5 undisturbed, 6 needed.",
  });
  expect(comparison.contamination && formatContamination(comparison.contamination)).toBe(
    "2 of 14 runs are contaminated: the measuring computer was disturbed during more than 5 % of the samples. The 2 slots with them count for no verdict.",
  );
  const { slots: counted } = await getBenchmarkPlanVerdict({ ctx: operator.ctx, input: { planId } });
  expect(counted).toMatchObject({ ...comparison.slots, missingCount: 1 });
});

test("a slot whose run drifted at this operation and size does not count, and one that drifted elsewhere does", async () => {
  await seedSlots(slots(7, { b2Ms: 100, s3Ms: 130, isContaminated: false }));
  const { db } = installation.platform;
  const flag = (slot: number, what: string) =>
    db.benchmarkRun.updateMany({
      where: { planId, slotAt: slotAt(slot), endpointId: s3.id },
      data: { report: { flags: [{ name: "drift", sentence: `${what} became slower during the run.` }] } },
    });
  await flag(0, "PUT of 256 kB (250 KiB)");
  await flag(1, "PUT of 1 MB (976.6 KiB)");
  expect(await compare()).toMatchObject({
    slots: { measuredCount: 7, undisturbedCount: 6 },
    verdict: { kind: "faster", which: "a" },
    caveats: [{ kind: "drift", count: 1, runCount: 14 }],
  });
  await flag(2, "PUT of 256 kB (250 KiB)");
  expect((await compare()).sentence).toBe("B2 leads, not tested: 7 slots, 5 undisturbed, 6 needed.");
  await flag(2, "PUT of 256 kB (250 KiB) over 8 connections");
  expect((await compare()).slots).toMatchObject({ undisturbedCount: 6 });
  await flag(2, "PUT of 256 kB (250 KiB) over 1 connection");
  expect((await compare()).slots).toMatchObject({ undisturbedCount: 5 });
});

test("a run with exactly the allowed share of tagged samples is not contaminated", async () => {
  await seedSlots(slots(6, { b2Ms: 100, s3Ms: 130, isContaminated: false }));
  expect((await compare()).contamination).toBeNull();
});

test("compared slots that were started by hand in succession are counted", async () => {
  await seedSlots(slots(4, { b2Ms: 100, s3Ms: 130, isContaminated: false }));
  const { db } = installation.platform;
  const { scheduleId } = await db.benchmarkPlan.findUniqueOrThrow({ where: { id: planId } });
  const byHand = (plannedAt: Date) => ({
    scheduleId,
    plannedAt,
    trigger: "manual" as const,
    state: "succeeded" as const,
  });
  await db.scheduleRun.create({ data: byHand(slotAt(0)) });
  expect((await compare()).backToBackCount).toBe(0);
  for (const laterMs of [1000, 2000]) {
    const later = new Date(slotAt(0).getTime() + laterMs);
    const run = { planId, slotAt: later, wireMs: [100, 101] };
    await seedBenchmarkRun(installation.platform, { ...run, endpoint: b2 });
    await seedBenchmarkRun(installation.platform, { ...run, endpoint: s3 });
    await db.scheduleRun.create({ data: byHand(later) });
  }
  expect(await compare()).toMatchObject({ pairCount: 6, backToBackCount: 3 });
});

test("one store under two names is reported as such, but not endpoints of two stores", async () => {
  await seedSlots(slots(6, { b2Ms: 100, s3Ms: 100, isContaminated: false }));
  expect((await compare()).caveats).toEqual([]);
  const { endpoint } = installation.platform.db;
  const { url, bucket } = await endpoint.findUniqueOrThrow({ where: { id: b2.id } });
  await endpoint.update({ where: { id: s3.id }, data: { url, bucket } });
  expect(await compare()).toMatchObject({
    caveats: [{ kind: "same store", count: 12, runCount: 12 }],
    verdict: { kind: "not distinguishable" },
  });
});

test("runs that failed entirely are listed beside the verdict on the others", async () => {
  await seedSlots(slots(7, { b2Ms: 100, s3Ms: 100, isContaminated: false }));
  await installation.platform.db.benchmarkRun.updateMany({
    where: { planId, slotAt: slotAt(0), endpointId: s3.id },
    data: { state: "failed", keyPrefix: "benchmark/" },
  });
  expect(await compare()).toMatchObject({
    slots: { measuredCount: 6 },
    caveats: [{ kind: "failed", count: 1, runCount: 14 }],
  });
});
