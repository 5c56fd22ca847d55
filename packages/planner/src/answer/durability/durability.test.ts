import { DurabilityError } from "@stashlight/durability";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  causeShareInWords,
  changeInWords,
  checkStashPlanInput,
  type Durability,
  defaultPlanInput,
  explainPlan,
  type StashPlanInput,
} from "../../index.ts";
import { acceptedInput } from "../../testing/arbitrary.ts";
import { annualLoss, toNines } from "./loss.ts";
import { answerDurability } from "./plan-durability.ts";

function judge(changes: Partial<StashPlanInput>): Durability {
  const { durability, unknown } = answerDurability({ ...defaultPlanInput, ...changes });
  if (durability === null) throw new DurabilityError(unknown);
  return durability;
}

/** Drives of the published comparison: 16 TB at 32 MB/s, rebuilt at once, independent of each other. */
const published = { rebuildStartSeconds: 0, commonCauseShare: 0, hddAnnualFailureRate: 0.0155 };

test.each([
  [17, 3, 8.95, 8.34],
  [16, 4, 12.06, 11.34],
  [15, 5, 15.27, 14.47],
])(
  "%i+%i of 16 TB drives at 32 MB/s has %d nines by the window model and %d by the chain",
  (k, m, window, chain) => {
    const judged = judge({ ...published, dataShards: k, parityShards: m });
    expect(judged.window.nines).toBeCloseTo(window, 1);
    expect(judged.chain.nines).toBeCloseTo(chain, 1);
  },
);

test("a rebuild at 7 MB/s costs 16+4 about 2.6 nines in the window model", () => {
  const fast = judge(published);
  const slow = judge({ ...published, rebuildBytesPerSecond: 7e6 });
  expect(fast.window.nines - slow.window.nines).toBeCloseTo(2.63, 1);
});

test("common causes dominate the loss that published nines leave out, and the sentences state it", () => {
  const { chain, all, causes, sentences, meetsTarget } = judge({});
  expect(chain.nines - all.nines).toBeGreaterThan(2.5);
  expect(causes.find(({ cause }) => cause === "Common causes")?.share).toBeGreaterThan(0.99);
  expect(meetsTarget).toBe(false);
  expect(sentences[0]).toBe(
    "An object stored with 16+4 has 8.6 (6.8 to 11.4) nines a year, which misses the target of 11 by 2.4. The interval of the failure rate includes the target.",
  );
  expect(sentences[2]).toContain("5 % of failures take 2 drives of a group at once");
});

test("the failures behind a rate give it an interval, which is wider for fewer failures", () => {
  const few = judge({ hddFailuresCounted: 5 }).all;
  const many = judge({ hddFailuresCounted: 1500 }).all;
  const width = ({ interval }: typeof few) => interval.high - interval.low;
  expect(width(few)).toBeGreaterThan(width(many));
  expect(few.interval.low).toBeLessThan(few.nines);
  expect(few.interval.high).toBeGreaterThan(few.nines);
  expect(judge({}).all).toEqual(judge({ hddFailuresCounted: 2 }).all);
  expect(judge({}).sentences[1]).toContain("as wide as for 2 counted failures");
});

test("a plan with the printed figures of its targets reaches the target", () => {
  const input = { ...defaultPlanInput, ...published };
  const { targets } = judge(published);
  for (const change of [
    { rebuildBytesPerSecond: targets.rebuildBytesPerSecond ?? Number.NaN },
    { hddBytes: targets.hddBytes ?? Number.NaN },
  ]) {
    const reached = toNines(annualLoss({ ...input, ...change }));
    expect(reached).toBeGreaterThanOrEqual(input.ninesTarget);
    expect(reached).toBeCloseTo(input.ninesTarget, 1);
  }
  expect(judge({ ninesTarget: 30 }).targets).toEqual({ rebuildBytesPerSecond: null, hddBytes: null });
});

test.each<[string, Partial<StashPlanInput>, RegExp]>([
  ["drives that never fail", { hddAnnualFailureRate: 0 }, /never fail/],
  ["a rebuild of centuries", { hddBytes: 1e15, rebuildBytesPerSecond: 1000 }, /more than a century/],
  [
    "an instant rebuild",
    { hddBytes: 1e9, hddFill: 0.01, rebuildBytesPerSecond: 1e11, rebuildStartSeconds: 0 },
    /less than a second/,
  ],
])("a plan with %s has an unknown durability, and the sentence explains why", (_, changes, sentence) => {
  const { durability, unknown } = answerDurability({ ...defaultPlanInput, ...changes });
  expect(durability).toBeNull();
  expect(unknown).toMatch(sentence);
});

