import { expect, test } from "vitest";
import { planDueRuns } from "../../schedule/plan-due.ts";
import { runBenchmarkPlanNow } from "../run-plan-now.ts";
import type { ClaimedSlot } from "./claim.ts";
import { useSlotTestBed } from "./testing/test-bed.ts";

const bed = useSlotTestBed();

test("a vantage point runs one slot at a time when several workers claim", async () => {
  await bed.createPlan();
  await bed.createPlan({ name: "Another" });
  bed.goTo("12:00");
  expect(await bed.planDue()).toBe(2);
  const others = [1, 2, 3, 4].map((number) => ({
    name: `worker-${number}`,
    platform: bed.installation.anotherPlatform(),
  }));
  const claims = await Promise.all(others.map(({ name, platform }) => bed.claim(name, platform)));
  const [slot, ...more] = claims.filter((each) => each !== null);
  expect(more).toEqual([]);
  expect(await bed.claim()).toBeNull();
  const done = bed.execute(slot as ClaimedSlot);
  for (const _ of bed.endpointIds) (await bed.runner.next()).end();
  await done;
  expect(await bed.claim()).not.toBeNull();
});

test("a worker that finds no due slot waits for no other worker that claims", async () => {
  await bed.createPlan();
  const claiming = await bed.installation.platform.metrics.connect();
  try {
    await claiming.query("SELECT pg_advisory_lock(hashtextextended('benchmark null', 0))");
    expect(await bed.claim()).toBeNull();
  } finally {
    await claiming.query("SELECT pg_advisory_unlock_all()");
    claiming.release();
  }
});

test("a slot that is due while the previous one runs is skipped, with the reason", async () => {
  const planId = await bed.createPlan();
  bed.goTo("12:00");
  await bed.planDue();
  await bed.claimed();
  await expect(runBenchmarkPlanNow({ ctx: bed.operator.ctx, input: { planId } })).rejects.toMatchObject({
    code: "conflict",
  });
  bed.goTo("18:00");
  expect(await bed.planDue()).toBe(0);
  expect(await bed.lastSlot()).toMatchObject({
    state: "skipped",
    outcome: "Skipped: the run before it had not finished.",
  });
});

test.each([
  ["skip", "skipped", "Missed: no worker was running at that time."],
  ["run-late", "queued", null],
])("a slot that was due while no worker was running (%s) is %s", async (missedPolicy, state, outcome) => {
  await bed.createPlan({ missedPolicy });
  bed.goTo("14:00");
  await bed.planDue();
  expect(await bed.lastSlot()).toMatchObject({ plannedAt: new Date("2026-11-21T12:00:00Z"), state, outcome });
});

test("jitter delays a slot by a share of its limit, but the slot keeps its planned time", async () => {
  await bed.createPlan({ jitterSeconds: 600 });
  bed.goTo("12:00");
  await planDueRuns(bed.installation.platform, () => 0.5);
  expect(await bed.claim()).toBeNull();
  bed.goTo("12:05");
  expect(await bed.claimed()).toMatchObject({ plannedAt: new Date("2026-11-21T12:00:00Z") });
});

test("every second slot reverses the drawn order of the previous one", async () => {
  await bed.createPlan();
  const orders: (string | null)[][] = [];
  for (const clock of ["12:00", "18:00"]) {
    bed.goTo(clock);
    await bed.planDue();
    const slot = await bed.claimed();
    orders.push(slot.runs.map(({ endpointId }) => endpointId));
    const done = bed.execute(slot);
    for (const _ of slot.runs) (await bed.runner.next()).end();
    await done;
  }
  expect(orders[0]).toHaveLength(2);
  expect(orders[1]).toEqual(orders[0]?.toReversed());
});
