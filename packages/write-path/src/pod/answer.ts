/** A pod's answers about the shards that it holds. */
import type { Send } from "../effects.ts";
import type { Address, PodProbeAnswer } from "../messages/index.ts";
import type { UploadHeader } from "../shard.ts";
import { LOWEST_ORDER, type VersionOrder } from "../version-order.ts";
import { isInDoubt } from "./doubt.ts";
import { type EntryView, holdsShard, type ProbeWaiter } from "./entry.ts";
import { isBelowHorizon } from "./horizon.ts";
import { isVouchedFor, type PodState } from "./state.ts";

export function answerAppend<Position>(
  state: PodState<Position>,
  entry: EntryView<Position>,
  to: Address,
): Send {
  const { podIndex, bootId } = state.identity;
  const result = entry.state === "durable" ? "durable" : "written";
  const { uploadId } = entry.upload;
  return {
    type: "send",
    to,
    message: { type: "coordinator.podAppended", uploadId, podIndex, bootId, result },
  };
}

export function answerProbe<Position>(state: PodState<Position>, waiter: ProbeWaiter): Send {
  const { podIndex, bootId } = state.identity;
  const { requestId, upload, to } = waiter;
  const entry = state.entries.get(upload.uploadId);
  const message = {
    type: "coordinator.probed",
    requestId,
    podIndex,
    bootId,
    isSettled: state.lifecycle === "settled",
    answer: probeAnswer(state, upload),
    committedOrder: committedOrderOf(state, upload),
    isCommitted: entry !== undefined && isVouchedFor(state, entry),
  } as const;
  return { type: "send", to, message };
}

function probeAnswer<Position>(state: PodState<Position>, upload: UploadHeader): PodProbeAnswer {
  const entry = state.entries.get(upload.uploadId);
  if (entry && isInDoubt(state, entry)) return "written";
  if (entry && holdsShard(entry)) return entry.state === "durable" ? "durable" : "written";
  // A shard on its way to the log counts as held.
  if (entry?.state === "appending") return "written";
  const promise = state.refused.get(upload.uploadId);
  // The pod may have learned of the upload since it promised.
  if (promise?.isDurable) return promise.isKnowing ? "knownRefused" : "refused";
  if (state.damaged.has(upload.uploadId)) return "damaged";
  if (isBelowHorizon(state, upload)) return entry ? "knownRefused" : "refused";
  if (entry) return "known";
  if (committedOrderOf(state, upload) > upload.order) return "superseded";
  return "absent";
}

/** Order of the key's highest version that this pod knows to be committed. */
export function committedOrderOf<Position>(state: PodState<Position>, upload: UploadHeader): VersionOrder {
  const versions = state.entries.versionsOf(upload);
  return versions.findLast((entry) => entry.outcome !== null)?.upload.order ?? LOWEST_ORDER;
}
