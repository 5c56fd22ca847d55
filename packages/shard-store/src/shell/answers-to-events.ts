/** Converts a log's answers to events of the machine that asked. */
import type { LogEvent, PodEvent, StashEvent } from "@stashlight/write-path";
import type { PodAnswers, ShardAnswers, StashAnswers } from "../answers.ts";

export function podAnswers<Place>(take: (event: PodEvent<Place>) => void): PodAnswers<Place> {
  return {
    machine: "pod",
    ...shardAnswers(take),
    flushed: () => take({ type: "flushed" }),
    flushFailed: () => take({ type: "flushFailed" }),
    refusalPersisted: (uploadId) => take({ type: "refusalPersisted", uploadId }),
    horizonPersisted: (horizon) => take({ type: "horizonPersisted", horizon }),
    room: (room) => take({ type: "room", room }),
  };
}

export function stashAnswers<Place>(take: (event: StashEvent<Place>) => void): StashAnswers<Place> {
  return {
    machine: "stash",
    ...shardAnswers(take),
    occupancy: (isFull) => take({ type: "occupancy", isFull }),
  };
}

function shardAnswers<Place>(take: (event: LogEvent<Place>) => void): ShardAnswers<Place> {
  return {
    appended: (uploadId, shardIndex, position) => take({ type: "appended", uploadId, shardIndex, position }),
    appendFailed: (uploadId, shardIndex, reason) =>
      take({ type: "appendFailed", uploadId, shardIndex, reason }),
    corrupt: (uploadId, shardIndex) => take({ type: "corrupt", uploadId, shardIndex }),
    unreadable: (uploadId, shardIndex) => take({ type: "unreadable", uploadId, shardIndex }),
    loaded: (loadId, read) => take({ type: "loaded", loadId, read }),
  };
}
