/**
 * The machine of a drive, a pod or a stash device, as the drive's host sees it. The differences between the two stay in
 * this file, so that each receives only the answers of its own log.
 */
import assert from "node:assert/strict";
import type { OpenedLog } from "@stashlight/shard-log";
import { type KeptRecord, type Position, ShardStore, type StoreOptions } from "@stashlight/shard-store";
import {
  createPodShell,
  createStashShell,
  type HaltBoot,
  podAnswers,
  type ShellWatch,
  type Surroundings,
  stashAnswers,
} from "@stashlight/shard-store/shell";
import type {
  Address,
  DamageReport,
  Message,
  MissingShards,
  PodEffect,
  PodEvent,
  PodIdentity,
  PodState,
  SavedPod,
  StashEffect,
  StashEvent,
  StashState,
  UploadHeader,
  VaultConfig,
} from "@stashlight/write-path";
import type { HeldShard } from "../uploads-page.ts";

/** Observes the machine's events and the effects it requests from the drive. */
export type DriveWatch = ShellWatch<
  PodEvent<Position> | StashEvent<Position>,
  PodEffect<Position> | StashEffect<Position>
>;

/** Inputs of one boot of a machine. */
export interface DriveBoot {
  readonly opened: OpenedLog<KeptRecord>;
  readonly storeOptions: Omit<StoreOptions, "opened" | "answers">;
  readonly surroundings: Surroundings;
  readonly halt: HaltBoot;
  readonly watch: DriveWatch | undefined;
}

export interface RunningMachine {
  readonly store: ShardStore;
  readonly shell: {
    receive(from: Address, message: Message): void;
    /** Holds messages and timers until `letGo`. */
    hold(onFull: () => void): void;
    letGo(): void;
    stop(): void;
  };
  readonly recoveredShardCount: number;
  /** Adopts another epoch of the vault. */
  configure(config: VaultConfig): void;
  /** Passes the content of the log to the machine, which accepts no messages before. */
  recover(): void;
}

/** One boot of a pod or a stash device. */
export interface DriveMachine {
  start(boot: DriveBoot): RunningMachine;
  shardsOf(object: { readonly bucket: string; readonly key: string }): readonly HeldShard[];
  /** Returns the state of the machine's life cycle, and the number of refusals by reason. */
  lifecycle(): string;
  refusals(): ReadonlyMap<string, number>;
  /** Shards on a stash device that wait for their pod, by pod. */
  unpurgedByPod?(): ReadonlyMap<number, number>;
  /** Shards that a pod knows but does not hold. */
  missingShards?(): MissingShards;
  /** Shards of a pod whose bytes it cannot read. */
  damage?(): DamageReport;
  /** State of a pod for its next boot, or why it cannot be saved; its shell accepts nothing until then. */
  save?(): SavedPod | string;
  /** Objects on a pod that clients can see. */
  visibleObjects?(): Iterator<UploadHeader>;
}

export function startPod(
  state: PodState<Position>,
  identity: PodIdentity,
  { opened, storeOptions, ...around }: DriveBoot,
): RunningMachine {
  const answers = podAnswers<Position>((event) => shell.take(event));
  const { store, recovered, release } = ShardStore.start({ ...storeOptions, opened, answers });
  const shell = createPodShell({ ...around, state, log: store });
  const take = takeOnce(recovered);
  const recover = () => {
    shell.take({ type: "recovered", identity, ...take() });
    release();
  };
  const configure = (config: VaultConfig) => shell.take({ type: "configured", config });
  return { store, shell, recover, configure, recoveredShardCount: recovered.shards.length };
}

export function startStash(
  state: StashState<Position>,
  { opened, storeOptions, ...around }: DriveBoot,
): RunningMachine {
  const answers = stashAnswers<Position>((event) => shell.take(event));
  const { store, recovered, release } = ShardStore.start({ ...storeOptions, opened, answers });
  const shell = createStashShell({ ...around, state, log: store });
  const take = takeOnce(recovered.shards);
  const recover = () => {
    shell.take({ type: "recovered", shards: take() });
    release();
  };
  const configure = (config: VaultConfig) => shell.take({ type: "configured", config });
  return { store, shell, recover, configure, recoveredShardCount: recovered.shards.length };
}

/**
 * Returns a function that hands over the value once and drops it, because the contents of the log must not stay in
 * memory while the machine runs.
 */
function takeOnce<Value>(value: Value): () => Value {
  let held: { readonly value: Value } | null = { value };
  return () => {
    assert(held !== null, "a machine is recovered once");
    const taken = held;
    held = null;
    return taken.value;
  };
}
