import type { PodFreeSpace, Shard, SpaceClass } from "@stashlight/write-path";

/** Limits relative to the limit on data, as in a log (packages/shard-log/src/space-limits.ts). */
const SHARE_OF_ROOM = { data: 1, replacement: 31 / 30, repair: 63 / 60, removal: 16 / 15 } as const;
const SHORT_BYTES = 16_384;

/** Bytes of a record in a log, with its header and names. */
const recordBytes = ({ payload }: Shard): number => Math.ceil((payload.length + 300) / 64) * 64;

/** Space on a medium that stores records: the used bytes, and the free space last reported to its pod. */
export class RecordSpace {
  /** Null if the limit is never reached. */
  readonly #capacityBytes: number | null;
  readonly #tell: (room: PodFreeSpace) => void;
  readonly #onWall: () => void;
  /** Bytes of all records that are stored or being written. */
  #usedBytes = 0;
  #toldFreeBytes: number | null = null;

  constructor(capacityBytes: number | null, tell: (room: PodFreeSpace) => void, onWall: () => void) {
    this.#capacityBytes = capacityBytes;
    this.#tell = tell;
    this.#onWall = onWall;
  }

  hasRoomFor(shard: Shard, room: SpaceClass): boolean {
    if (this.#capacityBytes === null) return true;
    return this.#usedBytes + recordBytes(shard) <= this.#capacityBytes * SHARE_OF_ROOM[room];
  }

  take(shard: Shard): void {
    this.#usedBytes += recordBytes(shard);
    this.tell();
  }

  free(shard: Shard): void {
    this.#usedBytes -= recordBytes(shard);
  }

  /** Recounts the used bytes when a boot begins, and notifies it. */
  recount(shards: Iterable<Shard>): void {
    this.#usedBytes = 0;
    for (const shard of shards) this.#usedBytes += recordBytes(shard);
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
