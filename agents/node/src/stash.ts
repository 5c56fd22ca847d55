/** A stash node: SSD drives on which shards land first. */
import {
  type DriveMachine,
  type NodeContext,
  type RunningNode,
  startDriveNode,
  startStash,
} from "@stashlight/node-runtime";
import type { StashNode } from "@stashlight/node-runtime/config";
import type { Position } from "@stashlight/shard-store";
import { createStash, objectNameOf, stashAddress, type VaultConfig } from "@stashlight/write-path";

export function startStashNode(node: StashNode, context: NodeContext): Promise<RunningNode> {
  return startDriveNode({
    ...context,
    node,
    policy: "ring",
    addressOf: ({ device }) => stashAddress(device),
    machineOf: ({ device }, config) => stashMachine(config, device),
  });
}

/** One boot of a stash device, for the shell that drives it. */
function stashMachine(config: VaultConfig, deviceId: number): DriveMachine {
  const state = createStash<Position>({ deviceId, config });
  return {
    start: (boot) => startStash(state, boot),
    shardsOf: (object) =>
      [...(state.byObject.get(objectNameOf(object)) ?? [])].map(({ upload, shardIndex, state }) => {
        return { upload, shardIndex, isDurable: state === "durable" };
      }),
    lifecycle: () => state.lifecycle,
    refusals: () => state.refusals,
    unpurgedByPod: () => new Map([...state.byPod].map(([podIndex, entries]) => [podIndex, entries.size])),
  };
}
