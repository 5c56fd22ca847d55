/**
 * A stash device: the SSD copy of shards whose pods have not flushed them yet.
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
import type { StashEffect, StashEvent } from "../effects.ts";
import type { Address, Message } from "../messages/index.ts";
import { find, list, load, probe } from "./answer-reads.ts";
import { append, appended, appendFailed, discard, purge } from "./append.ts";
import { askToAnnounce, loaded, noteCorrupt, offerLeftovers, offerTimer, pull } from "./handoff.ts";
import { addEntry, entryOf, type StashState } from "./state.ts";

export function stepStash<Position>(
  state: StashState<Position>,
  event: StashEvent<Position>,
  nowMs: number,
): StashEffect<Position>[] {
  switch (event.type) {
    case "recovered":
      for (const { upload, shardIndex, payloadCrc, position, isDamaged = false } of event.shards) {
        const arrival = state.nextArrival++;
        const entry = { upload, shardIndex, payloadCrc, position, arrival, waiters: [], offeredMs: nowMs };
        addEntry(state, { ...entry, state: "durable", isDamaged, unreadableSinceMs: null });
      }
      state.lifecycle = "serving";
      return [offerTimer, ...state.config.podDriveIds.map((_, podIndex) => askToAnnounce(state, podIndex))];
    case "occupancy":
      state.isFull = event.isFull;
      return [];
    case "configured":
      if (event.config.epoch > state.config.epoch) state.config = event.config;
      return [];
    case "appended":
      return appended(state, event, nowMs);
    case "appendFailed":
      return appendFailed(state, event);
    case "corrupt": {
      const entry = entryOf(state, event.uploadId, event.shardIndex);
      if (entry) noteCorrupt(state, entry);
      return [];
    }
    case "unreadable":
      // The pod will ask for the shard, or be offered it.
      return [];
    case "loaded":
      return loaded(state, event.loadId, event.read, nowMs);
    case "timer":
      return offerLeftovers(state, nowMs);
    case "message":
      // The device knows nothing until its log has been read, so senders have to ask again.
      return state.lifecycle === "recovering" ? [] : receive(state, event.from, event.message, nowMs);
  }
}

function receive<Position>(
  state: StashState<Position>,
  from: Address,
  message: Message,
  nowMs: number,
): StashEffect<Position>[] {
  switch (message.type) {
    case "stash.append":
      return append(state, from, message, nowMs);
    case "stash.purge":
      return purge(state, from, message);
    case "stash.discard":
      return discard(state, from, message);
    case "stash.pull":
      return pull(state, from, message);
    case "stash.find":
      return find(state, from, message);
    case "stash.list":
      return list(state, from, message);
    case "stash.probe":
      return probe(state, from, message);
    case "stash.load":
      return load(state, from, message);
    default:
      return [];
  }
}
