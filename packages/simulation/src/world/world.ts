/** A vault on one virtual clock: coordinators, pods and stash devices with their media, a network, and an oracle. */

import { rebuildShards } from "@stashlight/shard-store";
import {
  type Address,
  type CoordinatorEffect,
  type CoordinatorEvent,
  type CoordinatorState,
  coordinatorAddress,
  createCoordinator,
  createPod,
  createStash,
  type GetOutcome,
  type ListOutcome,
  type Message,
  type PodEffect,
  type PodEvent,
  type PodState,
  type PutOutcome,
  podAddress,
  type StashEffect,
  type StashEvent,
  type StashState,
  stashAddress,
  stepCoordinator,
  stepPod,
  stepStash,
  type VaultConfig,
} from "@stashlight/write-path";
import { Oracle, type Violation } from "../check/oracle.ts";
import { LogMedium } from "../medium/log-medium.ts";
import type { MediaWitness, Medium, MediumAnswers, Position } from "../medium/medium.ts";
import { RecordMedium } from "../medium/record-medium.ts";
import type { RunOptions } from "../options.ts";
import { createRandom, type Random } from "../random.ts";
import { Counters } from "./counters.ts";
import { EventQueue } from "./event-queue.ts";
import { Network } from "./network.ts";
import { SimulatedNode } from "./node.ts";
import { witnessMessage } from "./witness.ts";

/** Reading a log at start, and restarting a process, take a moment. */
const RESTART_US = 200_000;

export interface ClientAnswers {
  put(token: number, outcome: PutOutcome): void;
  get(token: number, outcome: GetOutcome): void;
  list(token: number, outcome: ListOutcome): void;
}

export interface SimulatedPod {
  readonly podIndex: number;
  readonly node: SimulatedNode<PodEvent<Position>, PodEffect<Position>>;
  readonly medium: Medium;
  state: PodState<Position> | null;
  /** A sync failed in this boot: nothing may be promised any more. */
  hasSyncFailed: boolean;
}

export interface SimulatedStash {
  readonly deviceId: number;
  readonly node: SimulatedNode<StashEvent<Position>, StashEffect<Position>>;
  readonly medium: Medium;
  state: StashState<Position> | null;
  hasSyncFailed: boolean;
}

export interface SimulatedCoordinator {
  readonly coordinatorId: number;
  readonly node: SimulatedNode<CoordinatorEvent, CoordinatorEffect>;
  state: CoordinatorState | null;
}

export class World {
  readonly queue = new EventQueue();
  readonly counters = new Counters();
  readonly random: Random;
  readonly network: Network;
  readonly oracle: Oracle;
  readonly pods: readonly SimulatedPod[];
  readonly stashes: readonly SimulatedStash[];
  readonly coordinators: readonly SimulatedCoordinator[];
  readonly violations: Violation[] = [];
  readonly options: RunOptions;
  config: VaultConfig;
  eventCount = 0;
  traceHash = 0x811c9dc5;
  /** Hears every event, for a story. */
  listener: ((address: Address, event: { readonly type: string }) => void) | null = null;
  readonly #textHashes = new Map<string, number>();
  readonly #answers: ClientAnswers;
  #bootCount = 0;

