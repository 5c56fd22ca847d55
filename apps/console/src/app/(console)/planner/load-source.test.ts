import type { LiveInputs } from "@stashlight/contracts/planner";
import { headroomMarks } from "@stashlight/contracts/thresholds";
import { expect, test } from "vitest";
import { describeLoadSource } from "./load-source.ts";

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
