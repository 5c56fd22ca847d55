/** State of a boot as the next one takes it over (saved-boot.ts), and the later records of its log. */
import type { SavedPages } from "@stashlight/paged-memory";
import type { OpenedLog, SavedLog, ShardLog } from "@stashlight/shard-log";
import type { LoggedShard, LoggedShards, Outcome, SavedPod, UploadId } from "@stashlight/write-path";
import type { SavedOutcomes, StatementReader } from "./outcomes.ts";
import type { Position, SavedPositions } from "./positions.ts";
import type { SavedPromises } from "./promises.ts";
import { idOfName, isOfShard, type KeptRecord, keyOfShard, parseShardName } from "./records.ts";
import { recoverParts, type StoreParts } from "./recovered-shards.ts";
import { statementIn } from "./statements.ts";

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

/** Returns the state without the pages of positions. */
export function saveParts({ positions, outcomes, promises }: StoreParts): SavedStore {
  return { positions: positions.save(), outcomes: outcomes.save(), promises: promises.save() };
}

/** Shards of a boot that was saved, as its log has them now. */
export interface RestoredShards {
  /** Shards that its pod had open, and those that were written afterwards. */
  readonly shards: LoggedShards<Position>;
  /** Settled entries whose records were killed or replaced afterwards. */
  readonly displaced: readonly UploadId[];
}

/** Takes over the saved state of the last boot, and the later records of its log. */
export function restoreParts(
  parts: StoreParts,
  { store, pod }: Pick<SavedBoot, "store" | "pod">,
  opened: OpenedLog<KeptRecord>,
): RestoredShards {
  const { positions, outcomes, promises } = parts;
  positions.restore(store.positions);
  outcomes.restore(store.outcomes);
  promises.restore(store.promises);
  const displaced = new Set(opened.displacedKeys);
  for (const key of displaced) {
    outcomes.remove(key);
    promises.displaced(key);
  }
  const damaged = new Set(opened.log.damagedKeys());
  const statement = statementIn(opened);
  const open: LoggedShard<Position>[] = [];
  for (const shard of pod.open) {
    const key = keyOfShard(shard);
    if (displaced.delete(key)) positions.release(shard.position);
    else {
      const stated = statedOutcome(shard, statement, opened.log);
      if (stated !== null) outcomes.learn(key, stated);
      open.push(withCurrentState(shard, stated, damaged.has(key)));
    }
  }
  // The remaining keys belong to settled entries, whose positions their pod releases.
  const later = recoverParts(parts, opened, true, displaced);
  const shards = [...displaced].map(parseShardName).filter(isOfShard);
  return { shards: chained(open, later), displaced: shards.map(({ uploadId }) => uploadId) };
}

/** Returns the outcome of a shard that was stated after it was saved; null if none was. */
function statedOutcome(
  { upload: { uploadId }, shardIndex }: LoggedShard<Position>,
  statement: StatementReader,
  log: ShardLog,
): Outcome | null {
  const lsn = log.lsnOf(idOfName({ uploadId, shardIndex }));
  return lsn === null ? null : statement.outcomeOf(uploadId, lsn);
}

function withCurrentState(
  shard: LoggedShard<Position>,
  stated: Outcome | null,
  isDamaged: boolean,
): LoggedShard<Position> {
  const outcome = shard.outcome === "complete" ? shard.outcome : (stated ?? shard.outcome);
  return isDamaged ? { ...shard, outcome, isDamaged } : { ...shard, outcome };
}

function chained(
  first: readonly LoggedShard<Position>[],
  rest: LoggedShards<Position>,
): LoggedShards<Position> {
  return {
    length: first.length + rest.length,
    *[Symbol.iterator]() {
      yield* first;
      yield* rest;
    },
  };
}
