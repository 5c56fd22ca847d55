/**
 * The shards that a log held at its start, made one by one from the bytes of their headers: as objects all at once, those
 * of a full pod would need more heap than its process has.
 */
import type { OpenedLog } from "@stashlight/shard-log";
import type { LoggedShard, LoggedShards } from "@stashlight/write-path";
import type { StatementReader } from "./outcomes.ts";
import type { Position } from "./positions.ts";
import { isOfShard, isUpload, type KeptRecord } from "./records.ts";

/** Records of which those of shards have consecutive positions. */
export interface PlacedRecords {
  readonly found: OpenedLog<KeptRecord>["records"];
  readonly shardCount: number;
  readonly firstPosition: Position;
  readonly isDamaged: boolean;
}

export class RecoveredShards implements LoggedShards<Position> {
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
