import { MINUTE_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { getBenchmarkRun } from "../get-run.ts";
import { packSamples } from "../pack.ts";
import { leaseMs } from "./claim.ts";
import { cleanLeftovers } from "./clean.ts";
import { recoverLostSlots } from "./interrupt.ts";
import { makeSamples, neverStopping, until, useSlotTestBed } from "./testing/test-bed.ts";

const bed = useSlotTestBed();

test("the samples of a lost worker are kept, its objects are deleted, and the slot is retried", async () => {
  await bed.createPlan();
  bed.goTo("12:00");
  await bed.planDue();
  const slot = await bed.claimed();
  // The process ends after the first samples were committed, and no heartbeat renews the lease.
  const { db } = bed.installation.platform;
  const [first] = slot.runs;
  const keyPrefix = `stashlight-${first?.id}/`;
  await db.benchmarkRun.update({
    where: { id: first?.id ?? "" },
    data: { state: "running", startedAt: bed.installation.clock.now(), keyPrefix, sampleCount: 5 },
  });
  await db.benchmarkSamplePart.create({
    data: { runId: first?.id ?? "", part: 0, sampleCount: 5, packed: packSamples(makeSamples(5)) },
  });
  bed.installation.clock.advance(leaseMs);
  expect(await recoverLostSlots(bed.installation.platform)).toBe(0);
  bed.installation.clock.advance(1);
  expect(await recoverLostSlots(bed.installation.platform)).toBe(1);
  expect(await bed.lastSlot()).toMatchObject({
    state: "queued",
    outcome: "Attempt 1 of 3 was interrupted: the process that ran it was lost.",
    runs: [{ id: first?.id, state: "interrupted", sampleCount: 5 }],
  });
  expect(
    (await getBenchmarkRun({ ctx: bed.operator.ctx, input: { runId: first?.id ?? "" } })).groups,
  ).toMatchObject([{ n: 5 }]);
  expect(await cleanLeftovers(bed.installation.platform, null, bed.runner, neverStopping)).toBe(1);
  expect(bed.runner.cleaned).toEqual([keyPrefix]);
  expect(await bed.claim()).toBeNull();
  bed.installation.clock.advance(MINUTE_MS);
  const done = bed.execute(await bed.claimed("worker-2"));
  for (const _ of bed.endpointIds) {
    const run = await bed.runner.next();
    run.measure(makeSamples(10));
    run.end();
  }
  await done;
  const runs = (await bed.lastSlot()).runs.map(({ attempt, state }) => [attempt, state]);
  expect(runs).toEqual([
    [1, "interrupted"],
    [2, "succeeded"],
    [2, "succeeded"],
  ]);
});

test("a worker that lost its slot can no longer change it", async () => {
  await bed.createPlan();
  bed.goTo("12:00");
  await bed.planDue();
  const done = bed.execute(await bed.claimed());
  const run = await bed.runner.next();
  run.measure(makeSamples(2));
  await until(async () =>
    expect((await bed.lastSlot()).runs.some((each) => each.sampleCount === 2)).toBe(true),
  );
  // A heartbeat may renew the lease in between.
  await until(async () => {
    await bed.installation.platform.db.scheduleRun.updateMany({ data: { leaseUntil: new Date(0) } });
    expect(await recoverLostSlots(bed.installation.platform)).toBe(1);
  });
  run.measure(makeSamples(50));
  run.end();
  await done;
  expect(await bed.lastSlot()).toMatchObject({
    state: "queued",
    runs: [{ state: "interrupted", sampleCount: 2 }],
  });
});

test.each([
  ["run-late", "queued"],
  ["skip", "failed"],
])("a worker that is stopped interrupts its slot, which is then (%s) %s", async (missedPolicy, state) => {
  await bed.createPlan({ missedPolicy });
  bed.goTo("12:00");
  await bed.planDue();
  const stop = new AbortController();
  const done = bed.execute(await bed.claimed(), stop.signal);
  const run = await bed.runner.next();
  run.measure(makeSamples(4));
  stop.abort();
  await done;
  const slot = await bed.lastSlot();
  expect(slot.state).toBe(state);
  expect(slot.outcome).toContain("the worker was stopped");
  expect(slot.runs[0]).toMatchObject({
    state: "interrupted",
    outcome: "The worker was stopped after 4 samples.",
    sampleCount: 4,
  });
  expect(slot.runs.slice(1).map((each) => each.state)).toEqual(state === "failed" ? ["skipped"] : []);
});

test("a slot fails after three interrupted attempts", async () => {
  await bed.createPlan();
  bed.goTo("12:00");
  await bed.planDue();
  for (const attempt of [1, 2, 3]) {
    expect(await bed.claimed()).toMatchObject({ attempt });
    bed.installation.clock.advance(leaseMs + 1);
    await recoverLostSlots(bed.installation.platform);
    bed.installation.clock.advance(MINUTE_MS);
  }
  expect(await bed.lastSlot()).toMatchObject({
    state: "failed",
    outcome: "Interrupted: the process that ran it was lost.",
  });
  expect(await bed.claim()).toBeNull();
});

test("a lost sampler process interrupts only its own run, and that endpoint is measured again", async () => {
  await bed.createPlan();
  bed.goTo("12:00");
  await bed.planDue();
  const done = bed.execute(await bed.claimed());
  const lost = await bed.runner.next();
  lost.measure(makeSamples(2));
  lost.end({ state: "interrupted", sentence: "The measuring process was lost (SIGKILL)." });
  const other = await bed.runner.next();
  other.measure(makeSamples(2));
  other.end();
  await done;
  bed.installation.clock.advance(MINUTE_MS);
  const again = await bed.claimed();
  expect(again.runs.map(({ endpointName }) => endpointName)).toEqual([lost.job.endpoint.name]);
});
