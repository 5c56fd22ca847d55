/** A pod node: HDD drives, each with one shard of every object. */
import { type NodeContext, type RunningNode, startDriveNode } from "@stashlight/node-runtime";
import type { PodNode } from "@stashlight/node-runtime/config";
import { podAddress } from "@stashlight/write-path";
import { podMachine } from "./machine.ts";

export function startPodNode(node: PodNode, context: NodeContext): Promise<RunningNode> {
  return startDriveNode({
    ...context,
    node,
    policy: "extents",
    addressOf: ({ pod }) => podAddress(pod),
    machineOf: ({ pod }, config, bootId) => podMachine(config, pod, bootId),
  });
}