test("the rebuild time that reaches a target is within the range of the models", () => {
  const { targets } = judge({ hddAnnualFailureRate: 1e-6 });
  const slowest = judge({
    hddAnnualFailureRate: 1e-6,
    rebuildBytesPerSecond: targets.rebuildBytesPerSecond ?? 0,
  });
  expect(slowest.meetsTarget).toBe(true);
});

test("a loss too small to represent has no shares, and its sentences contain no invalid figure", () => {
  const tiny = { dataShards: 200, parityShards: 55, hddAnnualFailureRate: 1e-9 };
  const judged = judge({ ...tiny, commonCauseShare: 0, powerCutsPerYear: 0 });
  expect(judged.sentences[0]).toContain("more than 300 nines");
  expect(judged.causes.map(causeShareInWords)).toEqual(Array(4).fill("unknown"));
  expect(judged.sentences.join(" ")).not.toMatch(/NaN|Infinity/);
  expect(judged.sentences[4]).toContain("less than 1 in 1,000,000,000,000,000 with 1 missing");
});

test("a common cause fails at most the drives of the group", () => {
  const [all, more] = [judge({ commonCauseDrives: 20 }), judge({ commonCauseDrives: 255 })];
  expect(more.all).toEqual(all.all);
  expect(more.sentences[2]).toContain("take 20 drives of a group at once");
});

test("the verdict mentions an interval that includes the target", () => {
  const open = "The interval of the failure rate includes the target.";
  expect(judge({ hddFailuresCounted: 5, ninesTarget: 8 }).sentences[0]).toContain(open);
  expect(judge({ hddFailuresCounted: 5, ninesTarget: 10 }).sentences[0]).toContain(open);
  expect(judge({ hddFailuresCounted: 5, ninesTarget: 11 }).sentences[0]).not.toContain(open);
});

test.each<[Partial<StashPlanInput>, string]>([
  [{ commonCauseDrives: 20 }, "fewer common causes"],
  [{ commonCauseShare: 0, ssdLostInCut: 0.5 }, "fewer stash drives lost in power cuts"],
  [{ commonCauseShare: 0, hddAnnualFailureRate: 0.99 }, "drives that fail more rarely"],
])("an unreachable target names the remedy of the largest cause: %j", (changes, remedy) => {
  expect(judge(changes).sentences[3]).toBe(
    `No rebuild rate and no size of HDD reaches 11 nines with these causes. Choose another scheme, or plan for ${remedy}.`,
  );
});

test.each([
  [0.136, "+0.14"],
  [-0.0001, "0.00"],
  [0, "0.00"],
  [-0.02, "-0.02"],
])("a change of %d nines is formatted as %s", (change, figure) => {
  expect(changeInWords(change)).toBe(figure);
});

test("a plan saved before durability existed is judged with the defaults", () => {
  const saved = Object.fromEntries(
    Object.entries(defaultPlanInput).filter(
      ([name]) => !/hdd(Bytes|Fill)|rebuild|nines|scrub|Cut|common|sector/.test(name),
    ),
  );
  expect(checkStashPlanInput(saved).input).toEqual(defaultPlanInput);
});

test("figures are finite, causes add up, and sentences agree with the figures for any input", () => {
  fc.assert(
    fc.property(acceptedInput, (input) => {
      const { durability, unknown } = explainPlan(input).durability;
      if (durability === null) {
        expect(unknown).toMatch(/^Durability is unknown: .+\. Enter .+\.$/);
        return;
      }
      const { all, causes, meetsTarget, sentences, lossWhileMissing } = durability;
      expect(JSON.stringify(durability)).not.toMatch(/null,"nines"|NaN|Infinity/);
      expect(meetsTarget).toBe(all.nines >= input.ninesTarget);
      expect(sentences[0]?.includes("reaches the target")).toBe(meetsTarget);
      expect(sentences.join(" ")).not.toMatch(/NaN|Infinity|undefined|null/);
      const sum = causes.reduce((total, { annualLoss: loss }) => total + loss, 0);
      expect(Math.abs(sum - all.annualLoss)).toBeLessThanOrEqual(all.annualLoss * 1e-6);
      for (const loss of lossWhileMissing) expect(loss >= 0 && loss <= 1).toBe(true);
    }),
    { seed: 11, numRuns: 200 },
  );
});
