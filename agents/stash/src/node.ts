/** A stash node: SSD drives on which shards land first. */
import { type NodeContext, type RunningNode, startDriveNode } from "@stashlight/node-runtime";
import type { StashNode } from "@stashlight/node-runtime/config";
import { stashAddress } from "@stashlight/write-path";
import { stashMachine } from "./machine.ts";

export function startStashNode(node: StashNode, context: NodeContext): Promise<RunningNode> {
  return startDriveNode({
    ...context,
    node,
    policy: "ring",
    addressOf: ({ device }) => stashAddress(device),
    machineOf: ({ device }, config) => stashMachine(config, device),
  });
}
