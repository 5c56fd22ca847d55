/**
 * Shards that a pod may hold without a vote for them.
 *
 * A pod votes for an upload by taking it from its author: never below another version that it has acknowledged, because
 * the author of that one may have acknowledged it on condition of the key's earlier version. A power cut loses votes
 * that were not flushed. The stash then hands the pod all shards that it kept for it, possibly including an upload that
 * the pod had refused for the sake of a vote that it no longer knows of. If it held such a shard as if it had voted,
 * the refused upload could come to life below the other.
 *
 * So a shard handed over before the pod had settled is in doubt until then, and afterwards while a version above it is
 * undecided: the pod reports the shard as written, and not as durable. So it counts among the existing shards, without
 * which an acknowledged upload could be taken for lost, and not among those that bring an upload to life. An upload
 * that lives has its quorum elsewhere, or gets it once the version above has ended.
 */
import type { UploadHeader } from "../shard.ts";
import type { EntryView } from "./entry.ts";
import type { PodState } from "./state.ts";

/**
 * Returns true if the pod has a higher version of the key. Its author may have acknowledged it on condition of the
 * key's earlier version, so no upload below it may come to life until that version is proved dead.
 */
export function isOvertaken<Position>(state: PodState<Position>, upload: UploadHeader): boolean {
  const top = state.entries.highestVersion(upload);
  return top !== undefined && upload.order < top.upload.order;
}

export function isInDoubt<Position>(
  state: PodState<Position>,
  { upload, outcome }: EntryView<Position>,
): boolean {
  if (outcome !== null || !state.handedOver.has(upload.uploadId)) return false;
  return state.lifecycle !== "settled" || isOvertaken(state, upload);
}
