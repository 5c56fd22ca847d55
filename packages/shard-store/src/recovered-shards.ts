/**
 * Shards that a log held at its start, each created from the bytes of its header when it is read. As objects all at
 * once, the shards of a full pod would need more heap than its process has.
 */
import type { OpenedLog } from "@stashlight/shard-log";
import type { LoggedShard, LoggedShards } from "@stashlight/write-path";
import type { Outcomes, StatementReader } from "./outcomes.ts";
import type { Position, Positions } from "./positions.ts";
import type { Promises } from "./promises.ts";
import { isOfShard, isUpload, type KeptRecord, parseShardName } from "./records.ts";
import { statementIn } from "./statements.ts";

/** Parts of a store whose state outlives its boot. */
export interface StoreParts {
  readonly positions: Positions;
  readonly outcomes: Outcomes;
  readonly promises: Promises;
}

/** Records; those of shards have consecutive positions. */
interface PlacedRecords {
  readonly found: OpenedLog<KeptRecord>["records"];
  readonly shardCount: number;
  readonly firstPosition: Position;
  readonly isDamaged: boolean;
}

const NO_KEYS: ReadonlySet<string> = new Set();

class RecoveredShards implements LoggedShards<Position> {
  readonly #parts: readonly PlacedRecords[];
  readonly #statement: StatementReader;

  constructor(parts: readonly PlacedRecords[], statement: StatementReader) {
    this.#parts = parts;
    this.#statement = statement;
  }

  get length(): number {
    return this.#parts.reduce((sum, { shardCount }) => sum + shardCount, 0);
  }

  *[Symbol.iterator](): Generator<LoggedShard<Position>> {
    for (const { found, firstPosition, isDamaged } of this.#parts) {
      let position = firstPosition;
      for (const header of found.headers()) {
        if (!isOfShard(header)) continue;
        const { shardIndex, payloadCrc, lsn } = header;
        const upload = found.keep(header);
        if (!isUpload(upload)) throw new TypeError("A record of a shard names its upload.");
        const outcome = this.#statement.outcomeOf(upload.uploadId, lsn);
        const shard = { upload, shardIndex, payloadCrc, position: position++, outcome };
        yield isDamaged ? { ...shard, isDamaged } : shard;
      }
    }
  }
}

/**
 * Assigns a position to each shard read from a log, and registers the promises among its readable records. Outcomes are
 * registered for a pod only. `heldKeys` are the keys of shards that still have an earlier position.
 */
export function recoverParts(
  { positions, outcomes, promises }: StoreParts,
  opened: OpenedLog<KeptRecord>,
  isPod: boolean,
  heldKeys: ReadonlySet<string> = NO_KEYS,
): LoggedShards<Position> {
  const statement = statementIn(opened);
  const place = (found: PlacedRecords["found"], isDamaged: boolean): PlacedRecords => {
    const firstPosition = positions.next;
    for (const header of found.headers()) {
      if (isOfShard(header)) {
        const { uploadId, shardIndex } = parseShardName(header.key);
        const outcome = statement.outcomeOf(uploadId, header.lsn);
        if (isPod) outcomes.add(header.key, uploadId, header.lsn, outcome);
        positions.reserve({ uploadId, shardIndex }, heldKeys.has(header.key));
        positions.give(uploadId, shardIndex);
      } else if (!isDamaged) {
        const kept = found.keep(header);
        if (!isUpload(kept)) promises.recovered(kept);
      }
    }
    return { found, shardCount: positions.next - firstPosition, firstPosition, isDamaged };
  };
  const parts = [place(opened.records, false), place(opened.damagedRecords, true)];
  return new RecoveredShards(parts, statement);
}
