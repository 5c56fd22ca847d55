/** Saves the index of a pod at a clean shutdown, so that the next boot continues with it (`IndexPages.takeLeft`). */
import { setTimeout as delay } from "node:timers/promises";
import { saveBoot } from "@stashlight/shard-store";
import { monotonicNowMs } from "../host/clock.ts";
import type { CheckpointedBoot, IndexCheckpoints } from "./index-checkpoints.ts";

/** The next start continues with the index that this stop leaves, or with the last checkpoint if there is one. */
export type StopObservation =
  | { readonly type: "indexSaved"; readonly durationMs: number }
  | { readonly type: "indexNotSaved"; readonly reason: string };

/** Time limit at shutdown for the drive's pending answers to reach the machine, far below that of the process. */
const QUIET_WITHIN_MS = 3000;
const QUIET_POLL_MS = 5;

/**
 * Ends a running machine and its store, and saves their index. Returns null, and ends nothing, if another drive has taken
 * the place while a checkpoint ended or the machine waited for answers.
 */
export async function saveIndex(
  { running, pages, savePod }: CheckpointedBoot,
  checkpoints: IndexCheckpoints | null,
  isReplaced: () => boolean,
): Promise<StopObservation | null> {
  const { store, shell } = running;
  await checkpoints?.end();
  if (isReplaced()) return null;
  if (checkpoints?.isBusy) return { type: "indexNotSaved", reason: "a checkpoint of it has not ended" };
  const startMs = monotonicNowMs();
  while (!store.isQuiet && monotonicNowMs() - startMs < QUIET_WITHIN_MS) await delay(QUIET_POLL_MS);
  if (isReplaced()) return null;
  store.writeOutcomes();
  shell.stop();
  const { memory, files } = pages;
  const refusal = pages.refusalToSave(store.log.stats().recordsLive);
  // Makes the next boot build another index instead of continuing from a checkpoint of this one.
  if (refusal !== null) await new Promise((removed) => files.removeRoot(removed));
  const pod = refusal ?? savePod();
  const reason = await new Promise<string | null>((done) => saveBoot({ store, pod, memory, files }, done));
  if (reason !== null) return { type: "indexNotSaved", reason };
  return { type: "indexSaved", durationMs: monotonicNowMs() - startMs };
}
