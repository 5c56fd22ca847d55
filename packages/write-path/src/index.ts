export { commonPrefix, type Grouping } from "./common-prefix.ts";
export { isSilent } from "./coordinator/asked-nodes.ts";
export {
  bodyBytesIn,
  freeBytesOf,
  refusalFor,
  type SpaceRefusal,
  shardBytesIn,
  takenBytesOf,
} from "./coordinator/free-space.ts";
export type { CoordinatorOptions, CoordinatorState, LostObject } from "./coordinator/state.ts";
export { createCoordinator, SMALL_UPLOAD_BYTES_MAX } from "./coordinator/state.ts";
export { stepCoordinator } from "./coordinator/step.ts";
export type * from "./effects.ts";
export { CORRELATED_COUNT_MIN, FAULT_PASSES_WITHIN_MS } from "./fault-patience.ts";
export { compareKeys } from "./key-order.ts";
export type * from "./messages/index.ts";
export { coordinatorAddress, podAddress, stashAddress } from "./messages/index.ts";
export type { PlacementLimits, StashDevice, StashPlacement, VaultConfig } from "./placement.ts";
export { placementLimits, REBUILD_BYTES_PER_SECOND, takesNewShards } from "./placement.ts";
export { type DamageReport, damageReport } from "./pod/damage.ts";
export { crcOf } from "./pod/entry.ts";
export { EntryIndex } from "./pod/entry-index.ts";
export { type MissingShards, missingShards } from "./pod/rebuild.ts";
export { createSavedPod, type SavedPod, savePod } from "./pod/saved-pod.ts";
export { PackedEntries } from "./pod/settled/packed-entries.ts";
export type { PodState } from "./pod/state.ts";
export { createPod } from "./pod/state.ts";
export { stepPod } from "./pod/step.ts";
export { visibleObjects } from "./pod/visible.ts";
export type { Quorums, Scheme } from "./quorums.ts";
export { quorumsOf, schemes, serverCountMin } from "./quorums.ts";
export * from "./shard.ts";
export type { StashState } from "./stash/state.ts";
export { createStash } from "./stash/state.ts";
export { stepStash } from "./stash/step.ts";
export { createUploadId } from "./upload-id.ts";
export type { VersionOrder } from "./version-order.ts";
export { formatOrder, LOWEST_ORDER, parseOrder } from "./version-order.ts";
