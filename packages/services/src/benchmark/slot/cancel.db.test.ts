import { expect, test } from "vitest";
import { cancelBenchmarkSlot } from "../cancel-slot.ts";
import { runBenchmarkPlanNow } from "../run-plan-now.ts";
import { makeSamples, useSlotTestBed } from "./testing/test-bed.ts";

const bed = useSlotTestBed();

test("a cancellation ends the run within one heartbeat, keeps its samples, and skips the other endpoints", async () => {
  const planId = await bed.createPlan();
  bed.goTo("12:00");
  await bed.planDue();
  const slot = await bed.claimed();
  const done = bed.execute(slot);
  (await bed.runner.next()).measure(makeSamples(3));
  const input = { planId, plannedAtMs: slot.plannedAt.getTime() };
  await cancelBenchmarkSlot({ ctx: bed.operator.ctx, input });
  await done;
  expect(await bed.lastSlot()).toMatchObject({
    state: "cancelled",
    outcome: "Cancelled by Olga.",
    runs: [
      { state: "cancelled", outcome: "Cancelled by Olga after 3 samples.", sampleCount: 3 },
      { state: "cancelled", outcome: "Cancelled by Olga.", sampleCount: 0 },
    ],
  });
  expect(bed.runner.cleaned).toHaveLength(1);
  await expect(cancelBenchmarkSlot({ ctx: bed.operator.ctx, input })).rejects.toMatchObject({
    code: "conflict",
  });
});

test("a waiting slot is cancelled at once", async () => {
  const planId = await bed.createPlan();
  const { plannedAt } = await runBenchmarkPlanNow({ ctx: bed.operator.ctx, input: { planId } });
  await cancelBenchmarkSlot({ ctx: bed.operator.ctx, input: { planId, plannedAtMs: plannedAt.getTime() } });
  expect(await bed.lastSlot()).toMatchObject({
    state: "cancelled",
    outcome: expect.stringMatching(/^Cancelled/),
  });
  expect(await bed.claim()).toBeNull();
});
