import type { DriveMachine } from "@stashlight/agent";
import type { Position } from "@stashlight/shard-store";
import { createPod, type PodEvent, stepPod, type VaultConfig, versionsOf } from "@stashlight/write-path";

/** One boot of a pod, for the shell that drives it. */
export function podMachine(config: VaultConfig, podIndex: number, bootId: number): DriveMachine {
  const state = createPod<Position>(config, podIndex);
  const { driveId } = state.identity;
  return {
    step: (event, nowMs) => stepPod(state, event as PodEvent<Position>, nowMs),
    recovered: (recovered) => ({ type: "recovered", identity: { podIndex, driveId, bootId }, ...recovered }),
    shardsOf: (object) =>
      versionsOf(state.objects, object)
        .filter((entry) => entry.state !== "known")
        .map(({ upload, state }) => ({ upload, shardIndex: podIndex, isDurable: state === "durable" })),
    lifecycle: () => state.lifecycle,
    refusals: () => state.refusals,
  };
}
