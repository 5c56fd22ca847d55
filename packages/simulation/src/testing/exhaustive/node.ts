/**
 * One node of the small vault: a machine, its medium, its timers and its own clock, all plain data. A step mutates the
 * node and returns the messages that it sent; the search steps copies.
 */
import assert from "node:assert/strict";
import {
  type CoordinatorClients,
  carryOutOfCoordinator,
  carryOutOfPod,
  carryOutOfStash,
  type MachineHands,
  type PodLog,
  type Reconstruct,
  type StashLog,
} from "@stashlight/shard-store/shell";
import {
  type Address,
  type CoordinatorEffect,
  type CoordinatorEvent,
  type CoordinatorState,
  createCoordinator,
  createPod,
  createStash,
  LOWEST_ORDER,
  type Message,
  type PodEvent,
  type PodState,
  type Refusal,
  type Shard,
  SMALL_UPLOAD_BYTES_MAX,
  type StashEvent,
  type StashState,
} from "@stashlight/write-path";
import type { Machines, Position } from "./machines.ts";
import {
  arrived,
  beginSync,
  endSync,
  killAndLoad,
  logged,
  type MediumEvent,
  type MediumRecord,
  type NodeMedium,
  promise,
  write,
} from "./node-medium.ts";
import { config, rebuild } from "./scenario.ts";

interface NodeCommon extends NodeMedium {
  nowMs: number;
  readonly timers: Map<string, number>;
}

export type Node = NodeCommon &
  (
    | { readonly kind: "coordinator"; readonly machine: CoordinatorState }
    | { readonly kind: "pod"; readonly machine: PodState<Position> }
    | { readonly kind: "stash"; readonly machine: StashState<Position> }
  );

export type NodeEvent =
  | MediumEvent
  | { readonly type: "timer"; readonly key: string }
  | { readonly type: "message"; readonly from: Address; readonly message: Message }
  | { readonly type: "start"; readonly bootId: number }
  | { readonly type: "request"; readonly request: CoordinatorEvent };

export type Answer = Extract<CoordinatorEffect, { type: `answer${string}` }>;

export interface Output {
  readonly sends: { readonly to: Address; readonly message: Message }[];
  readonly answers: Answer[];
  readonly kills: MediumRecord[];
  readonly halts: string[];
}

export interface Kept {
  readonly shards: readonly Shard[];
  readonly refusals: readonly Refusal[];
}

const ORDERS_FROM_MS = 1e12;

const common = (kept: Kept): NodeCommon => ({
  nowMs: 0,
  timers: new Map(),
  records: kept.shards.map((shard, index) => ({ shard, position: index + 1, state: "durable" })),
  promises: kept.refusals.map((refusal) => ({ refusal, isDurable: true, isPending: false })),
  isFlushing: false,
  revision: 0,
});

export function coordinatorNode(isStashEnabled: boolean): Node {
  const options = {
    bootId: 1,
    config,
    smallUploadBytesMax: SMALL_UPLOAD_BYTES_MAX,
    isStashEnabled,
    // Late answers to an earlier boot do not occur: a power cut forgets the messages in flight.
    firstRequestId: 1,
  };
  const machine = createCoordinator(options);
  // Starts ahead of every wall clock, so that version orders do not reveal when an upload began.
  machine.clock.timeMs = ORDERS_FROM_MS;
  return { ...common({ shards: [], refusals: [] }), kind: "coordinator", machine };
}

export function podNode(podIndex: number, kept: Kept): Node {
  return { ...common(kept), kind: "pod", machine: createPod<Position>(config, podIndex) };
}

export function stashNode(deviceId: number, kept: Kept): Node {
  const machine = createStash<Position>({ deviceId, config });
  // Two uploads never reach the bound of these maps, and plain maps can be copied and written as text.
  Object.assign(machine, { purgedEarly: new Map(), deadUploads: new Map() });
  return { ...common(kept), kind: "stash", machine };
}

export function stepNode(node: Node, event: NodeEvent, machines: Machines): Output {
  const output: Output = { sends: [], answers: [], kills: [], halts: [] };
  if (event.type === "timer") {
    node.nowMs = Math.max(node.nowMs, node.timers.get(event.key) ?? node.nowMs);
    node.timers.delete(event.key);
  }
  if (node.kind === "coordinator") stepCoordinatorNode(node, event, machines, output);
  else if (node.kind === "pod") stepPodNode(node, event, machines, output);
  else stepStashNode(node, event, machines, output);
  return output;
}

type NodeOf<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

