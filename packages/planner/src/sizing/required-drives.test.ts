import { expect, test } from "vitest";
import vectors from "../../fixtures/stash-sizing.json" with { type: "json" };
import { checkStashPlanInput, planStash } from "../index.ts";

/** Converts the names of the vectors: one object size, a rating under its initials, nothing installed. */
function makeInput({
  objectBytes,
  drive: { dwpd, ...drive },
  ...rest
}: (typeof vectors.cases)[number]["input"]) {
  const { input, problems } = checkStashPlanInput({
    ...rest,
    objects: [{ bytes: objectBytes, share: 1 }],
    drive: { ...drive, name: "Micron 7450 MAX", driveWritesPerDay: dwpd },
    serverPriceUsd: 0,
    installed: null,
  });
  expect(problems).toEqual([]);
  if (input === null) throw new Error("the input was refused");
  return input;
}

test.each(vectors.cases)("the drives of $name match the vectors", ({ input: given, output }) => {
  const input = makeInput(given);
  const plan = planStash(input);
  expect(plan.load.stashBytesPerObject / (input.dataShards + input.parityShards)).toBe(output.shardBytes);
  expect(plan.load.stashBytesPerObject).toBe(output.stashBytesPerObject);
  expect(plan.load.meanBytesPerSecond).toBeCloseTo(output.meanBytesPerSecond, 0);
  expect(plan.load.peakBytesPerSecond).toBeCloseTo(output.peakBytesPerSecond, 0);
  expect(plan.load.peakShardsPerSecond).toBeCloseTo(output.peakShardsPerSecond, 6);
  expect(plan.meanOccupancyBytes).toBeCloseTo(output.meanOccupancyBytes, 0);
  expect(plan.requiredBytes).toBeCloseTo(output.requiredBytes, 0);
  for (const [name, drives] of Object.entries(output.drivesByConstraint)) {
    expect(plan.drivesByConstraint[name as keyof typeof plan.drivesByConstraint]).toBeCloseTo(drives, 4);
  }
  expect(plan.driveWritesPerDay).toBeCloseTo(output.driveWritesPerDay, 4);
  const { bindingConstraint, drivesForLoad, shardsPerServerMax, placementServers } = output;
  const { decidedBy, servers, drives, fewestDrivesPerServer } = output;
  expect(plan).toMatchObject({ bindingConstraint, drivesForLoad, shardsPerServerMax, placementServers });
  expect(plan).toMatchObject({ decidedBy, servers, drives, fewestDrivesPerServer });
  expect(plan.drives * input.drive.priceUsd).toBe(output.driveCostUsd);
});
