import { defaultPlanInput, explainPlan, type StashPlanInput } from "@stashlight/planner";
import { expect, test } from "vitest";
import { outgrownInWords, presentSentence, presentStash, presentTitle } from "./present-stash.ts";

function told(capacityBytes: number | null, more: Partial<StashPlanInput> = {}) {
  const input = { ...defaultPlanInput, installed: { servers: 7, drivesPerServer: 10 }, ...more };
  const { headroom } = explainPlan(input);
  if (headroom === null) throw new Error("a pool is installed");
  const stash = presentStash(input, headroom, capacityBytes);
  return {
    stash,
    title: presentTitle(stash),
    sentence: presentSentence(stash, input, headroom),
    outgrown: outgrownInWords(stash),
  };
}

test("smaller drives than the plan's are told, what the pool does with them, and that it is outgrown today", () => {
  // 60 drives carry 18.3 times the 3.27 that capacity needs of the plan's 3.2 TB; of 32 GB each, a hundredth.
  expect(told(32e9)).toMatchObject({
    stash: { suffices: false, sufficesToday: false, constraint: "capacity", outgrownAfterYears: 0 },
    title: "The installed pool does not suffice",
    outgrown: "today",
    sentence:
      "70 installed drives of 32 GB carry 0.183 times today's load; capacity is met first. The plan uses drives of 3.2 TB; as many of those would carry 9.39 times, and the rest of the answer is about them.",
  });
});

test("too few servers for placement are outgrown today, however many times the load fits", () => {
  expect(told(null, { installed: { servers: 5, drivesPerServer: 10 } })).toMatchObject({
    stash: { placementHolds: false, sufficesToday: false },
    outgrown: "today",
  });
});

test("drives of the plan's size are told by the planner's sentence, also where none told its size", () => {
  for (const capacity of [3.1e12, null]) {
    expect(told(capacity)).toMatchObject({
      stash: { suffices: true, otherCapacityBytes: null },
      title: "The installed pool suffices",
      sentence: expect.stringMatching(/^70 installed drives carry 9\.\d+ times today's load/),
      outgrown: null,
    });
  }
});

test("a pool that suffices today and not at the horizon says both, and the month", () => {
  const grown = told(1.6e12, { growthPerYear: 2, horizonYears: 5 });
  // Endurance is as before 9.39 times, capacity of half as large drives 9.16: log(9.16) / log(3) years.
  expect(grown).toMatchObject({
    stash: { suffices: false, sufficesToday: true },
    title: "The installed pool does not suffice at the horizon",
    outgrown: "month 25",
  });
});
