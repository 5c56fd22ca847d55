import { expect, test } from "vitest";
import { agentLaunches } from "./launch.ts";

const nodeIds = { pod: ["pod-1", "pod-2", "pod-3"], stash: ["stash-1", "stash-2"], coordinator: ["c-1"] };
const launchesOn = (processorCount: number, isDrill = false) =>
  agentLaunches({ nodeIds, stashDeviceCount: 6, processorCount, isDrill }).map(({ name, nodeIds: ids }) => [
    name,
    ids,
  ]);

test.each([1, 2, 3])("all nodes share a process on %i processors", (processorCount) => {
  expect(launchesOn(processorCount)).toEqual([
    ["nodes", [...nodeIds.pod, ...nodeIds.stash, ...nodeIds.coordinator]],
  ]);
});

test.each([
  [1, [["pods", ["pod-1", "pod-2", "pod-3"]]]],
  [2, [["pods-1", ["pod-1"]] as const, ["pods-2", ["pod-2", "pod-3"]] as const]],
  [64, nodeIds.pod.map((id, at) => [`pods-${at + 1}`, [id]])],
])(
  "in drills on %i processors pods have as many processes, but no more than nodes",
  (processorCount, pods) => {
    expect(launchesOn(processorCount, true)).toEqual([
      ...pods,
      ["stash", nodeIds.stash],
      ["coordinator", nodeIds.coordinator],
    ]);
  },
);

test("roles have separate processes on many processors even without a drill", () => {
  expect(launchesOn(64)).toEqual(launchesOn(64, true));
});

test.each([
  [undefined, "13"],
  [3, "13"],
  [0.2, "12"],
])("a process whose disk syncs in %s ms gets %s threads", (syncMs, threads) => {
  const disk = syncMs === undefined ? {} : { syncMs };
  const [launch] = agentLaunches({ nodeIds, stashDeviceCount: 6, processorCount: 2, ...disk });
  expect(launch?.env.UV_THREADPOOL_SIZE).toBe(threads);
});