  constructor(options: RunOptions, answers: ClientAnswers) {
    this.options = options;
    this.#answers = answers;
    this.random = createRandom(options.seed ^ 0x5eed);
    const n = options.scheme.dataShardCount + options.scheme.parityShardCount;
    this.config = {
      epoch: 1,
      scheme: options.scheme,
      podDriveIds: Array.from({ length: n }, (_, podIndex) => `drive-${podIndex}-1`),
      stashDevices: Array.from(
        { length: options.stashServerCount * options.devicesPerServer },
        (_, deviceId) => {
          return { deviceId, serverId: Math.floor(deviceId / options.devicesPerServer) };
        },
      ),
      coordinatorCount: options.coordinatorCount,
    };
    this.oracle = new Oracle(options.scheme, (violation) => this.violations.push(violation));
    const deliver = (from: Address, to: Address, message: Message) =>
      this.#nodeAt(to)?.receive(from, message);
    this.network = new Network(this.queue, this.random.fork(), this.counters, options.network, deliver);
    this.pods = this.config.podDriveIds.map((_, podIndex) => this.#createPod(podIndex));
    this.stashes = this.config.stashDevices.map(({ deviceId }) => this.#createStash(deviceId));
    this.coordinators = Array.from({ length: options.coordinatorCount }, (_, coordinatorId) => {
      const node = new SimulatedNode<CoordinatorEvent, CoordinatorEffect>(
        this,
        coordinatorAddress(coordinatorId),
      );
      return { coordinatorId, node, state: null };
    });
  }

  #nodeAt(address: Address): { receive(from: Address, message: Message): void } | undefined {
    const id = Number(address.slice(1));
    if (address.startsWith("p")) return this.pods[id]?.node;
    if (address.startsWith("s")) return this.stashes[id]?.node;
    return this.coordinators[id]?.node;
  }

  #createPod(podIndex: number): SimulatedPod {
    const node = new SimulatedNode<PodEvent<Position>, PodEffect<Position>>(this, podAddress(podIndex));
    const pod: SimulatedPod = {
      podIndex,
      node,
      medium: this.#createMedium("pod", () => {
        pod.hasSyncFailed = true;
      }),
      state: null,
      hasSyncFailed: false,
    };
    return pod;
  }

  #createStash(deviceId: number): SimulatedStash {
    const node = new SimulatedNode<StashEvent<Position>, StashEffect<Position>>(this, stashAddress(deviceId));
    const stash: SimulatedStash = {
      deviceId,
      node,
      medium: this.#createMedium("stash", () => {
        stash.hasSyncFailed = true;
      }),
      state: null,
      hasSyncFailed: false,
    };
    return stash;
  }

  #createMedium(place: "pod" | "stash", onSyncFailed: () => void): Medium {
    const { oracle } = this;
    const witness: MediaWitness = {
      durable: (shard) => oracle.durable(place, shard),
      killed: (uploadId, shardIndex, wasDurable) => oracle.killed(place, uploadId, shardIndex, wasDurable),
      lost: (uploadId, shardIndex) => oracle.lost(place, uploadId, shardIndex),
      lied: (shard) => oracle.lied(shard),
      syncFailed: onSyncFailed,
      violated: (property, sentence) => this.violations.push({ property, sentence }),
    };
    const MediumOfRun = this.options.medium === "log" ? LogMedium : RecordMedium;
    return new MediumOfRun({
      queue: this.queue,
      random: this.random.fork(),
      counters: this.counters,
      witness,
      isGroupCommit: place === "stash",
      writeUs: 10,
      syncUs: place === "stash" ? this.options.stashSyncUs : this.options.podSyncUs,
    });
  }

  // What nodes ask of the world

  trace(address: Address, event: { readonly type: string }): void {
    this.eventCount += 1;
    const { message } = event as { message?: Message };
    let hash = this.traceHash ^ this.#hashOf(address) ^ (this.queue.nowUs | 0);
    hash = Math.imul(hash, 0x01000193) ^ this.#hashOf(message?.type ?? event.type);
    this.traceHash = Math.imul(hash, 0x01000193) >>> 0;
    this.listener?.(address, event);
  }

  #hashOf(text: string): number {
    const known = this.#textHashes.get(text);
    if (known !== undefined) return known;
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
    this.#textHashes.set(text, hash);
    return hash;
  }

  stepped(): void {}

  send(from: Address, to: Address, message: Message): void {
    witnessMessage(this, from, message);
    this.network.send(from, to, message);
  }

  // Starting and stopping

  startAll(): void {
    for (const pod of this.pods) this.startPod(pod);
    for (const stash of this.stashes) this.startStash(stash);
    for (const coordinator of this.coordinators) this.startCoordinator(coordinator);
  }

  startPod(pod: SimulatedPod): void {
    if (pod.node.isUp || pod.node.isHeldDown) return;
    const { podIndex, medium, node } = pod;
    const state = createPod<Position>(this.config, podIndex);
    pod.state = state;
    pod.hasSyncFailed = false;
    const bootId = ++this.#bootCount;
    node.start({
      step: (event, nowMs) => stepPod(state, event, nowMs),
      carryOut: (effect) => this.#carryOutPod(pod, effect),
    });
    const driveId = this.config.podDriveIds[podIndex] ?? "";
    medium.recover(this.#answersOf(node), ({ shards, refusals }) => {
      node.take({ type: "recovered", identity: { podIndex, driveId, bootId }, shards, refusals });
    });
  }

  #carryOutPod(pod: SimulatedPod, effect: PodEffect<Position>): void {
    const { medium } = pod;
    switch (effect.type) {
      case "append":
        medium.append(effect.shard);
        return;
      case "flush":
        medium.flush();
        return;
      case "kill":
        medium.kill(effect.uploadId, effect.shardIndex, effect.position);
        return;
      case "load":
        medium.load(effect.loadId, effect.position);
        return;
      case "persistRefusal":
        medium.persistRefusal(effect.refusal);
        return;
      case "remember":
        medium.remember(effect.position, effect.outcome);
        return;
      case "halt":
        this.counters.add("pod halted itself");
        this.crashPod(pod);
        this.queue.schedule(RESTART_US, () => this.startPod(pod));
    }
  }

  #answersOf<Event extends { readonly type: string }>(node: { take(event: Event): void }): MediumAnswers {
    const take = (event: PodEvent<Position>) => node.take(event as unknown as Event);
    return {
      appended: (uploadId, shardIndex, position) =>
        take({ type: "appended", uploadId, shardIndex, position }),
      appendFailed: (uploadId, shardIndex, reason) =>
        take({ type: "appendFailed", uploadId, shardIndex, reason }),
      flushed: () => take({ type: "flushed" }),
      flushFailed: () => take({ type: "flushFailed" }),
      corrupt: (uploadId, shardIndex) => take({ type: "corrupt", uploadId, shardIndex }),
      loaded: (loadId, shard) => take({ type: "loaded", loadId, shard }),
      refusalPersisted: (uploadId) => take({ type: "refusalPersisted", uploadId }),
      occupancy: (isFull) => node.take({ type: "occupancy", isFull } as unknown as Event),
    };
  }

  crashPod(pod: SimulatedPod): void {
    pod.node.stop();
    pod.state = null;
    pod.medium.crash();
  }

  startStash(stash: SimulatedStash): void {
    if (stash.node.isUp || stash.node.isHeldDown) return;
    const { deviceId, medium, node } = stash;
    const state = createStash<Position>({ deviceId, config: this.config });
    stash.state = state;
    stash.hasSyncFailed = false;
    node.start({
      step: (event, nowMs) => stepStash(state, event, nowMs),
      carryOut: (effect) => this.#carryOutStash(stash, effect),
    });
    medium.recover(this.#answersOf(node), ({ shards }) => node.take({ type: "recovered", shards }));
  }

  #carryOutStash({ medium }: SimulatedStash, effect: StashEffect<Position>): void {
    if (effect.type === "append") medium.append(effect.shard);
    else if (effect.type === "kill") medium.kill(effect.uploadId, effect.shardIndex, effect.position);
    else if (effect.type === "load") medium.load(effect.loadId, effect.position);
  }

  crashStash(stash: SimulatedStash): void {
    stash.node.stop();
    stash.state = null;
    stash.medium.crash();
  }

  startCoordinator(coordinator: SimulatedCoordinator): void {
    if (coordinator.node.isUp || coordinator.node.isHeldDown) return;
    const { node } = coordinator;
    const { smallUploadBytesMax, isStashEnabled } = this.options;
    const bootId = ++this.#bootCount;
    const state = createCoordinator({
      bootId,
      config: this.config,
      smallUploadBytesMax,
      isStashEnabled,
      firstRequestId: bootId * 1_000_000,
    });
    coordinator.state = state;
    node.start({
      step: (event, nowMs) => stepCoordinator(state, event, nowMs),
      carryOut: (effect) => this.#carryOutCoordinator(coordinator, effect),
    });
    node.take({ type: "started" });
  }

  #carryOutCoordinator({ node }: SimulatedCoordinator, effect: CoordinatorEffect): void {
    switch (effect.type) {
      case "answerPut":
        if (effect.outcome.type === "stored") this.oracle.acknowledged(effect.outcome.upload);
        this.#answers.put(effect.token, effect.outcome);
        return;
      case "answerGet":
        this.#answers.get(effect.token, effect.outcome);
        return;
      case "answerList":
        this.#answers.list(effect.token, effect.outcome);
        return;
      case "reconstruct": {
        const { uploadId } = effect;
        const shards = rebuildShards(effect.shards, effect.missing);
        const boot = node.bootCount;
        this.queue.schedule(50, () => {
          if (node.bootCount === boot) node.take({ type: "reconstructed", uploadId, shards });
        });
      }
    }
  }

  crashCoordinator(coordinator: SimulatedCoordinator): void {
    coordinator.node.stop();
    coordinator.state = null;
  }

  /** The whole data centre goes dark at one moment. */
  powerCut(): void {
    for (const pod of this.pods) {
      pod.node.stop();
      pod.state = null;
      pod.medium.powerCut();
    }
    for (const stash of this.stashes) {
      stash.node.stop();
      stash.state = null;
      stash.medium.powerCut();
    }
    for (const coordinator of this.coordinators) this.crashCoordinator(coordinator);
    this.oracle.judgeAllDurability();
  }

  /** Nodes come back in any order, over some seconds; now and then all pods before the stash, or after it. */
  powerOn(spreadUs: number): void {
    const boot = () => this.random.next() * spreadUs;
    const [podsLateUs, stashLateUs] = this.random.pick([
      [0, 0],
      [0, 0],
      [0, spreadUs],
      [spreadUs, 0],
    ] as const);
    for (const pod of this.pods) this.queue.schedule(podsLateUs + boot(), () => this.startPod(pod));
    for (const stash of this.stashes) this.queue.schedule(stashLateUs + boot(), () => this.startStash(stash));
    for (const coordinator of this.coordinators)
      this.queue.schedule(boot(), () => this.startCoordinator(coordinator));
  }
}
