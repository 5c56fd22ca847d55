import { DAY_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { judgeOutgrown } from "./read-outgrown.ts";
import type { Sources } from "./sources.ts";

const readAt = new Date("2026-11-24T12:00:00Z");
const whole: Sources = {
  profile: "plain",
  nodes: {
    lifetimes: Array.from({ length: 50 }, (_, i) => ({
      firstMs: readAt.getTime() - 8 * i * DAY_MS,
      endMs: null,
    })),
    simulatedCount: 0,
  },
  rate: { rowsPerSecond: 45, nodeCount: 50 },
  sizes: { raw: 1e9, "1m": 1e9, "10m": 1e9, "1h": 1e9, rest: 1e9 },
  lagsSeconds: [20, 60, 90],
  disk: { freeBytes: 9e11, capacityBytes: 1e12 },
};
const judged = (more: Partial<Sources>) => judgeOutgrown({ ...whole, ...more }, readAt);

test.each([
  ["nodes", ["Nodes", "Growth"], "No forecast: the inventory of nodes could not be read."],
  ["profile", [], "No forecast: the storage profile could not be read."],
  ["rate", ["Rows, at most"], "The rows per second could not be read"],
  ["sizes", ["Measurements"], "The tables' sizes could not be read"],
  ["lagsSeconds", ["Roll-up lag"], "How far the roll-up is behind could not be read."],
  ["disk", ["Free on its disk"], "The disk could not be read"],
] as const)("a source that fails leaves its own figures empty and is named: %s", (source, empty, words) => {
  const { figures, sentence } = judged({ [source]: null });
  const unread = figures.filter(({ value, missing }) => value === null && missing === "could not be read");
  expect(unread.map(({ name }) => name)).toEqual(empty);
  expect(sentence).toContain(words);
  expect(judged({}).sentence).not.toContain("could not be read");
});

test("a roll-up that is hours behind warns, even if the forecast is good", () => {
  expect(judged({ lagsSeconds: [100, 9_000, 9_000] })).toMatchObject({
    state: "warning",
    sentence: expect.stringContaining("The roll-up is 2 h behind"),
  });
});

test("a store spread over machines is not judged by the limits of one", () => {
  const { figures, state } = judged({ profile: "citus" });
  expect(state).toBe("good");
  expect(figures.flatMap(({ name, limit }) => (limit === null ? [] : [name]))).toEqual(["Roll-up lag"]);
});
