import { createBenchmarkPlanInput } from "@stashlight/contracts/benchmark/plan";
import { benchmarkComparisonInput } from "@stashlight/contracts/benchmark/result";
import { formatContamination } from "@stashlight/contracts/benchmark/words";
import { HOUR_MS } from "@stashlight/contracts/time/duration";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBenchmarkPlan } from "../benchmark/create-plan.ts";
import {
  createTestEndpoint,
  openTestInstallation,
  type Person,
  seedBenchmarkRun,
  type TestInstallation,
} from "../testing/index.ts";
import { compareBenchmark } from "./compare.ts";
import { listLatestVerdicts } from "./latest-verdicts.ts";

const startMs = Date.UTC(2026, 9, 1);
let installation: TestInstallation;
let operator: Person;
let planId: string;
let b2: { id: string; name: string };
let s3: { id: string; name: string };

beforeEach(async () => {
  installation = await openTestInstallation();
  const { platform } = installation;
  operator = await installation.person("operator");
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
afterEach(() => installation.close());

const slotAt = (slot: number) => new Date(startMs + slot * 6 * HOUR_MS);

/** Every sample close to one level; in contaminated slots two of twenty of S3's samples were disturbed. */
async function seedSlots(levels: readonly { b2Ms: number; s3Ms: number; isContaminated: boolean }[]) {
  for (const [slot, { b2Ms, s3Ms, isContaminated }] of levels.entries()) {
    const around = (ms: number) => Array.from({ length: 20 }, (_, i) => ms + ((i * 7 + slot * 3) % 11) / 10);
    const run = { planId, slotAt: slotAt(slot) };
    await seedBenchmarkRun(installation.platform, { ...run, endpoint: b2, wireMs: around(b2Ms) });
    const taggedAt = isContaminated ? [3, 4] : [3];
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

test("contaminated slots are left out where enough others remain, and both verdicts are given where they differ", async () => {
  await seedSlots([
    ...slots(6, { b2Ms: 100, s3Ms: 130, isContaminated: false }),
    ...slots(6, { b2Ms: 100, s3Ms: 60, isContaminated: true }),
  ]);
  const comparison = await compare();
  expect(comparison).toMatchObject({
    pairCount: 6,
    verdict: { kind: "faster", which: "a" },
    contamination: {
      runCount: 24,
      contaminatedCount: 6,
      slotCount: 6,
      cleanPairCount: 6,
      isExcluded: true,
      otherwise: expect.stringContaining("not distinguishable over 12 slots"),
    },
  });
  expect(comparison.contamination?.worst[0]).toMatchObject({ endpointName: "S3", taggedShare: 0.1 });
  expect(await compare()).toEqual(comparison);
  const [latest] = await listLatestVerdicts({ ctx: operator.ctx });
  expect(latest?.contamination).toEqual(comparison.contamination);
});

test("with too few clean slots the contaminated ones are kept, and the sentence says so", async () => {
  await seedSlots([
    ...slots(5, { b2Ms: 100, s3Ms: 130, isContaminated: false }),
    ...slots(2, { b2Ms: 100, s3Ms: 130, isContaminated: true }),
  ]);
  const { pairCount, contamination } = await compare();
  expect(pairCount).toBe(7);
  expect(contamination).toMatchObject({ isExcluded: false, cleanPairCount: 5, otherwise: null });
  expect(contamination === null ? "" : formatContamination(contamination)).toBe(
    "2 of 14 runs are contaminated: the measuring computer was disturbed during more than 5 % of the samples. Their figures are kept, because only 5 common slots would remain and a verdict needs 6. Do not rely on this result.",
  );
});

test("a run with exactly the share of tagged samples that is allowed is not contaminated", async () => {
  await seedSlots(slots(6, { b2Ms: 100, s3Ms: 130, isContaminated: false }));
  expect((await compare()).contamination).toBeNull();
});

test("compared slots that were started by hand one after another are counted", async () => {
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
