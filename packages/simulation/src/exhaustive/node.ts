/**
 * One node of the small vault: a machine, its medium, its timers and its own clock, all plain data. A step changes it
 * in place and tells what left it; the search steps copies.
 *
 * The medium: a write to a pod's page cache is answered at once; a flush is one later event, after which all that was
 * written before it began is durable. On a stash device each record that waits may be the next to become durable; a
 * group commit of several is several such events with nothing in between. Reading is answered at once. What is cached,
 * waiting, being synced or killed may or may not be there after a power cut.
 */
import assert from "node:assert/strict";
import {
  type Address,
  type CoordinatorEffect,
  type CoordinatorEvent,
  type CoordinatorState,
  createCoordinator,
  createPod,
  createStash,
  type LogEffect,
  type LogEvent,
  type Message,
  type PodEvent,
  type PodState,
  type Refusal,
  type Shard,
  SMALL_UPLOAD_BYTES_MAX,
  type StashEvent,
  type StashState,
  type UploadId,
} from "@stashlight/write-path";
import type { Machines, Position } from "./machines.ts";
import { config, rebuild } from "./scenario.ts";

export interface MediumRecord {
  readonly shard: Shard;
  readonly position: Position;
  state: "cached" | "syncing" | "durable" | "killed";
}

interface NodeCommon {
  nowMs: number;
  readonly timers: Map<string, number>;
  readonly records: MediumRecord[];
  readonly promises: { readonly refusal: Refusal; isDurable: boolean; isPending: boolean }[];
  isFlushing: boolean;
  /** Counts changes of the medium. */
  revision: number;
}

export type Node = NodeCommon &
  (
    | { readonly kind: "coordinator"; readonly machine: CoordinatorState }
    | { readonly kind: "pod"; readonly machine: PodState<Position> }
    | { readonly kind: "stash"; readonly machine: StashState<Position> }
  );

export type MediumEvent =
  | { readonly type: "flushed" }
  | { readonly type: "committed"; readonly position: Position }
  | { readonly type: "promiseSynced"; readonly uploadId: UploadId };

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
    // Late answers to a boot that is over do not exist here: a power cut forgets the messages in flight.
    firstRequestId: 1,
  };
  const machine = createCoordinator(options);
  // It has heard of an order ahead of every wall clock, so that orders do not tell when an upload began.
  machine.clock.timeMs = ORDERS_FROM_MS;
  return { ...common({ shards: [], refusals: [] }), kind: "coordinator", machine };
}

export function podNode(podIndex: number, kept: Kept): Node {
  return { ...common(kept), kind: "pod", machine: createPod<Position>(config, podIndex) };
}

export function stashNode(deviceId: number, kept: Kept): Node {
  const machine = createStash<Position>({ deviceId, config });
  // Two uploads never reach the bound of these maps, and plain ones can be copied and written as text.
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
  const events: CoordinatorEvent[] = [coordinatorEvent(event)];
  for (let next = events.shift(); next; next = events.shift()) {
    for (const effect of machines.coordinator(node.machine, next, node.nowMs)) {
      if (effect.type === "send") output.sends.push(effect);
      else if (effect.type === "setTimer") node.timers.set(effect.key, node.nowMs + effect.delayMs);
      else if (effect.type === "reconstruct") {
        const { uploadId, shards, missing } = effect;
        events.push({ type: "reconstructed", uploadId, shards: rebuild(shards, missing) });
      } else output.answers.push(effect);
    }
  }
}

function coordinatorEvent(event: NodeEvent): CoordinatorEvent {
  if (event.type === "request") return event.request;
  if (event.type === "start") return { type: "started" };
  assert(event.type === "timer" || event.type === "message");
  return event;
}

