/** The shells of the three machines: each machine's step, and the environment that carries out its effects. */
import { PageError } from "@stashlight/paged-memory";
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
import { rebuildShards } from "../codec.ts";
import {
  type CoordinatorClients,
  carryOutOfCoordinator,
  carryOutOfPod,
  carryOutOfStash,
  type HaltBoot,
  type PodLog,
  type StashLog,
} from "./carry-out.ts";
import { MachineShell, type ShellOptions } from "./machine-shell.ts";

type Around<Event, Effect> = Pick<ShellOptions<Event, Effect>, "surroundings" | "watch">;

export type PodShell<Place> = MachineShell<PodEvent<Place>, PodEffect<Place>>;
export type StashShell<Place> = MachineShell<StashEvent<Place>, StashEffect<Place>>;
export type CoordinatorShell = MachineShell<CoordinatorEvent, CoordinatorEffect>;

export interface PodShellOptions<Place> extends Around<PodEvent<Place>, PodEffect<Place>> {
  readonly state: PodState<Place>;
  readonly log: PodLog<Place>;
  readonly halt: HaltBoot;
}

export function createPodShell<Place>(options: PodShellOptions<Place>): PodShell<Place> {
  const { state, log, halt, ...around } = options;
  return new MachineShell({
    ...around,
    step: (event, nowMs) => {
      const wallAheadMs = around.surroundings.wallAheadMs?.(nowMs) ?? 0;
      try {
        if (wallAheadMs !== state.wallAheadMs) stepPod(state, { type: "clockMoved", wallAheadMs }, nowMs);
        return stepPod(state, event, nowMs);
      } catch (error) {
        if (!(error instanceof PageError)) throw error;
        // The step may have left its state half changed; the next boot rebuilds it.
        halt(error.message);
        return [];
      }
    },
    carryOut: (effect, hands) => carryOutOfPod(effect, hands, log, halt),
  });
}

export interface StashShellOptions<Place> extends Around<StashEvent<Place>, StashEffect<Place>> {
  readonly state: StashState<Place>;
  readonly log: StashLog<Place>;
  readonly halt: HaltBoot;
}

export function createStashShell<Place>(options: StashShellOptions<Place>): StashShell<Place> {
  const { state, log, halt, ...around } = options;
  return new MachineShell({
    ...around,
    step: (event, nowMs) => stepStash(state, event, nowMs),
    carryOut: (effect, hands) => carryOutOfStash(effect, hands, log, halt),
  });
}

export interface CoordinatorShellOptions extends Around<CoordinatorEvent, CoordinatorEffect> {
  readonly state: CoordinatorState;
  readonly clients: CoordinatorClients;
  /**
   * Reconstructs the missing shards from the existing ones. A scenario replaces it, because its shards have no bytes.
   */
  readonly rebuild?: typeof rebuildShards;
}

export function createCoordinatorShell(options: CoordinatorShellOptions): CoordinatorShell {
  const { state, clients, rebuild = rebuildShards, ...around } = options;
  const shell: CoordinatorShell = new MachineShell({
    ...around,
    step: (event, nowMs) => {
      const wallAheadMs = around.surroundings.wallAheadMs?.(nowMs) ?? 0;
      if (wallAheadMs !== state.clock.wallAheadMs) {
        stepCoordinator(state, { type: "clockMoved", wallAheadMs }, nowMs);
      }
      return stepCoordinator(state, event, nowMs);
    },
    carryOut: (effect, hands) =>
      carryOutOfCoordinator(effect, hands, clients, (uploadId, given, missing) => {
        const shards = rebuild(given, missing);
        around.surroundings.defer(() => shell.take({ type: "reconstructed", uploadId, shards }));
      }),
  });
  return shell;
}
