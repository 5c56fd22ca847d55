import type { DriveMachine } from "@stashlight/agent";
import type { Position } from "@stashlight/shard-store";
import {
  createStash,
  objectNameOf,
  type StashEvent,
  stepStash,
  type VaultConfig,
} from "@stashlight/write-path";

/** One boot of a stash device, for the shell that drives it. */
export function stashMachine(config: VaultConfig, deviceId: number): DriveMachine {
  const state = createStash<Position>({ deviceId, config });
  return {
    step: (event, nowMs) => stepStash(state, event as StashEvent<Position>, nowMs),
    recovered: ({ shards }) => ({ type: "recovered", shards }),
    shardsOf: (object) =>
      [...(state.byObject.get(objectNameOf(object)) ?? [])].map(({ upload, shardIndex, state }) => {
        return { upload, shardIndex, isDurable: state === "durable" };
      }),
    lifecycle: () => state.lifecycle,
    refusals: () => state.refusals,
    unpurgedByPod: () => new Map([...state.byPod].map(([podIndex, entries]) => [podIndex, entries.size])),
  };
}
