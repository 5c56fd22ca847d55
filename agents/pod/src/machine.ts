import { type DriveMachine, monotonicNowMs, startPod } from "@stashlight/node-runtime";
import type { Position } from "@stashlight/shard-store";
import {
  createPod,
  damageReport,
  missingShards,
  PackedEntries,
  type VaultConfig,
  visibleObjects,
} from "@stashlight/write-path";

/** One boot of a pod, for the shell that drives it. */
export function podMachine(config: VaultConfig, podIndex: number, bootId: number): DriveMachine {
  const state = createPod<Position>(config, podIndex, new PackedEntries());
  const { driveId } = state.identity;
  return {
    start: (boot) => startPod(state, { podIndex, driveId, bootId }, boot),
    shardsOf: (object) =>
      state.entries
        .versionsOf(object)
        .filter((entry) => entry.state !== "known")
        .map(({ upload, state }) => ({ upload, shardIndex: podIndex, isDurable: state === "durable" })),
    missingShards: () => missingShards(state),
    damage: () => damageReport(state, monotonicNowMs()),
    visibleObjects: () => visibleObjects(state),
    lifecycle: () => state.lifecycle,
    refusals: () => state.refusals,
  };
}
