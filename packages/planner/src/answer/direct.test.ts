import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkStashPlanInput,
  defaultPlanInput,
  explainPlan,
  planStash,
  type StashPlanInput,
} from "../index.ts";
import { acceptedInput } from "../testing/arbitrary.ts";

const withObjects = (objects: StashPlanInput["objects"]) =>
  checkStashPlanInput({ ...defaultPlanInput, objects });

test("a plan with only objects of 5 MB is refused, because they bypass the stash", () => {
  expect(withObjects([{ bytes: 5_000_000, share: 1 }])).toEqual({
    input: null,
    problems: [
      {
        field: "objects",
        message:
          "Every upload is above 1.05 MB, the largest that goes through the stash: all go straight to the pods, so there is no stash to plan.",
      },
    ],
  });
});

test("objects of 5 MB are reported separately, and drives are sized for the small ones alone", () => {
  const { input } = withObjects([
    { bytes: 256_000, share: 3 },
    { bytes: 5_000_000, share: 1 },
  ]);
  const { plan, direct, planned } = explainPlan(input as StashPlanInput);
  const small = planStash({ ...defaultPlanInput, uploadsPerSecond: 1500 });
  expect(plan.drivesForLoad).toBe(small.drivesForLoad);
  expect(plan.load).toEqual(small.load);
  expect(direct).toEqual({
    share: 0.25,
    uploadsPerSecond: 500,
    meanBytes: 5_000_000,
    sentence:
      "25 % of the uploads, those of 5 MB, are above 1.05 MB and bypass the stash: they go straight to the pods, and no drive is planned for their 500 per second.",
  });
  // The shards of large uploads use the ports too.
  const alone = explainPlan({ ...defaultPlanInput, uploadsPerSecond: 1500 });
  const ofPods = (answer: typeof planned) => answer.network.ports.find(({ of }) => of === "pods");
  const shardOfLarge = Math.ceil((5_000_000 / 16 + 96) / 64) * 64;
  expect(
    (ofPods(planned)?.peakBytesPerSecond ?? 0) - (ofPods(alone.planned)?.peakBytesPerSecond ?? 0),
  ).toBeCloseTo(3 * 500 * shardOfLarge, 0);
});

test("a size at the limit goes through the stash, and one byte more bypasses it", () => {
  const limit = defaultPlanInput.smallUploadBytesMax;
  expect(explainPlan(withObjects([{ bytes: limit, share: 1 }]).input as StashPlanInput).direct).toBeNull();
  expect(withObjects([{ bytes: limit + 1, share: 1 }]).input).toBeNull();
});

test("uploads above the limit need no drive, however many and large they are", () => {
  fc.assert(
    fc.property(
      acceptedInput,
      fc.integer({ min: 1, max: 1e9 }),
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      (input, more, share) => {
        const bytes = input.smallUploadBytesMax + more;
        const { small, total } = input.objects.reduce(
          (sum, each) => ({
            small: sum.small + (each.bytes <= input.smallUploadBytesMax ? each.share : 0),
            total: sum.total + each.share,
          }),
          { small: 0, total: 0 },
        );
        // Keeps the number of small uploads.
        const uploadsPerSecond = (input.uploadsPerSecond * (total + share)) / total;
        const { input: changed } = checkStashPlanInput({
          ...input,
          uploadsPerSecond,
          objects: [...input.objects, { bytes, share }],
        });
        fc.pre(changed !== null && small > 0);
        const [before, after] = [planStash(input), planStash(changed as StashPlanInput)];
        expect(after.load.peakBytesPerSecond / before.load.peakBytesPerSecond).toBeCloseTo(1, 6);
        expect(explainPlan(changed as StashPlanInput).direct?.share).toBeGreaterThan(0);
      },
    ),
    { numRuns: 200 },
  );
});
