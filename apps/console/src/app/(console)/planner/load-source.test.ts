import type { LiveInputs } from "@stashlight/contracts/planner";
import { headroomMarks } from "@stashlight/contracts/thresholds";
import { expect, test } from "vitest";
import { describeLoadSource, findPlanBasis, ownBasis } from "./load-source.ts";

const measuredFor = (measuredSeconds: number | null): LiveInputs =>
  ({
    uploadsPerSecond:
      measuredSeconds === null
        ? { figure: null, missing: "No upload went through the stash in this period." }
        : { figure: { value: 1, measuredSeconds }, missing: null },
  }) as LiveInputs;

test.each<[string, readonly string[], number | null, string | null]>([
  ["of the example, beside a pool of the example", [], null, null],
  [
    "of the example, beside the fleet's pool",
    ["installed.servers"],
    null,
    "No upload went through the stash in this period.",
  ],
  ["that the user typed", ["installed.servers"], 300, null],
  [
    "of five minutes",
    ["installed.servers", "uploadsPerSecond"],
    300,
    "5 min of load were measured; a pool is judged by 6 h. The answer may change until then.",
  ],
  ["of a day", ["installed.servers", "uploadsPerSecond"], headroomMarks.loadSecondsMin, null],
])("the caveat matches a load %s", (_, paths, measuredSeconds, sentence) => {
  expect(describeLoadSource(new Set(paths), measuredFor(measuredSeconds))?.sentence ?? null).toBe(sentence);
});

test.each<[string, readonly string[], number | null, ReturnType<typeof findPlanBasis>]>([
  ["of the plan", ["growthPerYear"], 300, { unjudged: null, growthFrom: "trend" }],
  [
    "of five minutes",
    ["uploadsPerSecond"],
    300,
    { unjudged: "5 min of load were measured; a pool is judged by 6 h", growthFrom: "plan" },
  ],
  ["that nothing reported", ["uploadsPerSecond"], null, ownBasis],
  ["of a day", ["uploadsPerSecond"], headroomMarks.loadSecondsMin, ownBasis],
])("a load %s is judged only if it was measured for long enough", (_, paths, measuredSeconds, basis) => {
  expect(findPlanBasis(new Set(paths), measuredFor(measuredSeconds))).toEqual(basis);
});
