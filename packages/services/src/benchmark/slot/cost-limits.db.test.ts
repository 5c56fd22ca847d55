import { expect, test } from "vitest";
import { runBenchmarkPlanNow } from "../run-plan-now.ts";
import { makeSamples, priceList, useSlotTestBed } from "./testing/test-bed.ts";

const bed = useSlotTestBed();

test("a slot that would exceed the budget is skipped, with the figures", async () => {
  // A slot of 206 PUTs and a few lists on each of two endpoints costs about two dollars and ten cents.
  const planId = await bed.createPlan({ budgetPerMonth: 3 });
  bed.goTo("12:00");
  await bed.planDue();
  const done = bed.execute(await bed.claimed());
  for (const _ of bed.endpointIds) {
    const run = await bed.runner.next();
    run.measure(makeSamples(1));
    run.end();
  }
  await done;
  bed.goTo("18:00");
  await bed.planDue();
  expect(await bed.claim()).toBeNull();
  expect(await bed.lastSlot()).toMatchObject({
    state: "skipped",
    outcome: expect.stringMatching(
      /^Skipped: It would cost \$2\.\d\d, and \$2\.\d\d of this month's \$3\.00 are spent\.$/,
    ),
    runs: [],
  });
  await expect(runBenchmarkPlanNow({ ctx: bed.operator.ctx, input: { planId } })).rejects.toMatchObject({
    code: "precondition_failed",
  });
  bed.installation.clock.set(new Date("2026-12-01T00:00:00Z"));
  await bed.planDue();
  expect(await bed.claim()).not.toBeNull();
});

test("a slot whose prices have risen above the limit per slot is skipped, with the figures", async () => {
  const planId = await bed.createPlan({ costPerSlotMax: 3 });
  await bed.installation.platform.db.endpoint.updateMany({
    where: { id: { in: bed.endpointIds } },
    data: { priceList: { ...priceList, perThousandPuts: 50 } },
  });
  bed.goTo("12:00");
  await bed.planDue();
  expect(await bed.claim()).toBeNull();
  expect(await bed.lastSlot()).toMatchObject({
    state: "skipped",
    outcome: expect.stringMatching(
      /^Skipped: It would cost \$2\d\.\d\d, and one slot may cost at most \$3\.00\.$/,
    ),
    runs: [],
  });
  await expect(runBenchmarkPlanNow({ ctx: bed.operator.ctx, input: { planId } })).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringContaining("may cost at most $3.00"),
  });
  await bed.installation.platform.db.endpoint.updateMany({ data: { priceList } });
  bed.goTo("18:00");
  await bed.planDue();
  expect(await bed.claim()).not.toBeNull();
});

test("a slot without a price list is skipped instead of treated as free", async () => {
  await bed.createPlan({ costPerSlotMax: 3 });
  await bed.installation.platform.db.$executeRaw`UPDATE endpoint SET price_list = NULL WHERE name = 'B2'`;
  bed.goTo("12:00");
  await bed.planDue();
  expect(await bed.claim()).toBeNull();
  expect(await bed.lastSlot()).toMatchObject({
    state: "skipped",
    outcome: 'Skipped: What it would cost cannot be checked, because the endpoint "B2" has no price list.',
  });
});

test("the cost of an interrupted attempt counts towards the limit per slot", async () => {
  // Two endpoints cost about two dollars and ten cents, so a second attempt at one of them would pass the limit.
  await bed.createPlan({ costPerSlotMax: 2.2 });
  bed.goTo("12:00");
  await bed.planDue();
  const slot = await bed.claimed();
  const { db } = bed.installation.platform;
  await db.benchmarkRun.update({
    where: { id: slot.runs[0]?.id ?? "" },
    data: { state: "succeeded", cost: 1.05 },
  });
  await db.benchmarkRun.update({
    where: { id: slot.runs[1]?.id ?? "" },
    data: { state: "interrupted", cost: 1 },
  });
  await db.scheduleRun.updateMany({ data: { state: "queued", startedAt: null } });
  expect(await bed.claim("worker-2")).toBeNull();
  expect(await bed.lastSlot()).toMatchObject({
    state: "skipped",
    outcome: expect.stringMatching(
      /^Skipped: It would cost \$3\.\d\d, \$2\.05 of it already spent, and one slot may cost at most \$2\.20\.$/,
    ),
  });
});
