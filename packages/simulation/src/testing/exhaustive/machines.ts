/** The machines under search: the real ones, or the same with one rule broken to check that the search would notice. */
import {
  type CoordinatorEffect,
  type CoordinatorEvent,
  type CoordinatorState,
  type PodEffect,
  type PodEvent,
  type PodState,
  type StashEffect,
  type StashEvent,
  type StashState,
  stepCoordinator,
  stepPod,
  stepStash,
} from "@stashlight/write-path";

/** Location of a record on a medium. */
export type Position = number;

export interface Machines {
  coordinator(state: CoordinatorState, event: CoordinatorEvent, nowMs: number): CoordinatorEffect[];
  pod(state: PodState<Position>, event: PodEvent<Position>, nowMs: number): PodEffect<Position>[];
  stash(state: StashState<Position>, event: StashEvent<Position>, nowMs: number): StashEffect<Position>[];
}

export const realMachines: Machines = { coordinator: stepCoordinator, pod: stepPod, stash: stepStash };
