/**
 * A stash device: the SSD copy of shards whose pods have not flushed them yet.
 * A shard ends here by a purge or a discard (purge.ts).
 */
import type { StashEffect, StashEvent } from "../effects.ts";
import type { Address, Message } from "../messages/index.ts";
import { find, list, load, probe } from "./answer-reads.ts";
import { append, appended, appendFailed } from "./append.ts";
import { askToAnnounce, loaded, noteCorrupt, offerLeftovers, offerTimer, pull } from "./handoff.ts";
import { discard, purge } from "./purge.ts";
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
      // The pod will ask for the shard, or get an offer.
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
