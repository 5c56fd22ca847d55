/**
 * A vault of the write path's machines, reduced to what timing needs: no oracle, no shard bytes, no trace. The world
 * of packages/simulation checks whether the protocol is right; this vault measures how long it takes.
 */
import {
  createCoordinatorShell,
  createPodShell,
  createStashShell,
  podAnswers,
  type StashLog,
  stashAnswers,
} from "@stashlight/shard-store/shell";
import { createRandom, type Random } from "@stashlight/stats/forkable-random";
import {
  type Address,
  type CoordinatorEffect,
  type CoordinatorEvent,
  type CoordinatorState,
  coordinatorAddress,
  createCoordinator,
  createPod,
  createStash,
  LOWEST_ORDER,
  type Message,
  podAddress,
  type Shard,
  SMALL_UPLOAD_BYTES_MAX,
  type StashState,
  stashAddress,
  type VaultConfig,
} from "@stashlight/write-path";
import { Delays, toUploadId } from "./delays.ts";
import { driveTimes } from "./drives.ts";
import { EventHeap } from "./event-heap.ts";
import { LeanDrive, type LeanRecord } from "./lean-drive.ts";
import { LeanNode, MessageDue, type NodeHost, type Receiver } from "./lean-node.ts";
import { haltScenario, loggedShards, NO_BYTES, NO_CRC, podLog, rebuildLean } from "./lean-shells.ts";
import { scenarioConfig, type VaultPod, type VaultStash } from "./machines.ts";
import { type ScenarioOptions, type StashStalls, scenarioRecordBytes } from "./options.ts";

/** 10 Gb/s, for messages that carry many shards. */
const HANDOFF_BYTES_PER_US = 1250;

export interface VaultListener {
  /** Called when bytes are added to the stash or removed. */
  stashChanged(podIndex: number, bytes: number): void;
  purged(lagUs: number): void;
  answered(token: number, outcome: Extract<CoordinatorEffect, { type: "answerPut" }>["outcome"]): void;
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
  /** A separate generator, so that stalls do not change the other draws of a scenario. */
  readonly #stallRandom: Random;
  eventCount = 0;
  /** Time when the first drive refused a shard. */
  firstFullUs: number | null = null;
  #bootCount = 0;

  constructor(options: ScenarioOptions, seed: number, listener: VaultListener) {
    this.options = options;
    this.#listener = listener;
    this.#random = createRandom(seed);
    this.#stallRandom = createRandom(seed + 1);
    this.#config = scenarioConfig(options);
    const podTimes = driveTimes(options.podDrive);
    const stashTimes = driveTimes(options.stashDrive);
    const recordBytes = (bytes: number) => scenarioRecordBytes(options, bytes);
    const { shardsPerCommitMax } = options;
    this.#delays = new Delays(options, this.heap, this.#random.fork());
    const createDrive = (times: typeof podTimes, tier: "pod" | "stash") => {
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
        drive: createDrive(podTimes, "pod"),
        state: null,
      };
    });
    this.stashes = this.#config.stashDevices.map(({ deviceId }) => {
      const node: VaultStash["node"] = new LeanNode(this, stashAddress(deviceId));
      return {
        deviceId,
        node,
        drive: createDrive(stashTimes, "stash"),
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
    this.coordinator.start((surroundings) =>
      createCoordinatorShell({
        state: this.coordinatorState,
        surroundings,
        // A scenario only writes.
        clients: {
          put: (token, outcome) => this.#listener.answered(token, outcome),
          get: () => {},
          list: () => {},
        },
        rebuild: rebuildLean,
      }),
    );
    this.coordinator.take({ type: "started" });
    const { stashStalls, stashServers } = this.options;
    if (stashStalls !== null)
      for (let server = 0; server < stashServers; server += 1) this.#scheduleStall(server, stashStalls);
  }

  /** Schedules stalls by one Poisson process per server; all devices of a server share one process. */
  #scheduleStall(server: number, stalls: StashStalls): void {
    const { heap, options, stashes } = this;
    const gapUs = (-Math.log(1 - this.#stallRandom.next()) * 60e6) / stalls.perMinute;
    heap.schedule(gapUs, {
      happen: () => {
        const first = server * options.drivesPerServer;
        for (const { node } of stashes.slice(first, first + options.drivesPerServer))
          node.stall(stalls.ms * 1000);
        this.#scheduleStall(server, stalls);
      },
    });
  }

  send(from: Address, to: Address, message: Message): void {
    const { nodeUsPerShard } = this.options;
    let delayUs = this.#delays.messageUs(from, to, message);
    const { type } = message;
    if (type === "pod.append" || type === "stash.append") delayUs += nodeUsPerShard;
    else if (type === "pod.handoff") {
      for (const { upload } of message.shards)
        delayUs += scenarioRecordBytes(this.options, upload.sizeBytes) / HANDOFF_BYTES_PER_US;
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
    node.start((surroundings) =>
      createPodShell({ state, log: podLog(drive), halt: haltScenario, surroundings }),
    );
    drive.start(podAnswers((event) => node.take(event)));
    const driveId = this.#config.podDriveIds[podIndex] as string;
    const identity = { podIndex, driveId, bootId: ++this.#bootCount };
    node.take({ type: "recovered", identity, shards, refusals: [], horizon: LOWEST_ORDER });
  }

  /** Stops a pod. Its written data remains; messages on their way to it are lost. */
  stopPod({ node, drive }: VaultPod): void {
    node.stop();
    drive.stop();
  }

  #startStash(stash: VaultStash): void {
    const { deviceId, node, drive } = stash;
    const state: StashState<LeanRecord> = createStash({ deviceId, config: this.#config });
    stash.state = state;
    const log = this.#stashLog(stash);
    node.start((surroundings) => createStashShell({ state, log, halt: haltScenario, surroundings }));
    const answers = stashAnswers<LeanRecord>((event) => node.take(event));
    drive.start({
      ...answers,
      appended: (uploadId, shardIndex, record) => {
        this.#stashLevel(stash, record, record.bytes);
        answers.appended(uploadId, shardIndex, record);
      },
    });
    node.take({ type: "recovered", shards: [] });
  }

  #stashLog(stash: VaultStash): StashLog<LeanRecord> {
    const { drive } = stash;
    return {
      append: (shard) => drive.commit(shard),
      load: (loadId, record) => drive.load(loadId, record),
      kill: (record) => {
        this.#listener.purged(this.heap.nowUs - record.durableUs);
        this.#stashLevel(stash, record, -record.bytes);
      },
    };
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

  /** Marks a stash drive as filled with data from outside the scenario. */
  fillStash(stash: VaultStash): void {
    stash.liveBytes = this.options.stashBytesPerDrive;
    stash.isFull = true;
    stash.node.take({ type: "occupancy", isFull: true });
  }

  /** Stops a stash drive, whose contents are lost. */
  stopStash(stash: VaultStash): void {
    stash.node.stop();
    stash.drive.stop();
    for (const entries of stash.state?.entries.values() ?? [])
      for (const { position } of entries)
        if (position !== null) this.#listener.stashChanged(position.shard.shardIndex, -position.bytes);
    stash.state = null;
  }

  /** Counts the shards that wait on the stash for this pod. */
  waitingFor(podIndex: number): number {
    return this.stashes.reduce((sum, { state }) => sum + (state?.byPod.get(podIndex)?.size ?? 0), 0);
  }

  put(token: number, sizeBytes: number): string {
    const uploadId = toUploadId(token);
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
