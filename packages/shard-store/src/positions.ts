import type { UploadId } from "@stashlight/write-path";

/** What a state machine knows a record by; opaque to it. */
export type Position = number;

/** What the log knows a record by. */
export interface ShardName {
  readonly uploadId: UploadId;
  readonly shardIndex: number;
}

interface Group {
  /** Null of a position that was released. */
  readonly uploadIds: (UploadId | null)[];
  readonly shardIndices: number[];
  heldCount: number;
}

const GROUP_SIZE = 64;

/**
 * The log knows a record by its name, a node by its position. Where a shard was sent twice, two positions mean the one
 * record that the log keeps, and only when both are let go of is it dead. Of the many names that one position means,
 * nothing is kept but the name itself, in texts that others have as well.
 */
export class Positions {
  /** In groups that are dropped once all of their positions have been released. */
  readonly #groups = new Map<number, Group>();
  #next = 0;
  /** How many appends and positions mean a name, beyond the first. */
  readonly #more = new Map<string, number>();

  /** An append that may end in a position; `isHeld`: others mean the name already. */
  reserve(name: ShardName, isHeld: boolean): void {
    if (!isHeld) return;
    const text = textOf(name);
    this.#more.set(text, (this.#more.get(text) ?? 0) + 1);
  }

  /** The position of an append that was reserved. */
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

  /** Forgets an append that came to nothing; says whether nobody else holds the name. */
  cancel(name: ShardName): boolean {
    return this.#letGo(name);
  }

  /** Forgets a position; its name if nobody holds that any more, else null. */
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
    const text = textOf(name);
    const more = this.#more.get(text) ?? 0;
    if (more > 1) this.#more.set(text, more - 1);
    else this.#more.delete(text);
    return more === 0;
  }
}

function textOf({ uploadId, shardIndex }: ShardName): string {
  return `${uploadId}.${shardIndex}`;
}
