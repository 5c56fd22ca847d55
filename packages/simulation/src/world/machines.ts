/** The machines of a world: each machine's role, its storage, and its state while it is up. */
import type {
  CoordinatorEffect,
  CoordinatorEvent,
  CoordinatorState,
  PackedEntries,
  PodEffect,
  PodEvent,
  PodState,
  StashEffect,
  StashEvent,
  StashState,
} from "@stashlight/write-path";
import type { PodMemory } from "../check/pod-memory.ts";
import type { Medium, Position } from "../medium/medium.ts";
import type { SimulatedNode } from "./node.ts";

export interface SimulatedPod {
  readonly podIndex: number;
  readonly node: SimulatedNode<PodEvent<Position>, PodEffect<Position>>;
  readonly medium: Medium;
  readonly memory: PodMemory;
  state: PodState<Position> | null;
  /** The settled entries of the state, once its log has been read. */
  settled: PackedEntries | null;
  /** True if a sync failed in this boot, so that the machine may make no further promises. */
  hasSyncFailed: boolean;
}

export interface SimulatedStash {
  readonly deviceId: number;
  readonly node: SimulatedNode<StashEvent<Position>, StashEffect<Position>>;
  readonly medium: Medium;
  state: StashState<Position> | null;
  hasSyncFailed: boolean;
  /** True if the machine has left the vault, and is not started again. */
  isGone: boolean;
}

export interface SimulatedCoordinator {
  readonly coordinatorId: number;
  readonly node: SimulatedNode<CoordinatorEvent, CoordinatorEffect>;
  state: CoordinatorState | null;
}

export type SimulatedMachine = SimulatedPod | SimulatedStash | SimulatedCoordinator;
