import { HOUR_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { historyDepths } from "./depths.ts";
import { NODE_COUNT_MAX, planFleet } from "./plan.ts";

test("every 28 nodes are a whole vault: a coordinator, seven stash nodes and twenty pods", () => {
  const fleet = planFleet(56);
  const ofSecond = fleet.filter(({ vault }) => vault === "simulated-2");
  const countRole = (role: string) => ofSecond.filter((node) => node.role === role).length;
  expect([countRole("coordinator"), countRole("stash"), countRole("pod")]).toEqual([1, 7, 20]);
  expect(new Set(fleet.map(({ name }) => name)).size).toBe(56);
});

test("a larger fleet begins with the nodes of a smaller one", () => {
  expect(planFleet(100).slice(0, 30)).toEqual(planFleet(30));
});

test.each([0, 1.5, NODE_COUNT_MAX + 1, Number.NaN])(
  "a fleet of %d nodes is refused, and the error states the allowed range",
  (count) => {
    expect(() => planFleet(count)).toThrow(/from 1 to 5000 nodes/);
  },
);

test.each([
  ["a small fleet has all raw windows within retention", 20, 3, { raw: 47, "1m": 72, "10m": 72, "1h": 72 }],
  [
    "a large fleet has the two finest resolutions only for as long as live charts need them",
    6400,
    30,
    { raw: 2.25, "1m": 26, "10m": 720, "1h": 720 },
  ],
  [
    "no resolution reaches further back than requested",
    6400,
    1,
    { raw: 2.25, "1m": 24, "10m": 24, "1h": 24 },
  ],
] as const)("the depth of a fleet's history follows its size: %s", (_, series, days, hours) => {
  const depths = historyDepths(series, days);
  for (const [resolution, expected] of Object.entries(hours)) {
    expect(depths[resolution as keyof typeof depths] / HOUR_MS, resolution).toBe(expected);
  }
});
