import type { PodRoom, RoomClass, Shard } from "@stashlight/write-path";

/** Relative to what data may fill, as in a log (packages/shard-log/src/room.ts). */
const SHARE_OF_ROOM = { data: 1, replacement: 31 / 30, repair: 63 / 60, removal: 16 / 15 } as const;
const SHORT_BYTES = 16_384;

/** Bytes of a record in a log, with its header and names. */
const bytesOf = ({ payload }: Shard): number => Math.ceil((payload.length + 300) / 64) * 64;

/** The room of a medium of records: what is taken, and what its pod has been told of the rest. */
export class RecordRoom {
  /** Null if the limit is never reached. */
  readonly #capacityBytes: number | null;
  readonly #tell: (room: PodRoom) => void;
  readonly #onWall: () => void;
  /** Bytes of all records that are stored or being written. */
  #usedBytes = 0;
  #toldFreeBytes: number | null = null;

  constructor(capacityBytes: number | null, tell: (room: PodRoom) => void, onWall: () => void) {
    this.#capacityBytes = capacityBytes;
    this.#tell = tell;
    this.#onWall = onWall;
  }

  hasRoomFor(shard: Shard, room: RoomClass): boolean {
    if (this.#capacityBytes === null) return true;
    return this.#usedBytes + bytesOf(shard) <= this.#capacityBytes * SHARE_OF_ROOM[room];
  }

  take(shard: Shard): void {
    this.#usedBytes += bytesOf(shard);
    this.tell();
  }

  free(shard: Shard): void {
    this.#usedBytes -= bytesOf(shard);
  }

  /** Counts anew at a start, and tells the boot. */
  recount(shards: Iterable<Shard>): void {
    this.#usedBytes = 0;
    for (const shard of shards) this.#usedBytes += bytesOf(shard);
    this.#toldFreeBytes = null;
    this.tell();
  }

  tell(): void {
    if (this.#capacityBytes === null) return;
    const freeBytes = Math.max(0, Math.floor(this.#capacityBytes - this.#usedBytes));
    if (this.#toldFreeBytes === freeBytes) return;
    this.#toldFreeBytes = freeBytes;
    this.#tell({ freeBytes, isShort: false });
    if (freeBytes < SHORT_BYTES) this.#onWall();
  }
}
