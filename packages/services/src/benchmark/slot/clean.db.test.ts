import { MINUTE_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { getBenchmarkRun } from "../get-run.ts";
import { cleanLeftovers } from "./clean.ts";
import { makeSamples, neverStopping, useSlotTestBed } from "./testing/test-bed.ts";

const bed = useSlotTestBed();

test("objects that could not be deleted are retried at growing intervals until they are gone", async () => {
  await bed.createPlan({ endpointIds: bed.endpointIds.slice(0, 1) });
  bed.goTo("12:00");
  await bed.planDue();
  bed.runner.cleaningFails = new Error("connect ECONNREFUSED");
  const done = bed.execute(await bed.claimed());
  const run = await bed.runner.next();
  run.measure(makeSamples(1));
  run.end();
  await done;
  const details = () => getBenchmarkRun({ ctx: bed.operator.ctx, input: { runId: run.job.runId } });
  expect(await details()).toMatchObject({
    cleanedAt: null,
    cleanError: "connect ECONNREFUSED",
    cleanAfter: new Date(bed.installation.clock.now().getTime() + MINUTE_MS),
  });
  const cleanAll = () => cleanLeftovers(bed.installation.platform, null, bed.runner, neverStopping);
  expect(await cleanAll()).toBe(0);
  bed.installation.clock.advance(MINUTE_MS);
  expect(await cleanAll()).toBe(1);
  bed.runner.cleaningFails = null;
  bed.installation.clock.advance(MINUTE_MS);
  expect(await cleanAll()).toBe(0);
  bed.installation.clock.advance(MINUTE_MS);
  expect(await cleanAll()).toBe(1);
  expect(await details()).toMatchObject({
    cleanedAt: expect.any(Date),
    cleanError: null,
    cleanAfter: null,
  });
  bed.installation.clock.advance(MINUTE_MS);
  expect(await cleanAll()).toBe(0);
});

test("objects at a deleted endpoint are abandoned, and their run records it", async () => {
  await bed.createPlan({ endpointIds: bed.endpointIds.slice(0, 1) });
  bed.goTo("12:00");
  await bed.planDue();
  bed.runner.cleaningFails = new Error("connect ECONNREFUSED");
  const done = bed.execute(await bed.claimed());
  const run = await bed.runner.next();
  run.end();
  await done;
  await bed.installation.platform.db.benchmarkPlan.deleteMany();
  await bed.installation.platform.db.endpoint.deleteMany();
  bed.installation.clock.advance(MINUTE_MS);
  expect(await cleanLeftovers(bed.installation.platform, null, bed.runner, neverStopping)).toBe(1);
  bed.installation.clock.advance(86_400_000);
  expect(await cleanLeftovers(bed.installation.platform, null, bed.runner, neverStopping)).toBe(0);
  const input = { runId: run.job.runId };
  expect(await getBenchmarkRun({ ctx: bed.operator.ctx, input })).toMatchObject({
    endpointId: null,
    endpointName: "B2",
    cleanError: expect.stringContaining("The endpoint was deleted"),
    cleanAfter: null,
  });
});
