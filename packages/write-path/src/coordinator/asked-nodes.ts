/** The nodes that a coordinator asks: all of a kind, or the pods in the order in which they are likely to answer. */
import type { CoordinatorEffect } from "../effects.ts";
import { type Message, podAddress, stashAddress } from "../messages/index.ts";
import type { CoordinatorState } from "./state.ts";

/** Pods greet back every second; a pod silent for this long is asked last. */
export const SILENCE_MS = 3000;

export function isSilent(state: CoordinatorState, podIndex: number, nowMs: number): boolean {
  return nowMs - (state.pods[podIndex]?.heardMs ?? Number.NEGATIVE_INFINITY) >= SILENCE_MS;
}

/** Returns true if too many pods are silent for anything to be acknowledged. */
export function isQuorumSilent(state: CoordinatorState, nowMs: number): boolean {
  const silent = state.pods.filter((_, podIndex) => isSilent(state, podIndex, nowMs));
  return silent.length >= state.quorums.defeat;
}

/**
 * Returns all pods, with the settled and responsive ones first, each group rotated to start at the pod that `turn`
 * names. An error costs only time: others are asked instead of a slow pod.
 */
export function likelyPods(state: CoordinatorState, turn: number, nowMs: number): number[] {
  const count = state.pods.length;
  const pods = Array.from({ length: count }, (_, i) => (turn + i) % count);
  const isLikely = (podIndex: number): boolean => {
    return state.pods[podIndex]?.isSettled === true && !isSilent(state, podIndex, nowMs);
  };
  return [...pods.filter(isLikely), ...pods.filter((podIndex) => !isLikely(podIndex))];
}

export function toAllPods(state: CoordinatorState, message: Message): CoordinatorEffect[] {
  return state.pods.map((_, podIndex) => ({ type: "send", to: podAddress(podIndex), message }));
}

export function toAllDevices(state: CoordinatorState, message: Message): CoordinatorEffect[] {
  return [...state.devices.keys()].map((deviceId) => ({ type: "send", to: stashAddress(deviceId), message }));
}
