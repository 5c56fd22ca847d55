import fc from "fast-check";
import { expect, test } from "vitest";
import { checkStashPlanInput, explainPlan, planStash, runMonteCarlo, type StashPlanInput } from "../index.ts";
import { acceptedInput } from "../testing/arbitrary.ts";

/** Paths of numbers that are not finite. */
function infinitePaths(value: unknown, path = ""): string[] {
  if (typeof value === "number") return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value === "string") return /NaN|Infinity|undefined/.test(value) ? [`${path}: ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => infinitePaths(part, `${path}.${key}`));
}

const checked = (given: StashPlanInput): StashPlanInput | null => checkStashPlanInput(given).input;

test("every figure in the answer to an accepted input is finite", () => {
  fc.assert(
    fc.property(acceptedInput, (input) => {
      expect(infinitePaths(explainPlan(input))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

type Change = readonly [name: string, change: (input: StashPlanInput, factor: number) => StashPlanInput];

const needsMore: readonly Change[] = [
  ["more load", (input, factor) => ({ ...input, uploadsPerSecond: input.uploadsPerSecond * factor })],
  ["a higher peak", (input, factor) => ({ ...input, peakFactor: input.peakFactor * factor })],
  ["more growth", (input, factor) => ({ ...input, growthPerYear: input.growthPerYear + factor - 1 })],
  ["a longer outage", (input, factor) => ({ ...input, outageSeconds: input.outageSeconds * factor })],
  [
    "a longer residence",
    (input, factor) => ({ ...input, residenceSecondsP99: input.residenceSecondsP99 * factor }),
  ],
  ["a longer service", (input, factor) => ({ ...input, serviceYears: input.serviceYears * factor })],
];

const worse = (figure: Exclude<keyof StashPlanInput["drive"], "name">): Change => [
  `a drive with less ${figure}`,
  (input, factor) => ({ ...input, drive: { ...input.drive, [figure]: input.drive[figure] / factor } }),
];

test.each([
  ...needsMore,
  worse("capacityBytes"),
  worse("writeBytesPerSecond"),
  worse("writeIops"),
  worse("fsyncPerSecond"),
  worse("driveWritesPerDay"),
  worse("warrantyYears"),
])("a larger load or worse drive never needs fewer drives: %s", (_name, change) => {
  fc.assert(
    fc.property(acceptedInput, fc.double({ min: 1, max: 3, noNaN: true }), (input, factor) => {
      const changed = checked(change(input, factor));
      fc.pre(changed !== null);
      const [before, after] = [planStash(input), planStash(changed as StashPlanInput)];
      expect(after.drives).toBeGreaterThanOrEqual(before.drives);
      expect(after.drivesForLoad).toBeGreaterThanOrEqual(before.drivesForLoad);
    }),
    { numRuns: 200 },
  );
});

test("twice the rate for half the time needs the same space: bytes are a rate times a time", () => {
  fc.assert(
    fc.property(acceptedInput, (input) => {
      const changed = checked({
        ...input,
        uploadsPerSecond: input.uploadsPerSecond * 2,
        outageSeconds: input.outageSeconds / 2,
        residenceSecondsMean: input.residenceSecondsMean / 2,
        residenceSecondsP99: input.residenceSecondsP99 / 2,
      });
      fc.pre(changed !== null);
      const [before, after] = [planStash(input), planStash(changed as StashPlanInput)];
      expect(after.requiredBytes / before.requiredBytes).toBeCloseTo(1, 9);
      expect(after.meanOccupancyBytes / before.meanOccupancyBytes).toBeCloseTo(1, 9);
      expect(after.drivesByConstraint.capacity / before.drivesByConstraint.capacity).toBeCloseTo(1, 9);
    }),
  );
});

test("the shares of a mix are weights: multiplying all of them by ten changes nothing", () => {
  fc.assert(
    fc.property(acceptedInput, (input) => {
      const objects = input.objects.map(({ bytes, share }) => ({ bytes, share: share / 10 }));
      fc.pre(objects.some(({ share }) => share > 0));
      const [before, after] = [planStash(input), planStash({ ...input, objects })];
      expect(after.load.meanBytesPerSecond / before.load.meanBytesPerSecond).toBeCloseTo(1, 9);
    }),
  );
});

test("the planned pool suffices when it is installed, and one server fewer does not", () => {
  fc.assert(
    fc.property(acceptedInput, (input) => {
      const { servers } = planStash(input);
      const sufficesWith = (count: number): boolean | undefined => {
        const installed = {
          servers: count,
          drivesPerServer: input.drivesPerServer,
          driveCapacityBytes: null,
          driveFsyncPerSecond: null,
        };
        return explainPlan({ ...input, installed }).installed?.suffices;
      };
      expect(sufficesWith(servers)).toBe(true);
      if (servers > 1) expect(sufficesWith(servers - 1)).toBe(false);
    }),
    { numRuns: 200 },
  );
});

test("no pool with fewer drives per server costs less than the answer, and the answer suffices", () => {
  fc.assert(
    fc.property(acceptedInput, (input) => {
      const { plan, planned, input: cheapest } = explainPlan(input);
      const { servers } = plan;
      const installed = {
        servers,
        drivesPerServer: cheapest.drivesPerServer,
        driveCapacityBytes: null,
        driveFsyncPerSecond: null,
      };
      expect(explainPlan({ ...input, installed }).installed?.suffices).toBe(true);
      for (let drivesPerServer = 1; drivesPerServer <= input.drivesPerServer; drivesPerServer += 1) {
        const other = planStash({ ...input, drivesPerServer });
        const priceUsd = other.servers * input.serverPriceUsd + other.drives * input.drive.priceUsd;
        expect(priceUsd).toBeGreaterThanOrEqual(planned.cost.totalUsd * (1 - 1e-12));
      }
    }),
    { numRuns: 100 },
  );
});

test("a draw without uncertain inputs gives the plan itself", () => {
  fc.assert(
    fc.property(acceptedInput, (input) => {
      const { drives, servers } = planStash(input);
      const answer = runMonteCarlo({ input, ranges: [], draws: 3, seed: 1 });
      expect(answer.drives).toEqual({ p5: drives, p50: drives, p95: drives, min: drives, max: drives });
      expect(answer.bars).toEqual([{ from: servers, to: servers, draws: 3, share: 1 }]);
    }),
    { numRuns: 50 },
  );
});
