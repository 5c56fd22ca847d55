import { expect, test } from "vitest";
import { findLateNodes, reportedUntilMs } from "./live-edge.ts";
import type { SelectedSeries } from "./select.ts";

const nowMs = 10_000_000;
const watermarks = { "1m": 0, "10m": 0, "1h": 0 };

/** One series per node, which last reported this many seconds ago. */
const nodes = (...agesSeconds: number[]): SelectedSeries[] =>
  agesSeconds.map((age, i) => {
    const [nodeId, name] = [`node ${i}`, `pod-${i}`];
    const state = { newestMs: nowMs - age * 1_000, windowMs: 10_000, isSimulated: false, fleetId: null };
    return { nodeId, seriesId: i, labels: {}, node: { nodeId, name, vault: "v", watermarks, ...state } };
  });
const many = (count: number, ageSeconds: number) => Array.from({ length: count }, () => ageSeconds);
const range = { fromMs: nowMs - 3_600_000, toMs: nowMs };

test.each([
  ["all reported", nodes(0, 0), 0, 0],
  ["one has its newest window on the way", nodes(0, 10), 10, 10],
  ["one is two minutes late", nodes(0, 0, 120), 0, 120],
  ["half are two minutes late", nodes(0, 0, 120, 130), 0, 130],
  ["one of a hundred is late", nodes(...many(99, 0), 120), 0, 0],
  ["one is gone", nodes(0, 0, 1_200), 0, 0],
  ["one is late and one is gone", nodes(0, 120, 1_200), 0, 120],
])(
  "answers end where the nodes that they wait for have reported: %s",
  (_, series, waitedSeconds, sumWaitedSeconds) => {
    expect(reportedUntilMs(series, 0)).toBe(nowMs - waitedSeconds * 1_000);
    expect(reportedUntilMs(series, 0, true)).toBe(nowMs - sumWaitedSeconds * 1_000);
  },
);

test("the node that is farthest behind determines the length of windows", () => {
  expect(reportedUntilMs(nodes(0, 10), 0.5)).toBe(nowMs - 5_000);
});

test("late nodes are reported with the time of the first, their number among all nodes, and some names", () => {
  expect(findLateNodes(nodes(0, 10, 120, 1_200, 130, 140), range)).toEqual({
    sinceMs: nowMs - 1_200_000,
    lateCount: 4,
    nodeCount: 6,
    names: ["pod-3", "pod-5", "pod-4"],
  });
});

test.each([
  ["none is late", nodes(0, 10, 50)],
  ["all stopped together", nodes(300, 300)],
  ["one of a hundred is late", nodes(...many(99, 0), 120)],
  ["one was gone before the range began", nodes(0, 7_200)],
])("nothing is reported when %s", (_, series) => {
  expect(findLateNodes(series, range)).toBeNull();
});

test("a node that stopped after the range is not late in it", () => {
  expect(findLateNodes(nodes(0, 300), { fromMs: nowMs - 3_600_000, toMs: nowMs - 600_000 })).toBeNull();
});
