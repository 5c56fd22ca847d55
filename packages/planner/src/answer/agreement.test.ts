/** Checks that no two sentences of one answer disagree: in a case that once did, and as a property over all inputs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkStashPlanInput,
  defaultPlanInput,
  explainPlan,
  type PoolVerdict,
  planVariables,
  rangeAround,
  runMonteCarlo,
  type StashPlanInput,
} from "../index.ts";
import { acceptedInput } from "../testing/arbitrary.ts";

function accepted(changes: Readonly<Record<string, unknown>>): StashPlanInput {
  const { input, problems } = checkStashPlanInput({ ...defaultPlanInput, ...changes });
  if (input === null) throw new Error(JSON.stringify(problems));
  return input;
}

/** Quiet vault whose 21 installed drives hold 128 MB each, as in a trial. */
const filledFromFleet = accepted({
  uploadsPerSecond: 1.4,
  installed: { servers: 7, drivesPerServer: 3, driveCapacityBytes: 128e6, driveFsyncPerSecond: null },
});

test("a plan filled in from a fleet of small drives gives consistent answers about each pool", () => {
  const { input, planned, installed, sentence } = explainPlan(filledFromFleet);
  expect(sentence).toMatch(/^21 drives in 7 servers; placement decides/);
  expect(planned).toMatchObject({ suffices: true, outgrownAtMonth: null, pool: { drives: 21 } });
  expect(installed).toMatchObject({
    suffices: false,
    sufficesToday: false,
    outgrownAtMonth: 0,
    outageSecondsMax: null,
    title: "The installed pool does not suffice",
    sentence:
      "21 drives of 128 MB in 7 servers carry 0.161 times today's load with one server dead; endurance is met first; 94 drives are missing.",
  });
  const ranges = planVariables.map((variable) => rangeAround(input, variable, 0.2));
  const drawn = runMonteCarlo({ input, ranges, draws: 500, seed: 7 });
  // Draws keep the headline's 3 drives per server, and judge the installed drives of 128 MB.
  expect(drawn.drives).toEqual({ p5: 21, p50: 21, p95: 21, min: 21, max: 21 });
  expect(drawn).toMatchObject({ plannedSufficesShare: 1, installedSufficesShare: 0 });
});

test("the drives for the fleet's load at 128 MB each match a calculation without the planner's code", () => {
  const bytesPerUpload = 20 * Math.ceil((256_000 / 16 + 96) / 64) * 64;
  const meanBytesPerSecond = 1.4 * bytesPerUpload;
  const capacity = (3 * meanBytesPerSecond * 3600) / (128e6 * 0.95 * 0.7);
  const endurance = (meanBytesPerSecond * 1.1 * 86_400) / (128e6 * 3);
  expect(bytesPerUpload).toBe(322_560);
  expect([capacity.toFixed(2), endurance.toFixed(2)]).toEqual(["57.30", "111.77"]);
  const { installed } = explainPlan(filledFromFleet);
  expect(installed?.times).toBeCloseTo(18 / endurance, 9);
  expect(installed?.timesByConstraint.capacity).toBeCloseTo(18 / capacity, 9);
  expect(installed?.missingDrivesAtHorizon).toBe(112 - 18);
});

test("a saved plan without the size of its installed drives is judged with the plan's drive", () => {
  const saved = accepted({ installed: { servers: 7, drivesPerServer: 3 } });
  expect(saved.installed).toEqual({
    servers: 7,
    drivesPerServer: 3,
    driveCapacityBytes: null,
    driveFsyncPerSecond: null,
  });
  const { planned, installed } = explainPlan(saved);
  expect(installed?.times).toBe(planned.times);
});

