/**
 * A coordinator counts answers; it encodes and stores nothing itself. No later coordinator needs its state: if it
 * dies, any other one can resolve its uploads (resolve-outcome.ts).
 */
import type { CoordinatorEffect, CoordinatorEvent } from "../effects.ts";
import type { Address, Message } from "../messages/index.ts";
import { isOfStranger } from "../speaker.ts";
import { higherOf, observeOrder } from "../version-order.ts";
import {
  confirmed,
  deviceLost,
  podAppended,
  podRebooted,
  podRefused,
  put,
  putEnded,
  putTimer,
  stashAppended,
} from "./acknowledge-put.ts";
import { toAllPods } from "./asked-nodes.ts";
import { configure } from "./configure.ts";
import { found, get, readEnded, readLoaded, readTimer, stashFound } from "./get-object.ts";
import { list, listEnded, listed, listedAlike, listTimer, stashListed } from "./list-objects.ts";
import { isLookDue } from "./lost.ts";
import { reconstructed, resolutionLoaded } from "./rebuild.ts";
import { forgetAnswersOf, probed, repaired, resolve, resolveTimer, stashProbed } from "./resolve-outcome.ts";
import { type CoordinatorRefusal, type CoordinatorState, countRefusal, floorOf } from "./state.ts";

/**
 * Number of running resolutions from which on pods' requests for more are ignored; pods ask again. Each resolution
 * asks every node twice per second.
 */
const RESOLUTIONS_FOR_PODS_MAX = 256;
/** Pods announce themselves when they start; a greeting replaces lost announcements. */
const GREET_EVERY_MS = 1000;

export function stepCoordinator(
  state: CoordinatorState,
  event: CoordinatorEvent,
  nowMs: number,
): CoordinatorEffect[] {
  const effects = handle(state, event, nowMs);
  // An outcome may start another resolution, which may also end at once.
  for (let next = state.ended.shift(); next !== undefined; next = state.ended.shift()) {
    effects.push(...tellWaiter(state, next, nowMs));
  }
  return effects;
}

function tellWaiter(
  state: CoordinatorState,
  { waiter, uploadId, end }: CoordinatorState["ended"][number],
  nowMs: number,
): CoordinatorEffect[] {
  if (waiter.type === "put") return putEnded(state, waiter.uploadId, end);
  if (waiter.type === "read") return readEnded(state, waiter.readId, uploadId, end, nowMs);
  return listEnded(state, waiter.listId, uploadId, end, nowMs);
}

function handle(state: CoordinatorState, event: CoordinatorEvent, nowMs: number): CoordinatorEffect[] {
  switch (event.type) {
    case "started":
      return greet(state);
    case "put":
      return put(state, event, nowMs);
    case "get":
      return get(state, event, nowMs);
    case "list":
      return list(state, event, nowMs);
    case "reconstructed":
      return reconstructed(state, event.uploadId, event.shards);
    case "timer":
      return onTimer(state, event.key, nowMs);
    case "deviceLost":
      return deviceLost(state, event.deviceId, nowMs);
    case "configured":
      return configure(state, event.config, nowMs);
    case "clockMoved":
      state.clock.wallAheadMs = event.wallAheadMs;
      return [];
    case "message":
      return hear(state, event.from, event.message, nowMs);
  }
}

function hear(state: CoordinatorState, from: Address, message: Message, nowMs: number): CoordinatorEffect[] {
  const refusal = refusalOf(state, from, message);
  if (refusal !== null) {
    countRefusal(state, refusal);
    return [];
  }
  const belief = from.startsWith("p") ? state.pods[Number(from.slice(1))] : undefined;
  if (belief) belief.heardMs = nowMs;
  return [...observePod(state, message, nowMs), ...receive(state, message, nowMs)];
}

/** Answers are counted by node, so each must come from the node that it names, which must be in this vault. */
function refusalOf(state: CoordinatorState, from: Address, message: Message): CoordinatorRefusal | null {
  if (isOfStranger(from, message)) return "message of a stranger";
  const id = Number(from.slice(1));
  const isOfVault = from.startsWith("p") ? state.pods[id] !== undefined : state.devices.has(id);
  return isOfVault ? null : "answer from outside the vault";
}

