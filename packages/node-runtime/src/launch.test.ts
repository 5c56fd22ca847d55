import { expect, test } from "vitest";
import { agentLaunches } from "./launch.ts";

const nodeIds = { pod: ["pod-1", "pod-2", "pod-3"], stash: ["stash-1", "stash-2"], coordinator: ["c-1"] };
const launchesOn = (processorCount: number, isDrill = false) =>
  agentLaunches({ nodeIds, stashDeviceCount: 6, processorCount, isDrill }).map(({ name, nodeIds: ids }) => [
    name,
    ids,
  ]);

test.each([1, 2, 3])("on %i processors all nodes share a process", (processorCount) => {
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

test("on many processors roles have processes of their own without a drill too", () => {
  expect(launchesOn(64)).toEqual(launchesOn(64, true));
});

test.each([
  [undefined, "13"],
  [3, "13"],
  [0.2, "12"],
])("in one process a disk that syncs in %s ms has %s threads", (syncMs, threads) => {
  const disk = syncMs === undefined ? {} : { syncMs };
  const [launch] = agentLaunches({ nodeIds, stashDeviceCount: 6, processorCount: 2, ...disk });
  expect(launch?.env.UV_THREADPOOL_SIZE).toBe(threads);
});