function stepPodNode(node: NodeOf<"pod">, event: NodeEvent, machines: Machines, output: Output): void {
  const events: PodEvent<Position>[] = [podEvent(node, event)];
  for (let next = events.shift(); next; next = events.shift()) {
    for (const effect of machines.pod(node.machine, next, node.nowMs)) {
      if (effect.type === "send") output.sends.push(effect);
      else if (effect.type === "setTimer") node.timers.set(effect.key, node.nowMs + effect.delayMs);
      else if (effect.type === "halt") output.halts.push(effect.reason);
      else if (effect.type === "flush") beginSync(node);
      else if (effect.type === "persistRefusal") promise(node, effect.refusal);
      else if (effect.type === "append") events.push(arrived(write(node, effect.shard)));
      // That the next boot is not told is the harder case.
      else if (effect.type !== "remember") events.push(...killOrLoad(node, effect, output));
    }
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
    return { type: "recovered", identity, shards: logged(node), refusals };
  }
  assert(event.type === "timer" || event.type === "message");
  return event;
}

function stepStashNode(node: NodeOf<"stash">, event: NodeEvent, machines: Machines, output: Output): void {
  const events: StashEvent<Position>[] = stashEvents(node, event);
  for (let next = events.shift(); next; next = events.shift()) {
    for (const effect of machines.stash(node.machine, next, node.nowMs)) {
      if (effect.type === "send") output.sends.push(effect);
      else if (effect.type === "setTimer") node.timers.set(effect.key, node.nowMs + effect.delayMs);
      else if (effect.type === "halt") output.halts.push(effect.reason);
      else if (effect.type === "append") write(node, effect.shard);
      else events.push(...killOrLoad(node, effect, output));
    }
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

function write(node: Node, shard: Shard): MediumRecord {
  const record: MediumRecord = { shard, position: node.records.length + 1, state: "cached" };
  node.records.push(record);
  node.revision += 1;
  return record;
}

/** Said twice, it is the same promise. */
function promise(node: Node, refusal: Refusal): void {
  const { uploadId, isKnowing } = refusal;
  const said = node.promises.find(
    (p) => p.refusal.uploadId === uploadId && p.refusal.isKnowing === isKnowing,
  );
  if (said) said.isPending = true;
  else node.promises.push({ refusal, isDurable: false, isPending: true });
  node.revision += 1;
}

function arrived({ shard, position }: MediumRecord): LogEvent<Position> {
  return { type: "appended", uploadId: shard.upload.uploadId, shardIndex: shard.shardIndex, position };
}

function beginSync(node: Node): void {
  node.isFlushing = true;
  for (const record of node.records) if (record.state === "cached") record.state = "syncing";
}

function endSync(node: Node): void {
  const covered = node.records.filter((record) => record.state === "syncing");
  for (const record of covered) record.state = "durable";
  node.revision += 1;
}

function killOrLoad(
  node: Node,
  effect: Exclude<LogEffect<Position>, { type: "append" }>,
  output: Output,
): LogEvent<Position>[] {
  const record = node.records[effect.position - 1];
  assert(record !== undefined, "a machine named a position that its log never gave");
  if (effect.type === "load") {
    const { loadId } = effect;
    return [{ type: "loaded", loadId, shard: record.state === "killed" ? null : record.shard }];
  }
  if (record.state !== "killed") output.kills.push({ ...record });
  record.state = "killed";
  node.revision += 1;
  return [];
}

function logged({ records }: Node) {
  return records.map(({ shard, position }) => {
    const { upload, shardIndex, payloadCrc } = shard;
    return { upload, shardIndex, payloadCrc, position, outcome: null };
  });
}

/** Medium events that are under way at this node. */
export function mediumEventsOf(node: Node): MediumEvent[] {
  const events: MediumEvent[] = node.isFlushing ? [{ type: "flushed" }] : [];
  for (const { position, state } of node.kind === "stash" ? node.records : []) {
    if (state === "cached") events.push({ type: "committed", position });
  }
  for (const { refusal, isPending } of node.promises) {
    if (isPending) events.push({ type: "promiseSynced", uploadId: refusal.uploadId });
  }
  return events;
}
