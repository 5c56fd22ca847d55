import { type DriveMachine, startStash } from "@stashlight/node-runtime";
import type { Position } from "@stashlight/shard-store";
import { createStash, objectNameOf, type VaultConfig } from "@stashlight/write-path";

/** One boot of a stash device, for the shell that drives it. */
export function stashMachine(config: VaultConfig, deviceId: number): DriveMachine {
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
