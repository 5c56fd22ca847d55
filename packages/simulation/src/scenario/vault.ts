/**
 * A vault of the write path's own machines, as lean as they allow: no oracle, no bytes of shards, no trace. Where the
 * world of this package asks whether the protocol is right, this one asks how long it takes.
 */
import {
  type Address,
  type CoordinatorEffect,
  type CoordinatorEvent,
  type CoordinatorState,
  coordinatorAddress,
  crcOf,
  createCoordinator,
  createPod,
  createStash,
  type LoggedShard,
  type PodEffect,
  type PodEvent,
  type PodState,
  podAddress,
  type Send,
  type Shard,
  SMALL_UPLOAD_BYTES_MAX,
  type StashEffect,
  type StashEvent,
  type StashState,
  stashAddress,
  stepCoordinator,
  stepPod,
  stepStash,
  type VaultConfig,
} from "@stashlight/write-path";
import { createRandom, type Random } from "../random.ts";
import { Delays, uploadIdOf } from "./delays.ts";
import { driveTimes } from "./drives.ts";
import { EventHeap } from "./event-heap.ts";
import { type DriveAnswers, LeanDrive, type LeanRecord } from "./lean-drive.ts";
import { LeanNode, MessageDue, type NodeHost, type Receiver } from "./lean-node.ts";
import { recordBytesOf, type ScenarioOptions, shardCountOf } from "./options.ts";

/** Stands for any payload: machines pass it on and never look into it. */
const NO_BYTES = new Uint8Array(0);
const NO_CRC = 1;
/** 10 Gb/s, for the messages that carry many shards. */
const HANDOFF_BYTES_PER_US = 1250;
const RECONSTRUCT_US = 50;

export interface VaultListener {
  /** Bytes came onto the stash, or went. */
  stashChanged(podIndex: number, bytes: number): void;
  purged(lagUs: number): void;
  answered(token: number, outcome: Extract<CoordinatorEffect, { type: "answerPut" }>["outcome"]): void;
}

interface VaultPod {
  readonly podIndex: number;
  readonly node: LeanNode<PodEvent<LeanRecord>, PodEffect<LeanRecord>>;
  readonly drive: LeanDrive;
  state: PodState<LeanRecord> | null;
}

interface VaultStash {
  readonly deviceId: number;
  state: StashState<LeanRecord> | null;
  readonly node: LeanNode<StashEvent<LeanRecord>, StashEffect<LeanRecord>>;
  readonly drive: LeanDrive;
  liveBytes: number;
  isFull: boolean;
}

export class LeanVault implements NodeHost {
  readonly heap = new EventHeap();
  readonly options: ScenarioOptions;
  readonly pods: readonly VaultPod[];
  readonly stashes: readonly VaultStash[];
  readonly coordinator: LeanNode<CoordinatorEvent, CoordinatorEffect>;
  readonly coordinatorState: CoordinatorState;
  readonly #config: VaultConfig;
  readonly #listener: VaultListener;
  readonly #random: Random;
  readonly #delays: Delays;
  eventCount = 0;
  /** When the first drive took nothing more. */
  firstFullUs: number | null = null;
  #bootCount = 0;

