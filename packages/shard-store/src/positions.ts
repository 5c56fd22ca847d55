import assert from "node:assert/strict";
import { PAGE_BYTES, type Page, type PageMemory } from "@stashlight/paged-memory";
import type { UploadId } from "@stashlight/write-path";

/** Reference of a state machine to a record; opaque to the machine. */
export type Position = number;

/** The log's key of a record. */
export interface ShardName {
  readonly uploadId: UploadId;
  readonly shardIndex: number;
}

const ID_BYTES = 16;
/** The id, and the shard index plus one, or 0 once the position is released. */
const NAME_BYTES = ID_BYTES + 2;
/** At the end of a page: the number of its positions that are not released. */
const HELD_COUNT_AT = PAGE_BYTES - 2;
/** Consecutive positions that share a page. */
const GROUP_SIZE = Math.floor(HELD_COUNT_AT / NAME_BYTES);

/** State of positions apart from their pages. */
export interface SavedPositions {
  readonly next: Position;
  readonly groups: Float64Array;
  /** Page of each group. */
  readonly pages: Int32Array;
  readonly more: ReadonlyMap<string, number>;
}

/**
 * The log knows a record by its name, a node by its position. If a shard was sent twice, two positions mean the one
 * record that the log keeps, and it is dead only once both are released. For the many names with a single position,
 * only the name itself is stored.
 */
export class Positions {
  readonly #memory: PageMemory;
  /**
   * One page per group of positions. A page is freed once all positions of its group have been assigned and released.
   */
  readonly #pages = new Map<number, Page>();
  #next = 0;
  /** Number of appends and positions that refer to a name, minus one. */
  readonly #more = new Map<string, number>();

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  save(): SavedPositions {
    const groups = Float64Array.from(this.#pages.keys());
    return { next: this.#next, groups, pages: Int32Array.from(this.#pages.values()), more: this.#more };
  }

  /** Continues with positions whose pages the memory has adopted. */
  restore({ next, groups, pages, more }: SavedPositions): void {
    this.#next = next;
    groups.forEach((group, at) => {
      this.#pages.set(group, pages[at] as Page);
    });
    for (const [name, count] of more) this.#more.set(name, count);
  }

  /** The next position to be assigned. */
  get next(): Position {
    return this.#next;
  }

  /** Announces an append that may create a position; `isHeld` is true if the name is already in use. */
  reserve(name: ShardName, isHeld: boolean): void {
    if (!isHeld) return;
    const text = shardKey(name);
    this.#more.set(text, (this.#more.get(text) ?? 0) + 1);
  }

  /** Returns the position of an append that was reserved. */
  give(uploadId: UploadId, shardIndex: number): Position {
    this.#memory.relax();
    const position = this.#next;
    if (position % GROUP_SIZE === 0) this.#pages.set(groupOf(position), this.#memory.allocate());
    const { bytes } = this.#memory.change(this.#pages.get(groupOf(position)) as Page);
    const at = (position % GROUP_SIZE) * NAME_BYTES;
    const written = bytes.write(uploadId, at, ID_BYTES, "hex");
    assert(written === ID_BYTES && uploadId.length === 2 * ID_BYTES, "an upload id is 32 hexadecimal digits");
    bytes.writeUInt16LE(shardIndex + 1, at + ID_BYTES);
    bytes.writeUInt16LE(bytes.readUInt16LE(HELD_COUNT_AT) + 1, HELD_COUNT_AT);
    this.#next++;
    return position;
  }

  nameOf(position: Position): ShardName | null {
    this.#memory.relax();
    const page = this.#pages.get(groupOf(position));
    return page === undefined ? null : nameIn(this.#memory.look(page).bytes, position);
  }

  /** Forgets a failed append; returns true if the name has no other holder. */
  cancel(name: ShardName): boolean {
    return this.#letGo(name);
  }

  /** Releases a position; returns its name if nothing else refers to it, otherwise null. */
  release(position: Position): ShardName | null {
    this.#memory.relax();
    const group = groupOf(position);
    const page = this.#pages.get(group);
    if (page === undefined) return null;
    const { bytes } = this.#memory.change(page);
    const name = nameIn(bytes, position);
    if (name === null) return null;
    bytes.writeUInt16LE(0, (position % GROUP_SIZE) * NAME_BYTES + ID_BYTES);
    const heldCount = bytes.readUInt16LE(HELD_COUNT_AT) - 1;
    bytes.writeUInt16LE(heldCount, HELD_COUNT_AT);
    if (heldCount === 0 && group < groupOf(this.#next)) {
      this.#pages.delete(group);
      this.#memory.free(page);
    }
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

const groupOf = (position: Position): number => Math.floor(position / GROUP_SIZE);

/** Returns the name of a position from the page of its group; null if it is released or was never assigned. */
function nameIn(bytes: Buffer, position: Position): ShardName | null {
  const at = (position % GROUP_SIZE) * NAME_BYTES;
  const shard = bytes.readUInt16LE(at + ID_BYTES);
  return shard === 0 ? null : { uploadId: bytes.toString("hex", at, at + ID_BYTES), shardIndex: shard - 1 };
}

function shardKey({ uploadId, shardIndex }: ShardName): string {
  return `${uploadId}.${shardIndex}`;
}
