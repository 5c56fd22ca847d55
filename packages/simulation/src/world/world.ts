/** A vault on one virtual clock: coordinators, pods and stash devices with their media, a network, and an oracle. */

import { crc32c } from "@stashlight/checksum";
import { PageMemory } from "@stashlight/paged-memory";
import {
  type CoordinatorClients,
  createCoordinatorShell,
  createPodShell,
  createStashShell,
  podAnswers,
  stashAnswers,
} from "@stashlight/shard-store/shell";
import { createRandom, type Random } from "@stashlight/stats/forkable-random";
import {
  type Address,
  createCoordinator,
  createPod,
  createSavedPod,
  createStash,
  type Message,
  PackedEntries,
  type PodEvent,
  type PodState,
  savePod,
  type UploadHeader,
  type UploadId,
  type VaultConfig,
} from "@stashlight/write-path";
import { Oracle, type Violation } from "../check/oracle.ts";
import { judgeUnawarePods } from "../check/unaware-pods.ts";
import { Counters } from "../counters.ts";
import { EventQueue } from "../event-queue.ts";
import type { Position } from "../medium/medium.ts";
import type { RunOptions } from "../options.ts";
import { createSimulatedCoordinator, createSimulatedPod, createSimulatedStash } from "./create-machines.ts";
import type { SimulatedCoordinator, SimulatedMachine, SimulatedPod, SimulatedStash } from "./machines.ts";
import { Network } from "./network.ts";
import { judgePod } from "./pod-judge.ts";
import { TraceHash } from "./trace-hash.ts";
import { witnessMessage } from "./witness.ts";

/** Duration of reading a log at start, and of restarting a process. */
const RESTART_US = 200_000;
/** Interval at which a pod that stops looks for answers of its log. */
const QUIET_LOOK_US = 5_000;
/** Checkpoints of a boot are one to CHECKPOINT_PAUSES times this apart. */
const CHECKPOINT_US = 300_000;
const CHECKPOINT_PAUSES = 9;
/** A few entries fill a block of a pod's index, so that runs split and join blocks. */
const BLOCK_BYTES = 512;
/** Pages that each boot of a pod may hold, in turn: so few that most operations load some, or enough for all. */
const HELD_PAGES: readonly number[] = [2, 6, 64];

/** Every seventh boot cannot read one page of its index, and halts. */
const BOOTS_PER_FAILING_READ = 7;
const LATEST_FAILING_READ = 40;

export class World {
  readonly queue = new EventQueue();
  readonly counters = new Counters();
  readonly random: Random;
  readonly network: Network;
  readonly oracle: Oracle;
  readonly pods: readonly SimulatedPod[];
  readonly stashes: SimulatedStash[];
  readonly coordinators: readonly SimulatedCoordinator[];
  /** All coordinators, pods and stash devices. */
  readonly machines: SimulatedMachine[];
  readonly violations: Violation[] = [];
  readonly probes = new Map<number, UploadHeader>();
  readonly options: RunOptions;
  config: VaultConfig;
  readonly #trace = new TraceHash();
  /** Receives every event, for the story of the run. */
  listener: ((address: Address, event: { readonly type: string }) => void) | null = null;
  /** Time when all faults ended. */
  healedUs = Number.POSITIVE_INFINITY;
  /** Called when a pod has begun to make a horizon durable. */
  onHorizonChosen: (() => void) | null = null;
  /** Called when an upload with bytes is acknowledged. */
  onAcknowledged: ((uploadId: UploadId) => void) | null = null;
  readonly #answers: CoordinatorClients;
  #bootCount = 0;

  constructor(options: RunOptions, answers: CoordinatorClients) {
    this.options = options;
    this.#answers = answers;
    this.random = createRandom(options.seed ^ 0x5eed);
    this.config = firstConfig(options);
    this.oracle = new Oracle(options.scheme, (violation) => this.violations.push(violation));
    const deliver = (from: Address, to: Address, message: Message) =>
      this.#nodeAt(to)?.receive(from, message);
    this.network = new Network(this.queue, this.random.fork(), this.counters, options.network, deliver);
    this.pods = this.config.podDriveIds.map((_, podIndex) => createSimulatedPod(this, podIndex));
    this.stashes = this.config.stashDevices.map(({ deviceId }) => createSimulatedStash(this, deviceId));
    this.coordinators = Array.from({ length: options.coordinatorCount }, (_, coordinatorId) =>
      createSimulatedCoordinator(this, coordinatorId),
    );
    this.machines = [...this.pods, ...this.stashes, ...this.coordinators];
  }

