/**
 * Ends of a shard on a stash device.
 *
 * # Why a purge can never lose data
 *
 * A purge is the only message that destroys what may be the last durable copy of a shard, so a device obeys one only if
 * every field of it is valid at this moment:
 *
 * 1. *Owner.* Pod i purges shard i and no other. Pods never purge for each other.
 * 2. *Bytes.* The entry names upload id, shard index and payload checksum; all three must be those of the record here.
 *    Upload ids are unique to an attempt, so an overwrite of the same key is another upload.
 * 3. *Location.* It names the drive on which the pod holds them, and that must be the pod's drive in the current
 *    placement epoch. A pod sends a purge only after the fdatasync that covered the shard returned without error on
 *    that drive (packages/write-path/src/pod/flush.ts asserts it). A swapped or reformatted drive has another id and
 *    raises the epoch: a purge of the old drive that was still in transit no longer matches.
 * 4. *Sender.* It names the pod's boot, which must be the newest the pod announced to this device. A pod whose
 *    fdatasync failed ends and starts again with a higher boot id; its earlier messages are void, so a purge can never
 *    rely on an fsync that the kernel retracted.
 *
 * An invalid purge is refused and counted, and nothing changes. Refusing, losing or forgetting a purge is safe: the
 * shard stays here, is offered to its pod again, and the pod answers with a valid purge. So the copy on the stash ends
 * only after the copy on the pod is durable, whatever is lost, duplicated, late or out of order in between.
 *
 * The other way a shard ends here is `stash.discard`: the upload is dead, proved by 2m pods that promised durably never
 * to take it (see coordinator/resolve-outcome.ts).
 */
import { isDeathProof } from "../death-proof.ts";
import type { StashEffect } from "../effects.ts";
import type { Address, StashMessage } from "../messages/index.ts";
import { quorumsOf } from "../quorums.ts";
import { isOfStranger } from "../speaker.ts";
import { answerAppend, nameOf, refuse } from "./append.ts";
import { askToAnnounce } from "./handoff.ts";
import {
  countRefusal,
  entryOf,
  removeEntry,
  type StashEntry,
  type StashRefusal,
  type StashState,
} from "./state.ts";

type Received<Type extends StashMessage["type"]> = Extract<StashMessage, { type: Type }>;

export function purge<Position>(
  state: StashState<Position>,
  from: Address,
  message: Received<"stash.purge">,
): StashEffect<Position>[] {
  const stranger = strangerReason(state, from, message);
  if (stranger !== null) {
    // The pod announces itself again and repeats everything that is still true.
    return refuse(state, stranger, [askToAnnounce(state, message.pod.podIndex)]);
  }
  // A poisoned device writes nothing, not even that a shard is dead.
  if (state.lifecycle === "poisoned") return [];
  const effects: StashEffect<Position>[] = [];
  for (const { uploadId, shardIndex, payloadCrc } of message.entries) {
    if (shardIndex !== message.pod.podIndex) {
      countRefusal(state, "purge of another pod's shard");
      continue;
    }
    const entry = entryOf(state, uploadId, shardIndex);
    if (!entry) state.purgedEarly.set(nameOf(uploadId, shardIndex), payloadCrc);
    // A damaged shard may be the last copy and become readable later, and its header has the checksum.
    else if (entry.payloadCrc !== payloadCrc) countRefusal(state, "purge of other bytes");
    else effects.push(...remove(state, entry, "durable"));
  }
  if (effects.length > 0) state.takingPods.add(message.pod.podIndex);
  return effects;
}

/** Returns the reason why the sender is not the pod that holds its shards now; null if it is. */
function strangerReason<Position>(
  state: StashState<Position>,
  from: Address,
  message: Received<"stash.purge">,
): StashRefusal | null {
  const { pod, epoch } = message;
  if (isOfStranger(from, message)) return "purge of another pod's shard";
  if (epoch !== state.config.epoch) return "purge from another epoch";
  if (pod.driveId !== state.config.podDriveIds[pod.podIndex]) return "purge from another drive";
  if (pod.bootId !== state.pods.get(pod.podIndex)?.bootId) return "purge from another boot";
  return null;
}

export function discard<Position>(
  state: StashState<Position>,
  from: Address,
  message: Received<"stash.discard">,
): StashEffect<Position>[] {
  const { upload, proof } = message;
  if (isOfStranger(from, message)) return refuse(state, "message of a stranger", []);
  if (!isDeathProof(proof, upload, quorumsOf(state.config.scheme), "bury"))
    return refuse(state, "discard without proof", []);
  state.deadUploads.set(upload.uploadId, true);
  if (state.lifecycle === "poisoned") return [];
  return [...(state.entries.get(upload.uploadId) ?? [])].flatMap((entry) => remove(state, entry, "failed"));
}

/**
 * Removes a purged or discarded entry, and answers the nodes that still wait for its group commit. A record on its way
 * to the log is killed when it arrives there.
 */
function remove<Position>(
  state: StashState<Position>,
  entry: StashEntry<Position>,
  result: "durable" | "failed",
): StashEffect<Position>[] {
  const { upload, shardIndex, position } = entry;
  const { uploadId } = upload;
  removeEntry(state, entry);
  const answers = entry.waiters.map((to) => answerAppend(state, to, uploadId, shardIndex, result));
  if (position !== null) return [...answers, { type: "kill", uploadId, shardIndex, position }];
  if (result === "durable") state.purgedEarly.set(nameOf(uploadId, shardIndex), entry.payloadCrc);
  return answers;
}