/** Collects the claims in the sentences and figures of a verdict, and expects them to be the same. */
function expectOneClaim(input: StashPlanInput, verdict: PoolVerdict): void {
  const { suffices, sufficesToday, outgrownAtMonth: month, times, timesAtHorizon } = verdict;
  const horizonMonths = input.growthPerYear < 0 ? 0 : input.horizonYears * 12;
  expect(suffices).toBe(verdict.placementHolds && timesAtHorizon >= 1);
  expect(sufficesToday).toBe(verdict.placementHolds && times >= 1);
  expect(suffices && !sufficesToday).toBe(false);
  expect(verdict.missingDrivesAtHorizon === 0).toBe(timesAtHorizon >= 1);
  expect(month === 0).toBe(!sufficesToday);
  if (suffices) expect(month ?? Infinity).toBeGreaterThan(horizonMonths);
  else expect(month ?? Infinity).toBeLessThanOrEqual(Math.ceil(horizonMonths));
  expect(verdict.outageSecondsMax === null).toBe(!suffices);
  if (suffices) expect(verdict.outageSecondsMax ?? 0).toBeGreaterThanOrEqual(input.outageSeconds);
  expect(verdict.title.endsWith(" suffices")).toBe(suffices);
  expect(/missing|too few/.test(verdict.sentence)).toBe(!suffices);
  expect(/does not suffice/.test(verdict.notSurvived.sentences[0] ?? "")).toBe(!suffices);
  expect(verdict.sentence).not.toMatch(/0\.000/);
}

test("headline, verdict, month outgrown, longest outage and share of draws agree for every input", () => {
  fc.assert(
    fc.property(acceptedInput, (given) => {
      const { input, plan, planned, installed, sentence } = explainPlan(given);
      expect(sentence).toMatch(
        new RegExp(`^${plan.drives === 1 ? "one" : plan.drives.toLocaleString("en")} drives? in `),
      );
      expect(planned.pool).toMatchObject({ servers: plan.servers, drives: plan.drives });
      expect(planned.suffices).toBe(true);
      expectOneClaim(input, planned);
      if (installed !== null) expectOneClaim(input, installed);
      const certain = runMonteCarlo({ input, ranges: [], draws: 2, seed: 1 });
      expect(certain.drives.p50).toBe(plan.drives);
      expect(certain.plannedSufficesShare).toBe(1);
      expect(certain.installedSufficesShare).toBe(installed === null ? null : Number(installed.suffices));
    }),
    { numRuns: 300 },
  );
});

test("the planned pool suffices in exactly those draws that need no more servers than it has", () => {
  fc.assert(
    fc.property(acceptedInput, fc.double({ min: 0.05, max: 0.9, noNaN: true }), (given, share) => {
      const { input, plan } = explainPlan(given);
      const ranges = planVariables.map((variable) => rangeAround(input, variable, share));
      const { bars, draws, plannedSufficesShare } = runMonteCarlo({ input, ranges, draws: 40, seed: 2 });
      fc.pre(bars.every(({ from, to }) => from === to));
      const within = bars.filter(({ from }) => from <= plan.servers);
      const count = within.reduce((sum, bar) => sum + bar.draws, 0);
      expect(plannedSufficesShare).toBe(count / draws);
    }),
    { numRuns: 100 },
  );
});

test("no sentence of an answer has an exponent or a figure of zero, however small the load is", () => {
  const tiny = fc.record({
    uploadsPerSecond: fc.constantFrom(1e-6, 0.001, 0.05, 1.4),
    installed: fc.constantFrom(null, filledFromFleet.installed, { servers: 7, drivesPerServer: 3 }),
    outageSeconds: fc.constantFrom(1, 60, 3_600),
  });
  fc.assert(
    fc.property(tiny, (changes) => {
      const { sentence, planned, installed } = explainPlan(accepted(changes));
      const pools = installed === null ? [planned] : [installed, planned];
      const said = pools.flatMap((pool) => [pool.title, pool.sentence, ...pool.notSurvived.sentences]);
      for (const each of [sentence, ...said]) expect(each).not.toMatch(/\de[-+]?\d|NaN|Infinity|undefined/);
    }),
  );
});
