import type { LiveInputs } from "@stashlight/contracts/planner";
import { headroomMarks } from "@stashlight/contracts/thresholds";
import { expect, test } from "vitest";
import { describeLoadSource, findPlanBasis } from "./load-source.ts";

const NO_UPLOAD = "No upload went through the stash in this period.";
const fleetLoad = (isKnown: boolean): LiveInputs =>
  ({
    uploadsPerSecond: isKnown
      ? { figure: { value: 1, measuredSeconds: 300 }, missing: null }
      : { figure: null, missing: NO_UPLOAD },
  }) as LiveInputs;

test.each<[string, readonly string[], number | null, boolean, string | null]>([
  ["of the example, beside a pool of the example", [], null, false, null],
  ["of the example, beside the fleet's pool", ["installed.servers"], null, false, NO_UPLOAD],
  ["that the user typed", ["installed.servers"], null, true, null],
  [
    "of five minutes",
    ["installed.servers", "uploadsPerSecond"],
    300,
    true,
    "5 min of load were measured; judging a pool needs 6 h. A longer measurement may change the answer.",
  ],
  [
    "of five minutes in a saved plan, of a fleet that has since become quiet",
    [],
    300,
    false,
    "5 min of load were measured; judging a pool needs 6 h. A longer measurement may change the answer.",
  ],
  ["of a day", ["installed.servers", "uploadsPerSecond"], headroomMarks.loadSecondsMin, true, null],
])("the caveat matches a load %s", (_, paths, measuredSeconds, isKnown, sentence) => {
  const words = describeLoadSource(new Set(paths), measuredSeconds, fleetLoad(isKnown));
  expect(words?.sentence ?? null).toBe(sentence);
});

test.each<[string, readonly string[], number | null, ReturnType<typeof findPlanBasis>]>([
  ["of the plan", ["growthPerYear"], null, { unjudged: null, growthFrom: "trend" }],
  [
    "of five minutes",
    ["uploadsPerSecond"],
    300,
    { unjudged: "5 min of load were measured; judging a pool needs 6 h", growthFrom: "plan" },
  ],
  ["of a day", ["uploadsPerSecond"], headroomMarks.loadSecondsMin, { unjudged: null, growthFrom: "plan" }],
])("a load %s is judged only if it was measured for long enough", (_, paths, measuredSeconds, basis) => {
  expect(findPlanBasis(new Set(paths), measuredSeconds)).toEqual(basis);
});

test("a saved plan judges its pool as it did when it was filled in", () => {
  for (const seconds of [null, 300, headroomMarks.loadSecondsMin]) {
    expect(findPlanBasis(new Set(), seconds)).toEqual(findPlanBasis(new Set(["uploadsPerSecond"]), seconds));
  }
});
