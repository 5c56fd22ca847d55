/** Judges the requests to a pod's shell as they are made and as they complete. */
import type { ShellWatch } from "@stashlight/shard-store/shell";
import type { PodEffect, PodEvent, UploadHeader, UploadId } from "@stashlight/write-path";
import type { Oracle, Violation } from "../check/oracle.ts";
import { versionsOf } from "../check/read-entries.ts";
import type { Position } from "../medium/medium.ts";
import type { SimulatedPod } from "./machines.ts";

/** A tombstone waits eight seconds for free space, part of which may precede the end of the faults. */
const RELIEVED_WITHIN_US = 10_000_000;

export interface JudgedWorld {
  readonly oracle: Oracle;
  readonly queue: { readonly nowUs: number };
  readonly healedUs: number;
  readonly onHorizonChosen: (() => void) | null;
  report(violation: Violation | null): void;
}

type Judgement = Pick<ShellWatch<PodEvent<Position>, PodEffect<Position>>, "asked" | "carriedOut">;

export function judgePod(world: JudgedWorld, pod: SimulatedPod): Judgement {
  const { memory } = pod;
  return {
    asked: (effect) => {
      if (effect.type === "append") {
        judgeAppend(world, pod, effect.shard.upload);
        if (effect.room === "removal") memory.removalAppended(effect.shard.upload.uploadId);
      } else if (effect.type === "forgetRefusal") memory.promiseForgotten(effect.uploadId);
    },
    carriedOut: (effect) => {
      if (effect.type === "kill") hearKill(world, pod, effect.uploadId);
      else if (effect.type === "persistHorizon") world.onHorizonChosen?.();
      else if (effect.type === "remember")
        world.report(memory.judgeRemembered(effect.position, effect.outcome));
      else if (effect.type === "halt") world.report(judgeHalt(pod));
    },
  };
}

function judgeHalt({ podIndex, state }: SimulatedPod): Violation | null {
  if (state === null) return null;
  const sentence = `Pod ${podIndex} halted, and its process has not ended.`;
  return { property: "liveness", sentence };
}

function judgeAppend(world: JudgedWorld, { memory, state }: SimulatedPod, upload: UploadHeader): void {
  const versions = versionsOf(state, upload);
  // Below a later version it is hidden, and dropped at the next flush.
  if (versions === null || versions.some(({ upload: { order } }) => order > upload.order)) return;
  world.report(memory.judgeAppend(upload));
}

function hearKill({ oracle }: JudgedWorld, { memory, state }: SimulatedPod, uploadId: UploadId): void {
  const deletion = oracle.forgottenDeletion(uploadId);
  if (deletion === null || state === null) return;
  // A deletion that was proved dead may still be repaired if a pod that its drive has deceived vouches for the
  // deletion.
  const isBelowFloor = deletion.order < state.floor;
  if (isBelowFloor && versionsOf(state, deletion)?.length === 0) memory.deletionForgotten(deletion);
}

/**
 * Reports a pod without space for a deletion; but while disks hang nothing is dropped, and a pod may exhaust its
 * reserve.
 */
export function judgeReserve(world: JudgedWorld, podIndex: number, uploadId: UploadId): void {
  if (world.queue.nowUs < world.healedUs + RELIEVED_WITHIN_US) return;
  const sentence = `Pod ${podIndex} had no space for deletion ${uploadId}, although space is reserved for deletions.`;
  world.report({ property: "liveness", sentence });
}
