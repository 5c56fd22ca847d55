/** What the answers of pods and devices to a resolution add up to, and which of two answers of one pod counts. */
import type { PodProbeAnswer } from "../messages.ts";
import type { CoordinatorState, Resolution } from "./state.ts";

/** How long silent nodes are waited for before the others' answers decide. */
const PATIENCE_MS = 500;

export interface Tally {
  durable: number[];
  /** They hold the shard, durably or not. */
  holding: number[];
  refused: number[];
  /** Distinct shards found anywhere. */
  shardCount: number;
  hasAllAnswers: boolean;
  /** Silent nodes may still answer in time. */
  isPatient: boolean;
  hasAllSettled: boolean;
}

export function tally(state: CoordinatorState, { pods, stash, startedMs }: Resolution, nowMs: number): Tally {
  const of = (...answers: string[]) =>
    [...pods].flatMap(([podIndex, { answer }]) => (answers.includes(answer) ? [podIndex] : []));
  const holding = of("written", "durable");
  const hasAllAnswers = pods.size === state.pods.length && stash.size === state.devices.size;
  return {
    durable: of("durable"),
    holding,
    refused: of("refused", "knownRefused"),
    shardCount: new Set([...holding, ...[...stash.values()].flat()]).size,
    hasAllAnswers,
    isPatient: !hasAllAnswers && nowMs - startedMs < PATIENCE_MS,
    hasAllSettled: pods.size === state.pods.length && [...pods.values()].every((pod) => pod.isSettled),
  };
}

/**
 * Answers may overtake each other. Within a boot a promise is never taken back before the upload is proved to live, and
 * what is durable ends in nothing but a promise, after a proof that the upload is dead.
 */
export function isFinal(known: PodProbeAnswer, next: PodProbeAnswer): boolean {
  return hasPromised(known) || (known === "durable" && !hasPromised(next));
}

export function hasPromised(answer: PodProbeAnswer): boolean {
  return answer === "refused" || answer === "knownRefused";
}
