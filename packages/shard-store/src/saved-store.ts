/** State of a boot as the next one takes it over (saved-boot.ts). */
import type { SavedPages } from "@stashlight/paged-memory";
import type { SavedLog, ShardLog } from "@stashlight/shard-log";
import type { LoggedShards, SavedPod } from "@stashlight/write-path";
import type { Outcomes, SavedOutcomes } from "./outcomes.ts";
import type { Position, Positions, SavedPositions } from "./positions.ts";
import type { Promises, SavedPromises } from "./promises.ts";
import { keyOfShard } from "./records.ts";

/** Consists of numbers, texts, maps and typed arrays, so that it can be cloned. */
export interface SavedBoot {
  readonly pages: SavedPages;
  readonly log: SavedLog;
  readonly store: SavedStore;
  readonly pod: SavedPod;
}

export interface SavedStore {
  readonly positions: SavedPositions;
  readonly outcomes: SavedOutcomes;
  readonly promises: SavedPromises;
}

/** Parts of a store whose state outlives its boot. */
export interface StoreParts {
  readonly positions: Positions;
  readonly outcomes: Outcomes;
  readonly promises: Promises;
}

/** Returns the state without the pages of positions. */
export function saveParts({ positions, outcomes, promises }: StoreParts): SavedStore {
  return { positions: positions.save(), outcomes: outcomes.save(), promises: promises.save() };
}

/** Takes over what the last boot saved, on the log that continues; returns the open shards of its pod. */
export function restoreParts(
  { positions, outcomes, promises }: StoreParts,
  { store, pod }: Pick<SavedBoot, "store" | "pod">,
  log: ShardLog,
): LoggedShards<Position> {
  positions.restore(store.positions);
  outcomes.restore(store.outcomes);
  promises.restore(store.promises);
  const damaged = new Set(log.damagedKeys());
  return pod.open.map((shard) => (damaged.has(keyOfShard(shard)) ? { ...shard, isDamaged: true } : shard));
}
