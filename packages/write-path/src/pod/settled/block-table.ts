/**
 * Finds the blocks in which a hash occurs: an open-addressing hash table, in parts, so that resizing moves few slots
 * at a time. A hash may occur several times, for different blocks or the same one.
 */
import assert from "node:assert/strict";

const PART_COUNT = 64;
const PART_SHIFT = 26;
const SLOTS_AT_FIRST = 8;
/** Share of the slots in use at which a part doubles. */
const FULL_SHARE = 0.75;
/** Share of the slots in use at which a part halves. */
const SPARSE_SHARE = 0.2;

interface Part {
  /** Two numbers per slot: the hash, and the block number plus one, which is 0 for a free slot. */
  slots: Uint32Array;
  usedCount: number;
}

export class BlockTable {
  readonly #parts: (Part | undefined)[] = new Array(PART_COUNT).fill(undefined);

  get byteLength(): number {
    return this.#parts.reduce((bytes, part) => bytes + (part?.slots.byteLength ?? 0), 0);
  }

  /** Returns true if the hash occurred before. */
  add(hash: number, block: number): boolean {
    const part = this.#partFor(hash);
    if (part.usedCount + 1 > FULL_SHARE * (part.slots.length / 2)) resize(part, 2 * part.slots.length);
    part.usedCount += 1;
    return put(part.slots, hash, block + 1);
  }

  /** Moves one occurrence of the hash from block `from` to block `to`. */
  move(hash: number, from: number, to: number): void {
    const { slots } = this.#partFor(hash);
    slots[slotOf(slots, hash, from) + 1] = to + 1;
  }

  remove(hash: number, block: number): void {
    const part = this.#partFor(hash);
    const { slots } = part;
    free(slots, slotOf(slots, hash, block));
    part.usedCount -= 1;
    const isSparse = part.usedCount < SPARSE_SHARE * (slots.length / 2);
    if (isSparse && slots.length > 2 * SLOTS_AT_FIRST) resize(part, slots.length / 2);
  }

  /** Blocks in which the hash occurs, each once. */
  blocksOf(hash: number): readonly number[] {
    const part = this.#parts[hash >>> PART_SHIFT];
    if (part === undefined) return NO_BLOCKS;
    const { slots } = part;
    const mask = slots.length - 1;
    let found: number[] | null = null;
    for (let at = (2 * hash) & mask; slots[at + 1] !== 0; at = (at + 2) & mask) {
      if (slots[at] !== hash) continue;
      const block = (slots[at + 1] as number) - 1;
      if (found === null) found = [block];
      else if (!found.includes(block)) found.push(block);
    }
    return found ?? NO_BLOCKS;
  }

  #partFor(hash: number): Part {
    const index = hash >>> PART_SHIFT;
    let part = this.#parts[index];
    if (part === undefined) {
      part = { slots: new Uint32Array(2 * SLOTS_AT_FIRST), usedCount: 0 };
      this.#parts[index] = part;
    }
    return part;
  }
}

const NO_BLOCKS: readonly number[] = [];

function resize(part: Part, length: number): void {
  const { slots: old } = part;
  const slots = new Uint32Array(length);
  for (let at = 0; at < old.length; at += 2) {
    const block = old[at + 1] as number;
    if (block !== 0) put(slots, old[at] as number, block);
  }
  part.slots = slots;
}

function put(slots: Uint32Array, hash: number, block: number): boolean {
  const mask = slots.length - 1;
  let isRepeated = false;
  let at = (2 * hash) & mask;
  for (; slots[at + 1] !== 0; at = (at + 2) & mask) isRepeated ||= slots[at] === hash;
  slots[at] = hash;
  slots[at + 1] = block;
  return isRepeated;
}

function slotOf(slots: Uint32Array, hash: number, block: number): number {
  const mask = slots.length - 1;
  let at = (2 * hash) & mask;
  while (slots[at] !== hash || slots[at + 1] !== block + 1) {
    assert(slots[at + 1] !== 0, "a row that the table does not know");
    at = (at + 2) & mask;
  }
  return at;
}

/** Moves later slots of the chain back, so that no search ends before them. */
function free(slots: Uint32Array, slot: number): void {
  const mask = slots.length - 1;
  let hole = slot;
  for (let at = (slot + 2) & mask; slots[at + 1] !== 0; at = (at + 2) & mask) {
    const home = (2 * (slots[at] as number)) & mask;
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    slots[hole] = slots[at] as number;
    slots[hole + 1] = slots[at + 1] as number;
    hole = at;
  }
  slots[hole + 1] = 0;
}
