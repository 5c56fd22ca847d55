import type { UploadId } from "@stashlight/write-path";

/** A state machine's reference to a record; opaque to it. */
export type Position = number;

/** The log's key of a record. */
export interface ShardName {
  readonly uploadId: UploadId;
  readonly shardIndex: number;
}

interface Group {
  /** Upload id of each position; null for a released one. */
  readonly uploadIds: (UploadId | null)[];
  readonly shardIndices: number[];
  heldCount: number;
}

const GROUP_SIZE = 64;

/**
 * Maps a machine's positions to record names: the log knows a record by its name, a node by its position. If a shard
 * was sent twice, two positions refer to the one record that the log keeps, and it is dead only once both are released.
 * For the many names with a single position, only the name itself is stored, in strings shared with other owners.
 */
export class Positions {
  /** Positions in groups, which are dropped once all of their positions have been released. */
  readonly #groups = new Map<number, Group>();
  #next = 0;
  /** Number of appends and positions that refer to a name, minus one. */
  readonly #more = new Map<string, number>();

  /** Announces an append that may create a position; `isHeld` means that the name is already referred to. */
  reserve(name: ShardName, isHeld: boolean): void {
    if (!isHeld) return;
    const text = shardKey(name);
    this.#more.set(text, (this.#more.get(text) ?? 0) + 1);
  }

  /** Returns the position of an append that was reserved. */
  give(uploadId: UploadId, shardIndex: number): Position {
    const position = this.#next++;
    const number = Math.floor(position / GROUP_SIZE);
    const group = this.#groups.get(number);
    if (group === undefined) {
      this.#groups.set(number, { uploadIds: [uploadId], shardIndices: [shardIndex], heldCount: 1 });
    } else {
      group.uploadIds.push(uploadId);
      group.shardIndices.push(shardIndex);
      group.heldCount += 1;
    }
    return position;
  }

  nameOf(position: Position): ShardName | null {
    const group = this.#groups.get(Math.floor(position / GROUP_SIZE));
    const at = position % GROUP_SIZE;
    const uploadId = group?.uploadIds[at] ?? null;
    return uploadId === null ? null : { uploadId, shardIndex: group?.shardIndices[at] as number };
  }

  /** Forgets a failed append; returns true if the name has no other holder. */
  cancel(name: ShardName): boolean {
    return this.#letGo(name);
  }

  /** Releases a position; returns its name if nothing else refers to it, otherwise null. */
  release(position: Position): ShardName | null {
    const name = this.nameOf(position);
    if (name === null) return null;
    const number = Math.floor(position / GROUP_SIZE);
    const group = this.#groups.get(number) as Group;
    group.uploadIds[position % GROUP_SIZE] = null;
    group.heldCount -= 1;
    if (group.heldCount === 0 && group.uploadIds.length === GROUP_SIZE) this.#groups.delete(number);
    return this.#letGo(name) ? name : null;
  }

  #letGo(name: ShardName): boolean {
    if (this.#more.size === 0) return true;
    const text = shardKey(name);
    const more = this.#more.get(text) ?? 0;
    if (more > 1) this.#more.set(text, more - 1);
    else this.#more.delete(text);
    return more === 0;
  }
}

function shardKey({ uploadId, shardIndex }: ShardName): string {
  return `${uploadId}.${shardIndex}`;
}
