import { readFileSync } from "node:fs";
import { join } from "node:path";
import { planFields } from "@stashlight/planner";
import { expect, test } from "vitest";
import { repositoryRoot } from "../run/environment.ts";
import { withPlanInputs } from "./plan-inputs.ts";

const document = readFileSync(join(repositoryRoot, "docs/planning.md"), "utf8");

test("docs/planning.md has the current inputs; pnpm docs:inputs updates them", () => {
  expect(document).toBe(withPlanInputs(document));
});

test("every input has a row, and that of peakFactor has its default and bounds", () => {
  const rows = document.split("\n").filter((line) => /^\| `\w+(\.\w+)?` +\|/.test(line));
  expect(rows).toHaveLength(planFields.length);
  expect(rows).toContainEqual(
    expect.stringMatching(/^\| `peakFactor` +\| 3 +\| 1 +\| 1000 +\| Ratio of the busiest/),
  );
});

test("a document without a place for the inputs is refused", () => {
  expect(() => withPlanInputs("# Planning")).toThrow("no place for the inputs");
});