  constructor(options: ScenarioOptions, seed: number, listener: VaultListener) {
    this.options = options;
    this.#listener = listener;
    this.#random = createRandom(seed);
    const podCount = shardCountOf(options);
    this.#config = {
      epoch: 1,
      scheme: options.scheme,
      podDriveIds: Array.from({ length: podCount }, (_, podIndex) => `drive-${podIndex}`),
      stashDevices: Array.from({ length: options.stashServers * options.drivesPerServer }, (_, deviceId) => {
        return { deviceId, serverId: Math.floor(deviceId / options.drivesPerServer) };
      }),
      coordinatorCount: 1,
    };
    const podTimes = driveTimes(options.podDrive);
    const stashTimes = driveTimes(options.stashDrive);
    const recordBytes = (bytes: number) => recordBytesOf(options, bytes);
    const { shardsPerCommitMax } = options;
    this.#delays = new Delays(options, this.heap, this.#random.fork());
    const driveOf = (times: typeof podTimes, tier: "pod" | "stash") => {
      const random = this.#random.fork();
      const drawSync =
        tier === "pod"
          ? () => random.next()
          : (shard: Shard | null) => this.#delays.stashSyncDraw(shard, random);
      return new LeanDrive({ heap: this.heap, random, times, recordBytes, shardsPerCommitMax, drawSync });
    };
    this.pods = this.#config.podDriveIds.map((_, podIndex) => {
      return {
        podIndex,
        node: new LeanNode(this, podAddress(podIndex)),
        drive: driveOf(podTimes, "pod"),
        state: null,
      };
    });
    this.stashes = this.#config.stashDevices.map(({ deviceId }) => {
      const node: VaultStash["node"] = new LeanNode(this, stashAddress(deviceId));
      return {
        deviceId,
        node,
        drive: driveOf(stashTimes, "stash"),
        state: null,
        liveBytes: 0,
        isFull: false,
      };
    });
    this.coordinator = new LeanNode(this, coordinatorAddress(0));
    this.coordinatorState = createCoordinator({
      bootId: 1,
      config: this.#config,
      smallUploadBytesMax: SMALL_UPLOAD_BYTES_MAX,
      isStashEnabled: options.isStashEnabled,
      firstRequestId: 1,
    });
  }

  startAll(): void {
    for (const pod of this.pods) this.startPod(pod);
    for (const stash of this.stashes) this.#startStash(stash);
    this.coordinator.start(
      (event, nowMs) => stepCoordinator(this.coordinatorState, event, nowMs),
      (effect) => this.#carryOutCoordinator(effect),
    );
    this.coordinator.take({ type: "started" });
  }

  send(from: Address, { to, message }: Send): void {
    const { nodeUsPerShard } = this.options;
    let delayUs = this.#delays.messageUs(from, to, message);
    const { type } = message;
    if (type === "pod.append" || type === "stash.append") delayUs += nodeUsPerShard;
    else if (type === "pod.handoff") {
      for (const { upload } of message.shards)
        delayUs += recordBytesOf(this.options, upload.sizeBytes) / HANDOFF_BYTES_PER_US;
    }
    this.heap.schedule(delayUs, new MessageDue(this.#receiverAt(to), from, message));
  }

  #receiverAt(address: Address): Receiver {
    const id = Number(address.slice(1));
    const kind = address.charCodeAt(0);
    if (kind === 112) return (this.pods[id] as VaultPod).node;
    return kind === 115 ? (this.stashes[id] as VaultStash).node : this.coordinator;
  }

  startPod(pod: VaultPod): void {
    if (pod.node.isUp) return;
    const { podIndex, drive, node } = pod;
    const shards = pod.state === null ? [] : loggedShards(pod.state);
    const state = createPod<LeanRecord>(this.#config, podIndex);
    pod.state = state;
    node.start(
      (event, nowMs) => stepPod(state, event, nowMs),
      (effect) => this.#carryOutPod(pod, effect),
    );
    drive.start(answersOf(node));
    const driveId = this.#config.podDriveIds[podIndex] as string;
    const identity = { podIndex, driveId, bootId: ++this.#bootCount };
    node.take({ type: "recovered", identity, shards, refusals: [] });
  }

  /** What it has written stays; what is on the way to it is lost. */
  stopPod({ node, drive }: VaultPod): void {
    node.stop();
    drive.stop();
  }

  #carryOutPod({ drive }: VaultPod, effect: PodEffect<LeanRecord>): void {
    if (effect.type === "append") drive.write(effect.shard);
    else if (effect.type === "flush") drive.flush();
    else if (effect.type === "load") drive.load(effect.loadId, effect.position);
    else if (effect.type === "persistRefusal") drive.persistRefusal(effect.refusal.uploadId);
  }

  #startStash(stash: VaultStash): void {
    const { deviceId, node, drive } = stash;
    const state: StashState<LeanRecord> = createStash({ deviceId, config: this.#config });
    stash.state = state;
    node.start(
      (event, nowMs) => stepStash(state, event, nowMs),
      (effect) => this.#carryOutStash(stash, effect),
    );
    const answers = answersOf(node);
    drive.start({
      ...answers,
      appended: (record) => {
        this.#stashLevel(stash, record, record.bytes);
        answers.appended(record);
      },
    });
    node.take({ type: "recovered", shards: [] });
  }

  #carryOutStash(stash: VaultStash, effect: StashEffect<LeanRecord>): void {
    if (effect.type === "append") stash.drive.commit(effect.shard);
    else if (effect.type === "load") stash.drive.load(effect.loadId, effect.position);
    else if (effect.type === "kill") {
      this.#listener.purged(this.heap.nowUs - effect.position.durableUs);
      this.#stashLevel(stash, effect.position, -effect.position.bytes);
    }
  }

  #stashLevel(stash: VaultStash, { shard }: LeanRecord, bytes: number): void {
    stash.liveBytes += bytes;
    this.#listener.stashChanged(shard.shardIndex, bytes);
    const { stashBytesPerDrive, fullShare } = this.options;
    const isFull = stash.liveBytes >= stashBytesPerDrive * fullShare;
    if (isFull === stash.isFull) return;
    stash.isFull = isFull;
    if (isFull) this.firstFullUs ??= this.heap.nowUs;
    stash.node.take({ type: "occupancy", isFull });
  }

  /** As a drive that is full of what the scenario did not write. */
  fillStash(stash: VaultStash): void {
    stash.liveBytes = this.options.stashBytesPerDrive;
    stash.isFull = true;
    stash.node.take({ type: "occupancy", isFull: true });
  }

  /** What it held is gone with it. */
  stopStash(stash: VaultStash): void {
    stash.node.stop();
    stash.drive.stop();
    for (const entries of stash.state?.entries.values() ?? [])
      for (const { position } of entries)
        if (position !== null) this.#listener.stashChanged(position.shard.shardIndex, -position.bytes);
    stash.state = null;
  }

  /** Shards that wait on the stash for this pod. */
  waitingFor(podIndex: number): number {
    return this.stashes.reduce((sum, { state }) => sum + (state?.byPod.get(podIndex)?.size ?? 0), 0);
  }

  #carryOutCoordinator(effect: CoordinatorEffect): void {
    if (effect.type === "answerPut") this.#listener.answered(effect.token, effect.outcome);
    else if (effect.type === "reconstruct") {
      const { uploadId, missing } = effect;
      const upload = effect.shards[0]?.upload;
      if (upload === undefined) return;
      const shards = missing.map((shardIndex) => ({
        upload,
        shardIndex,
        payload: NO_BYTES,
        payloadCrc: NO_CRC,
      }));
      this.heap.schedule(RECONSTRUCT_US, {
        happen: () => this.coordinator.take({ type: "reconstructed", uploadId, shards }),
      });
    }
  }

  put(token: number, sizeBytes: number): string {
    const uploadId = uploadIdOf(token);
    const shardCount = this.pods.length;
    this.coordinator.take({
      type: "put",
      token,
      uploadId,
      kind: "object",
      bucket: "simulated",
      key: uploadId,
      sizeBytes,
      etag: "",
      contentType: "",
      userMetadata: {},
      condition: { type: "none" },
      payloads: new Array<Uint8Array>(shardCount).fill(NO_BYTES),
      payloadCrcs: new Array<number>(shardCount).fill(NO_CRC),
    });
    return uploadId;
  }
}

/** What a pod's log would give the next boot. */
function loggedShards({ entries }: PodState<LeanRecord>): LoggedShard<LeanRecord>[] {
  const shards: LoggedShard<LeanRecord>[] = [];
  for (const entry of entries.values()) {
    const { upload, position, outcome } = entry;
    if (position === null) continue;
    const { shardIndex } = position.shard;
    shards.push({ upload, shardIndex, payloadCrc: crcOf(entry), position, outcome });
  }
  return shards;
}

function answersOf<Event extends { readonly type: string }>(node: {
  take(event: Event): void;
}): DriveAnswers {
  const take = (event: PodEvent<LeanRecord>) => node.take(event as unknown as Event);
  const nameOf = ({ upload, shardIndex }: Shard) => ({ uploadId: upload.uploadId, shardIndex });
  return {
    appended: (record) => take({ type: "appended", ...nameOf(record.shard), position: record }),
    flushed: () => take({ type: "flushed" }),
    loaded: (loadId, shard) => take({ type: "loaded", loadId, shard }),
    refusalPersisted: (uploadId) => take({ type: "refusalPersisted", uploadId }),
  };
}
