/** A pod node: HDD drives, each with one shard of every object. */
import {
  type DriveMachine,
  monotonicNowMs,
  type NodeContext,
  type RunningNode,
  startDriveNode,
  startPod,
} from "@stashlight/node-runtime";
import type { PodNode } from "@stashlight/node-runtime/config";
import type { PageMemory } from "@stashlight/paged-memory";
import type { Position } from "@stashlight/shard-store";
import {
  createPod,
  createSavedPod,
  damageReport,
  missingShards,
  PackedEntries,
  podAddress,
  type SavedPod,
  savePod,
  type VaultConfig,
  visibleObjects,
} from "@stashlight/write-path";

export function startPodNode(node: PodNode, context: NodeContext): Promise<RunningNode> {
  return startDriveNode({
    ...context,
    node,
    policy: "extents",
    addressOf: ({ pod }) => podAddress(pod),
    machineOf: ({ pod }, config, bootId, memory, saved) => podMachine(config, pod, { bootId, memory, saved }),
  });
}

interface PodBoot {
  readonly bootId: number;
  readonly memory: PageMemory | null;
  /** State that the last boot left. */
  readonly saved: SavedPod | null;
}

/** One boot of a pod, for the shell that drives it. */
function podMachine(config: VaultConfig, podIndex: number, { bootId, memory, saved }: PodBoot): DriveMachine {
  const settled = new PackedEntries(memory ?? undefined, undefined, saved?.settled);
  const state =
    saved === null
      ? createPod<Position>(config, podIndex, settled)
      : createSavedPod(config, podIndex, settled, saved);
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
    save: () => savePod(state, settled),
    lifecycle: () => state.lifecycle,
    refusals: () => state.refusals,
  };
}
