import { benchmarkComparisonInput, createBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import { HOUR_MS } from "@stashlight/contracts/time";
import { beforeEach, expect, test } from "vitest";
import { createBenchmarkPlan } from "../benchmark/create-plan.ts";
import { createTestEndpoint, seedBenchmarkRun, useFreshInstallation } from "../testing/index.ts";
import { compareBenchmark } from "./compare.ts";
import { getBenchmarkHistory } from "./get-history.ts";
import { getBenchmarkPlanVerdict } from "./plan-verdict.ts";
import { getSweep } from "./sweep/get-sweep.ts";

const startMs = Date.UTC(2026, 9, 1);
const SLOT_COUNT = 20;
const period = { fromMs: startMs, toMs: startMs + SLOT_COUNT * 6 * HOUR_MS };
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

/** S3 is twice as fast as B2, but fails entirely in every other slot. */
async function seedSlots(failure: { keyPrefix: string | null; isTriedAgain?: boolean }) {
  const { platform } = installation;
  for (let slot = 0; slot < SLOT_COUNT; slot += 1) {
    const run = { planId, slotAt: new Date(startMs + slot * 6 * HOUR_MS) };
    const around = (ms: number) => Array.from({ length: 40 }, (_, i) => ms + ((i * 7 + slot * 3) % 11) / 10);
    await seedBenchmarkRun(platform, { ...run, endpoint: b2, wireMs: around(100) });
    const isDown = slot % 2 === 1;
    if (isDown) {
      const failed = { endpoint: s3, wireMs: [30_000], failedAt: [0], state: "failed" };
      const id = await seedBenchmarkRun(platform, { ...run, ...failed });
      await platform.db.benchmarkRun.update({ where: { id }, data: { keyPrefix: failure.keyPrefix } });
    }
    if (isDown && failure.isTriedAgain !== true) continue;
    await seedBenchmarkRun(platform, { ...run, endpoint: s3, wireMs: around(50), attempt: isDown ? 2 : 1 });
  }
}

const compare = () =>
  compareBenchmark({
    ctx: operator.ctx,
    input: benchmarkComparisonInput.parse({
      planId,
      operation: "PUT",
      sizeBytes: 256_000,
      ...period,
      endpointAId: b2.id,
      endpointBId: s3.id,
    }),
  });

test("no page calls an endpoint faster that is down in half of the slots, and its success rate is half", async () => {
  await seedSlots({ keyPrefix: "benchmark/" });
  const comparison = await compare();
  expect(comparison).toMatchObject({
    verdict: { kind: "unequal success", better: "a" },
    success: { a: 1, b: 0.5, slotCount: SLOT_COUNT },
    sentence: expect.stringContaining(
      "B2 succeeds more often than S3 (100 % against 50.0 % over 20 runs each, 10 slots)",
    ),
    caveats: [{ kind: "failed", count: 10, runCount: 40 }],
  });
  const { latest } = await getBenchmarkPlanVerdict({ ctx: operator.ctx, input: { planId } });
  expect(latest).toMatchObject({ sentence: comparison.sentence, success: comparison.success });
  const minimumEffect = { kind: "share", share: 0.05 } as const;
  const sweep = await getSweep({ ctx: operator.ctx, input: { planIds: [planId], ...period, minimumEffect } });
  expect(sweep.places[0]?.cells[0]).toMatchObject({ because: "success", fastest: null });
  const subject = { planId, operation: "PUT", sizeBytes: 256_000, connectionCount: 1 } as const;
  const input = { ...subject, ...period, pointCountMax: 1000 };
  const { series } = await getBenchmarkHistory({ ctx: operator.ctx, input });
  expect(series.map(({ runCount }) => runCount)).toEqual([20, 10]);
});

test("a run that ended before any request was sent does not count against its endpoint", async () => {
  await seedSlots({ keyPrefix: null });
  expect(await compare()).toMatchObject({
    verdict: { kind: "faster", which: "b" },
    success: { a: 1, b: 1, slotCount: 10 },
    caveats: [{ kind: "not begun", count: 10, runCount: 40 }],
  });
});

test("a slot that was retried and succeeded has not failed", async () => {
  await seedSlots({ keyPrefix: "benchmark/", isTriedAgain: true });
  const { success, caveats } = await compare();
  expect([success?.b, caveats]).toEqual([1, []]);
});

test("runs whose latencies are recomputed after an upgrade do not count until that is done", async () => {
  await seedSlots({ keyPrefix: "benchmark/", isTriedAgain: true });
  const { metrics, db } = installation.platform;
  const markEarlier = (fromMs: number) =>
    metrics.query("UPDATE benchmark_group SET figures_edition = 1 WHERE endpoint_id = $1 AND slot_at >= $2", [
      s3.id,
      new Date(fromMs),
    ]);
  await markEarlier(startMs + 10 * 6 * HOUR_MS);
  expect(await compare()).toMatchObject({ pairCount: SLOT_COUNT, caveats: [] });
  await db.benchmarkRun.updateMany({
    data: { method: { name: "small-uploads", parameters: { mode: "constant-rate" } } },
  });
  expect(await compare()).toMatchObject({
    pairCount: 10,
    unpairedCount: 10,
    caveats: [{ kind: "recomputing", count: 10, runCount: 40 }],
  });
  await markEarlier(startMs);
  await expect(compare()).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringContaining("The figures of 20 runs are being computed again after the upgrade"),
  });
});
