import assert from "node:assert/strict";
import type { UploadId } from "@stashlight/write-path";

/** A state machine's reference to a record; opaque to it. */
export type Position = number;

/** The log's key of a record. */
export interface ShardName {
  readonly uploadId: UploadId;
  readonly shardIndex: number;
}

const GROUP_SIZE = 256;
const ID_BYTES = 16;

/** Names of consecutive positions, as bytes: an upload id as text takes three times the memory, on the heap. */
class Group {
  readonly #ids = Buffer.alloc(GROUP_SIZE * ID_BYTES);
  /** Shard index plus one; 0 for a position that is released or was never given. */
  readonly #shards = new Uint16Array(GROUP_SIZE);
  #count = 0;
  #heldCount = 0;

  /** True once all of its positions have been given and released. */
  get isOver(): boolean {
    return this.#count === GROUP_SIZE && this.#heldCount === 0;
  }

  add({ uploadId, shardIndex }: ShardName): void {
    const at = this.#count++;
    const written = this.#ids.write(uploadId, at * ID_BYTES, ID_BYTES, "hex");
    assert(written === ID_BYTES && uploadId.length === 2 * ID_BYTES, "an upload id is 32 hexadecimal digits");
    this.#shards[at] = shardIndex + 1;
    this.#heldCount += 1;
  }

  nameAt(at: number): ShardName | null {
    const shard = this.#shards[at] as number;
    if (shard === 0) return null;
    const uploadId = this.#ids.toString("hex", at * ID_BYTES, (at + 1) * ID_BYTES);
    return { uploadId, shardIndex: shard - 1 };
  }

  release(at: number): void {
    this.#shards[at] = 0;
    this.#heldCount -= 1;
  }
}

/**
 * The log knows a record by its name, a node by its position. If a shard was sent twice, two positions mean the one
 * record that the log keeps, and it is dead only once both are released. For the many names with a single position,
 * only the name itself is stored.
 */
export class Positions {
  /** Positions in groups, which are dropped once all of their positions have been released. */
  readonly #groups = new Map<number, Group>();
  #next = 0;
  /** Number of appends and positions that refer to a name, minus one. */
  readonly #more = new Map<string, number>();

  /** The next position that will be given. */
  get next(): Position {
    return this.#next;
  }

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
    let group = this.#groups.get(number);
    if (group === undefined) {
      group = new Group();
      this.#groups.set(number, group);
    }
    group.add({ uploadId, shardIndex });
    return position;
  }

  nameOf(position: Position): ShardName | null {
    return this.#groups.get(Math.floor(position / GROUP_SIZE))?.nameAt(position % GROUP_SIZE) ?? null;
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
    group.release(position % GROUP_SIZE);
    if (group.isOver) this.#groups.delete(number);
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
