/**
 * Shards that a pod may hold without a vote for them.
 *
 * A pod votes for an upload by taking it from its author: never below another version that it has acknowledged, because
 * the author of that one may have acknowledged it on condition of what was there. A power cut takes the votes that were
 * not flushed. The stash then hands the pod whatever it kept for it, and that may be an upload which the pod had refused
 * for the sake of a vote that it no longer knows of. While it held such a shard as if it had voted, the refused upload could
 * come to life below the other.
 *
 * So a shard that was handed over before the pod had settled is in doubt until then, and afterwards while a version above
 * it is undecided: the pod reports that the shard is written, and not that it is durable. So it counts among the shards that
 * there are, without which an acknowledged upload could be taken for lost, and not among those that bring an upload to
 * life. An upload that lives has its quorum elsewhere, or gets it when the version above has ended.
 */
import type { UploadHeader } from "../shard.ts";
import type { PodEntry } from "./entry.ts";
import { highestVersion } from "./objects.ts";
import type { PodState } from "./state.ts";

/**
 * Whether a higher version of the key is here. Its author may have acknowledged it on condition of what was there, so
 * nothing may come to life below it any more until that version is proved dead.
 */
export function isOvertaken<Position>(state: PodState<Position>, upload: UploadHeader): boolean {
  const top = highestVersion(state.objects, upload);
  return top !== undefined && upload.order < top.upload.order;
}

export function isInDoubt<Position>(
  state: PodState<Position>,
  { upload, outcome }: PodEntry<Position>,
): boolean {
  if (outcome !== null || !state.handedOver.has(upload.uploadId)) return false;
  return state.lifecycle !== "settled" || isOvertaken(state, upload);
}