  #nodeAt(address: Address): { receive(from: Address, message: Message): void } | undefined {
    const id = Number(address.slice(1));
    if (address.startsWith("p")) return this.pods[id]?.node;
    if (address.startsWith("s")) return this.stashes[id]?.node;
    return this.coordinators[id]?.node;
  }

  // Requests of the nodes to the world

  trace(address: Address, event: { readonly type: string }): void {
    this.#trace.add(address, event, this.queue.nowUs);
    this.listener?.(address, event);
  }

  get traceHash(): number {
    return this.#trace.value;
  }

  get eventCount(): number {
    return this.#trace.eventCount;
  }

  send(from: Address, to: Address, message: Message): void {
    witnessMessage(this, from, message);
    this.network.send(from, to, message);
  }

  /** A device that joins later; it does not run yet. */
  addStash(deviceId: number): SimulatedStash {
    const stash = createSimulatedStash(this, deviceId);
    this.stashes.push(stash);
    this.machines.push(stash);
    return stash;
  }

  // Starting and stopping

  startAll(): void {
    for (const pod of this.pods) this.startPod(pod);
    for (const stash of this.stashes) this.startStash(stash);
    for (const coordinator of this.coordinators) this.startCoordinator(coordinator);
  }

  startPod(pod: SimulatedPod): void {
    if (pod.node.isUp || pod.node.isHeldDown) return;
    const { podIndex, medium, node, memory } = pod;
    const bootId = ++this.#bootCount;
    const heldPagesMax = HELD_PAGES[bootId % HELD_PAGES.length] as number;
    let failingRead = bootId % BOOTS_PER_FAILING_READ === 0 ? 1 + (bootId % LATEST_FAILING_READ) : null;
    // Asks for the file at each attempt to open the log, because a drive that was changed has another one.
    const createMemory = () => {
      const file = medium.pageFile(failingRead);
      failingRead = null;
      return new PageMemory({ heldPagesMax, file, checksum: crc32c });
    };
    const state = createPod<Position>(this.config, podIndex);
    pod.state = state;
    pod.settled = null;
    pod.hasSyncFailed = false;
    node.start((surroundings) =>
      createPodShell({
        state,
        log: medium,
        surroundings,
        halt: () => {
          this.counters.add("pod halted itself");
          this.crashPod(pod);
          medium.index?.drop();
          this.queue.schedule(RESTART_US, () => this.startPod(pod));
        },
        watch: {
          taking: (event) => {
            this.trace(node.address, event);
            this.#judgeRead(pod, event);
          },
          ...judgePod(this, pod),
        },
      }),
    );
    const driveId = this.config.podDriveIds[podIndex] ?? "";
    const answers = memory.hearing(podAnswers<Position>((event) => node.take(event)));
    medium.recover(
      answers,
      createMemory,
      ({ shards, displaced, refusals, horizon, saved, memory: pages }) => {
        const settled = new PackedEntries(pages, BLOCK_BYTES, saved?.settled);
        const { config } = state;
        const begun =
          saved === null
            ? createPod<Position>(config, podIndex, settled)
            : createSavedPod(config, podIndex, settled, saved);
        Object.assign(state, begun);
        pod.settled = settled;
        memory.started(refusals, horizon);
        const identity = { podIndex, driveId, bootId };
        node.take({ type: "recovered", identity, shards, displaced, refusals, horizon });
        this.#checkpointSoon(pod, state, settled);
      },
    );
  }

  /** Saves a running pod now and then, as the host of its drive does. */
  #checkpointSoon(pod: SimulatedPod, state: PodState<Position>, settled: PackedEntries): void {
    const { node, medium } = pod;
    const pauseUs = CHECKPOINT_US * (1 + (node.bootCount % CHECKPOINT_PAUSES));
    this.queue.schedule(pauseUs, () => {
      if (pod.state !== state) return;
      const { shell } = node;
      if (shell !== null && !node.isPaused)
        medium.checkpoint(shell, () => (node.isPaused ? "its process stalls" : savePod(state, settled)));
      this.#checkpointSoon(pod, state, settled);
    });
  }

  report(violation: Violation | null): void {
    if (violation !== null) this.violations.push(violation);
  }

  /** Distinguishes three answers of a drive: only bytes that were read and are wrong may be called corrupt. */
  #judgeRead({ podIndex, medium, state }: SimulatedPod, event: PodEvent<Position>): void {
    const load = event.type === "loaded" ? state?.loads.get(event.loadId) : undefined;
    const kind = event.type === "loaded" ? event.read.type : event.type;
    const uploadId = load?.uploadId ?? (event.type === "corrupt" ? event.uploadId : null);
    if (kind === "unreadable") this.counters.add("pod could not read a shard");
    if (kind !== "corrupt" || uploadId === null) return;
    this.counters.add("pod found a shard damaged");
    if (medium.mayMisread || !this.oracle.isOnPod(uploadId, podIndex)) return;
    const sentence = `Pod ${podIndex} was informed that its shard of upload ${uploadId} is corrupt, but its drive holds it intact.`;
    this.report({ property: "S5", sentence });
  }

  /** Shuts the pod down cleanly once its log has answered; the planned fault ends the process. */
  stopPod(pod: SimulatedPod, looksLeft = 20): void {
    const { node, medium, state, settled } = pod;
    if (!node.isUp || state === null) return;
    if (!medium.isQuiet && looksLeft > 0) {
      this.queue.schedule(QUIET_LOOK_US, () => {
        if (pod.state === state) this.stopPod(pod, looksLeft - 1);
      });
      return;
    }
    node.stop();
    pod.state = null;
    if (settled !== null) medium.stop(savePod(state, settled));
  }

  crashPod(pod: SimulatedPod): void {
    pod.node.stop();
    pod.state = null;
    pod.medium.crash();
  }

  startStash(stash: SimulatedStash): void {
    if (stash.node.isUp || stash.node.isHeldDown || stash.isGone) return;
    const { deviceId, medium, node } = stash;
    const state = createStash<Position>({ deviceId, config: this.config });
    stash.state = state;
    stash.hasSyncFailed = false;
    node.start((surroundings) =>
      createStashShell({
        state,
        log: medium,
        surroundings,
        halt: () => {
          this.crashStash(stash);
          this.queue.schedule(RESTART_US, () => this.startStash(stash));
        },
        watch: {
          taking: (event) => {
            this.trace(node.address, event);
            if (event.type === "appended" && deviceId >= firstDeviceCount(this.options))
              this.counters.add("added device took a shard");
          },
        },
      }),
    );
    const answers = stashAnswers<Position>((event) => node.take(event));
    medium.recover(
      answers,
      () => new PageMemory(),
      ({ shards }) => node.take({ type: "recovered", shards }),
    );
  }

  crashStash(stash: SimulatedStash): void {
    stash.node.stop();
    stash.state = null;
    stash.medium.crash();
    // The system closes a dead process's connections, but a machine that loses power closes none.
    const { deviceId } = stash;
    for (const { node } of this.coordinators) node.take({ type: "deviceLost", deviceId });
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
    node.start((surroundings) =>
      createCoordinatorShell({
        state,
        clients: this.#answers,
        surroundings,
        watch: {
          taking: (event) => this.trace(node.address, event),
          asked: (effect) => {
            if (effect.type !== "answerPut" || effect.outcome.type !== "stored") return;
            this.#judgeAcknowledged(effect.outcome.upload);
          },
        },
      }),
    );
    node.take({ type: "started" });
  }

  /**
   * Skips an upload that a later version overtook while it was being stored: reads do not depend on which pods know of
   * it.
   */
  #judgeAcknowledged(upload: UploadHeader): void {
    this.oracle.acknowledged(upload);
    if (upload.sizeBytes > 0) this.onAcknowledged?.(upload.uploadId);
    if (!this.oracle.isOvertaken(upload)) this.report(judgeUnawarePods(this.pods, upload));
  }

  crashCoordinator(coordinator: SimulatedCoordinator): void {
    coordinator.node.stop();
    coordinator.state = null;
  }

  /** The whole data centre loses power at one moment. */
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

  /**
   * Starts all nodes, in any order, within `spreadUs`; sometimes all pods before the stash or after it, within twice
   * that.
   */
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

const firstDeviceCount = ({ stashServerCount, devicesPerServer }: RunOptions): number =>
  stashServerCount * devicesPerServer;

function firstConfig(options: RunOptions): VaultConfig {
  const n = options.scheme.dataShardCount + options.scheme.parityShardCount;
  return {
    epoch: 1,
    scheme: options.scheme,
    podDriveIds: Array.from({ length: n }, (_, podIndex) => `drive-${podIndex}-1`),
    stashDevices: Array.from({ length: firstDeviceCount(options) }, (_, deviceId) => {
      return { deviceId, serverId: Math.floor(deviceId / options.devicesPerServer) };
    }),
    coordinatorCount: options.coordinatorCount,
  };
}