function stepCoordinatorNode(
  node: NodeOf<"coordinator">,
  event: NodeEvent,
  machines: Machines,
  output: Output,
): void {
  const hands = recordingHands(node, output);
  const clients: CoordinatorClients = {
    put: (token, outcome) => output.answers.push({ type: "answerPut", token, outcome }),
    get: (token, outcome) => output.answers.push({ type: "answerGet", token, outcome }),
    list: (token, outcome) => output.answers.push({ type: "answerList", token, outcome }),
  };
  const events: CoordinatorEvent[] = [coordinatorEvent(event)];
  const reconstruct: Reconstruct = (uploadId, shards, missing) =>
    events.push({ type: "reconstructed", uploadId, shards: rebuild(shards, missing) });
  for (let next = events.shift(); next; next = events.shift()) {
    for (const effect of machines.coordinator(node.machine, next, node.nowMs))
      carryOutOfCoordinator(effect, hands, clients, reconstruct);
  }
}

function recordingHands(node: Node, output: Output): MachineHands {
  return {
    send: (to, message) => output.sends.push({ to, message }),
    setTimer: (key, delayMs) => node.timers.set(key, node.nowMs + delayMs),
  };
}

function coordinatorEvent(event: NodeEvent): CoordinatorEvent {
  if (event.type === "request") return event.request;
  if (event.type === "start") return { type: "started" };
  assert(event.type === "timer" || event.type === "message");
  return event;
}

function stepPodNode(node: NodeOf<"pod">, event: NodeEvent, machines: Machines, output: Output): void {
  const events: PodEvent<Position>[] = [podEvent(node, event)];
  const hands = recordingHands(node, output);
  const log: PodLog<Position> = {
    ...killAndLoad(
      node,
      (record) => output.kills.push(record),
      (answer) => events.push(answer),
    ),
    append: (shard) => events.push(arrived(write(node, shard))),
    flush: () => beginSync(node),
    persistRefusal: (refusal) => promise(node, refusal),
    // The next boot does not know how uploads ended, and finds promises that no longer matter: both make recovery
    // harder.
    remember: () => {},
    forgetRefusal: () => {},
    // Horizons are raised by a timer that the search does not fire.
    persistHorizon: () => {},
  };
  for (let next = events.shift(); next; next = events.shift()) {
    for (const effect of machines.pod(node.machine, next, node.nowMs))
      carryOutOfPod(effect, hands, log, (reason) => output.halts.push(reason));
  }
}

function podEvent(node: NodeOf<"pod">, event: NodeEvent): PodEvent<Position> {
  if (event.type === "flushed") {
    assert(node.isFlushing);
    node.isFlushing = false;
    endSync(node);
    return { type: "flushed" };
  }
  if (event.type === "promiseSynced") {
    node.revision += 1;
    for (const promise of node.promises) {
      if (promise.refusal.uploadId !== event.uploadId) continue;
      promise.isDurable = true;
      promise.isPending = false;
    }
    return { type: "refusalPersisted", uploadId: event.uploadId };
  }
  if (event.type === "start") {
    const { podIndex, driveId } = node.machine.identity;
    const identity = { podIndex, driveId, bootId: event.bootId };
    const refusals = node.promises.map(({ refusal }) => refusal);
    return { type: "recovered", identity, shards: logged(node), refusals, horizon: LOWEST_ORDER };
  }
  assert(event.type === "timer" || event.type === "message");
  return event;
}

function stepStashNode(node: NodeOf<"stash">, event: NodeEvent, machines: Machines, output: Output): void {
  const events: StashEvent<Position>[] = stashEvents(node, event);
  const hands = recordingHands(node, output);
  const log: StashLog<Position> = {
    ...killAndLoad(
      node,
      (record) => output.kills.push(record),
      (answer) => events.push(answer),
    ),
    append: (shard) => write(node, shard),
  };
  for (let next = events.shift(); next; next = events.shift()) {
    for (const effect of machines.stash(node.machine, next, node.nowMs))
      carryOutOfStash(effect, hands, log, (reason) => output.halts.push(reason));
  }
}

function stashEvents(node: NodeOf<"stash">, event: NodeEvent): StashEvent<Position>[] {
  if (event.type === "committed") {
    const record = node.records[event.position - 1];
    assert(record?.state === "cached");
    record.state = "durable";
    node.revision += 1;
    return [arrived(record)];
  }
  if (event.type === "start") return [{ type: "recovered", shards: logged(node) }];
  assert(event.type === "timer" || event.type === "message");
  return [event];
}