function greet(state: CoordinatorState): CoordinatorEffect[] {
  return [
    ...toAllPods(state, { type: "pod.greet", floor: floorOf(state) }),
    { type: "setTimer", key: "greet", delayMs: GREET_EVERY_MS },
  ];
}

function onTimer(state: CoordinatorState, key: string, nowMs: number): CoordinatorEffect[] {
  const separator = key.indexOf(":");
  const id = key.slice(separator + 1);
  switch (key.slice(0, separator)) {
    case "put":
      return putTimer(state, id, nowMs);
    case "read":
      return readTimer(state, Number(id), nowMs);
    case "list":
      return listTimer(state, Number(id), nowMs);
    case "resolve":
      return resolveTimer(state, id, nowMs);
    default:
      return greet(state);
  }
}

/** Every answer names a pod's boot. Requests to an earlier boot will not be answered, and answers from it are void. */
function observePod(state: CoordinatorState, message: Message, nowMs: number): CoordinatorEffect[] {
  const [podIndex, bootId, isSettled] = identityIn(message);
  const pod = state.pods[podIndex];
  if (!pod || bootId < pod.bootId) return [];
  if (isSettled !== null) pod.isSettled = isSettled;
  if (message.type === "coordinator.hello") {
    pod.room = message.room;
    pod.sentBytesAtReport = state.sentBytes;
    state.floor = higherOf(state.floor, message.floor);
    if (message.finalBelow > pod.finalBelow) pod.finalBelow = message.finalBelow;
    observeOrder(state.clock, message.closedBelow);
  } else if (message.type === "coordinator.podRefused" && message.reason === "full") {
    pod.room = { ...pod.room, freeBytes: 0 };
  }
  if (bootId === pod.bootId) return [];
  pod.bootId = bootId;
  return [...podRebooted(state, podIndex, nowMs), ...forgetAnswersOf(state, podIndex, bootId)];
}

function identityIn(message: Message): [podIndex: number, bootId: number, isSettled: boolean | null] {
  switch (message.type) {
    case "coordinator.hello":
      return [message.pod.podIndex, message.pod.bootId, message.isSettled];
    case "coordinator.probed":
      return [message.podIndex, message.bootId, message.isSettled];
    case "coordinator.podAppended":
    case "coordinator.podRefused":
    case "coordinator.confirmed":
      return [message.podIndex, message.bootId, null];
    case "coordinator.stashAppended":
      return [message.shardIndex, message.podBootId, null];
    default:
      return [-1, 0, null];
  }
}

function receive(state: CoordinatorState, message: Message, nowMs: number): CoordinatorEffect[] {
  switch (message.type) {
    case "coordinator.podAppended":
      return [...podAppended(state, message, nowMs), ...repaired(state, message, nowMs)];
    case "coordinator.podRefused":
      return podRefused(state, message, nowMs);
    case "coordinator.confirmed":
      return confirmed(state, message, nowMs);
    case "coordinator.stashAppended":
      return stashAppended(state, message, nowMs);
    case "coordinator.found":
      return found(state, message, nowMs);
    case "coordinator.stashFound":
      return stashFound(state, message, nowMs);
    case "coordinator.listed":
      return listed(state, message, nowMs);
    case "coordinator.listedAlike":
      return listedAlike(state, message, nowMs);
    case "coordinator.stashListed":
      return stashListed(state, message, nowMs);
    case "coordinator.probed":
      return probed(state, message, nowMs);
    case "coordinator.stashProbed":
      return stashProbed(state, message, nowMs);
    case "coordinator.loaded":
      return [...readLoaded(state, message, nowMs), ...resolutionLoaded(state, message)];
    case "coordinator.resolve":
      // Pods ask again at growing intervals.
      if (state.resolutions.size >= RESOLUTIONS_FOR_PODS_MAX) return [];
      if (!isLookDue(state, message.upload, nowMs)) return [];
      return resolve(state, message.upload, null, false, nowMs);
    default:
      return [];
  }
}
