/** Creates the machines of a world; none of them runs yet. */
import { coordinatorAddress, podAddress, stashAddress } from "@stashlight/write-path";
import { PodMemory } from "../check/pod-memory.ts";
import { createMedium, type MediumWorld } from "./create-medium.ts";
import type { SimulatedCoordinator, SimulatedPod, SimulatedStash } from "./machines.ts";
import { type NodeWorld, SimulatedNode } from "./node.ts";
import { type JudgedWorld, judgeReserve } from "./pod-judge.ts";

export function createSimulatedPod(
  world: NodeWorld & MediumWorld & JudgedWorld,
  podIndex: number,
): SimulatedPod {
  const pod: SimulatedPod = {
    podIndex,
    node: new SimulatedNode(world, podAddress(podIndex)),
    medium: createMedium(world, "pod", {
      syncFailed: () => {
        pod.hasSyncFailed = true;
      },
      remembered: (position, outcome) => pod.memory.mediumRemembered(position, outcome),
    }),
    memory: new PodMemory(podIndex, (uploadId) => judgeReserve(world, podIndex, uploadId)),
    state: null,
    settled: null,
    hasSyncFailed: false,
  };
  return pod;
}

export function createSimulatedStash(world: NodeWorld & MediumWorld, deviceId: number): SimulatedStash {
  const stash: SimulatedStash = {
    deviceId,
    node: new SimulatedNode(world, stashAddress(deviceId)),
    medium: createMedium(world, "stash", {
      syncFailed: () => {
        stash.hasSyncFailed = true;
      },
      remembered: () => {},
    }),
    state: null,
    hasSyncFailed: false,
    isGone: false,
  };
  return stash;
}

export function createSimulatedCoordinator(world: NodeWorld, coordinatorId: number): SimulatedCoordinator {
  return { coordinatorId, node: new SimulatedNode(world, coordinatorAddress(coordinatorId)), state: null };
}
