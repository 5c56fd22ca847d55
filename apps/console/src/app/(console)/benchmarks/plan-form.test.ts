import {
  type BenchmarkMethodRow,
  type BenchmarkPlanRow,
  createBenchmarkPlanInput,
} from "@stashlight/contracts/benchmark";
import { expect, test } from "vitest";
import { emptyForm, matchingPreset, toPlan, toPlanForm, withPreset } from "./plan-form.ts";

const method: BenchmarkMethodRow = {
  name: "small-uploads",
  measures: "stores",
  version: 1,
  title: "Small uploads",
  description: "",
  parameters: [
    {
      name: "pauseMs",
      label: "Pause",
      hint: null,
      kind: "number",
      unit: "ms",
      min: 0,
      max: 60_000,
      isInteger: false,
      defaultValue: 10,
    },
  ],
  presets: [
    { name: "usual", title: "Usual", parameters: {} },
    { name: "slow", title: "Slow", parameters: { pauseMs: 500 } },
  ],
};
const endpoint = { id: crypto.randomUUID(), name: "B2", kind: "b2" };
const filled = { ...emptyForm([method], "Europe/Berlin"), name: "Plan", endpointIds: [endpoint.id] };

test("a new plan measures every 6 hours in the reader's time zone", () => {
  const { plan, problems } = toPlan(filled, method);
  expect(problems).toEqual({});
  expect(createBenchmarkPlanInput.parse(plan)).toMatchObject({
    cron: "0 */6 * * *",
    timeZone: "Europe/Berlin",
    missedPolicy: "skip",
    vantageNodeId: null,
    budgetPerMonth: null,
    costPerSlotMax: null,
    method: { name: "small-uploads", parameters: { pauseMs: 10 } },
  });
});

test("a plan survives a round trip through the form", () => {
  const money = { budget: "2.50", costPerSlotMax: "0.05" };
  const { plan } = toPlan({ ...filled, ...money, cron: "5 4 * * 1-5", jitterMinutes: "1.5" }, method);
  expect(plan).toMatchObject({ budgetPerMonth: 2.5, costPerSlotMax: 0.05 });
  const row = { ...plan, endpoints: [endpoint], vantage: { nodeId: null, name: "This worker" } };
  const form = toPlanForm(row as unknown as BenchmarkPlanRow, [method]);
  expect(form).toMatchObject({ isCron: true, jitterMinutes: "1.5", budget: "2.5", costPerSlotMax: "0.05" });
  expect(toPlan(form, method).plan).toEqual(plan);
});

test("a preset fills in the parameters, and is no longer named when one of them changes", () => {
  expect(matchingPreset(filled, method)).toBe("usual");
  const slow = withPreset(filled, method, "slow");
  expect(slow.typed).toEqual({ pauseMs: "500" });
  expect(matchingPreset(slow, method)).toBe("slow");
  expect(matchingPreset({ ...slow, typed: { pauseMs: "501" } }, method)).toBeNull();
});

test.each([
  [{ jitterMinutes: "61" }, "jitterMinutes"],
  [{ jitterMinutes: "" }, "jitterMinutes"],
  [{ budget: "much" }, "budget"],
  [{ costPerSlotMax: "-1" }, "costPerSlotMax"],
  [{ typed: { pauseMs: "-1" } }, "pauseMs"],
])("an invalid value is reported at its field: %o", (changes, field) => {
  expect(toPlan({ ...filled, ...changes }, method).problems).toHaveProperty(field);
});
