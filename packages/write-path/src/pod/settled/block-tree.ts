/**
 * Rows in the order of their names and versions: a B+ tree of blocks. The leaves have the rows of entries. A row of a
 * node above them leads to a child, and its name and version are a boundary: no row of the child is below it, and all of
 * the child before are. The first row of a node has no name and the lowest version, so that it is below everything.
 *
 * A boundary is as short as possible, so a node has a hundred children, and a search needs few pages of which the upper
 * ones are nearly always in memory. Callers relax the memory, once for each operation.
 */
import assert from "node:assert/strict";
import type { Page, PageMemory } from "@stashlight/paged-memory";
import { BLOCK_BYTES_MAX, Block, FIRST_PLACE, type Place } from "./block.ts";
import { NameBuffer } from "./name-buffer.ts";
import {
  ARRIVAL_AT,
  NAME_AT,
  nameNumbersBytes,
  type RowParts,
  rowLength,
  VERSION_AT,
  VERSION_BYTES,
} from "./row.ts";

/** A block that is emptier than this is joined with a neighbour, if both together fill at most the other share. */
const SPARSE_SHARE = 0.5;
const JOINED_SHARE_MAX = 0.9;
/** Longest name, so that a node has at least three rows. S3 allows 63 bytes for a bucket, and 1,024 for a key. */
const NAME_BYTES_MAX = Math.floor(BLOCK_BYTES_MAX / 3) - NAME_AT - 8;

const LOWEST_VERSION = Buffer.alloc(VERSION_BYTES);
const NO_NAME = new NameBuffer();
const NO_TAIL = Buffer.alloc(0);

/** The lowest name and version that belongs to the next block. */
export class Boundary {
  readonly name = new NameBuffer();
  readonly version = Buffer.alloc(VERSION_BYTES);
}

/** State of a tree apart from its pages. */
export interface SavedTree {
  readonly root: Page;
  readonly height: number;
}

/** A row that was just inserted. */
interface Finger {
  readonly page: Page;
  readonly at: number;
  /** True if no block follows. */
  readonly isLast: boolean;
}

export class BlockTree {
  readonly #memory: PageMemory;
  readonly #leafBytesMax: number;
  #root: Page;
  /** Number of levels above the leaves. */
  #height = 0;
  /** Nodes of the last search, from the root on, and the rows that it followed. */
  readonly #nodes: Page[] = [];
  readonly #rows: number[] = [];
  /** The row above the name in the lowest node that has one. */
  #upperNode: Page = -1;
  #upperPlace: Place | null = null;
  /** True if the boundary before the leaf has the name that was sought. */
  #isBoundaryNamed = false;
  /** The last insertion if nothing has changed since; the search for a higher name starts there. */
  #finger: Finger | null = null;
  readonly #fingerName = new NameBuffer();
  readonly #boundary = new Boundary();
  readonly #childHead = Buffer.alloc(NAME_AT);

  /** With `saved`, continues a tree whose pages the memory has adopted. */
  constructor(memory: PageMemory, leafBytesMax: number, saved: SavedTree | null = null) {
    this.#memory = memory;
    this.#leafBytesMax = leafBytesMax;
    this.#root = saved?.root ?? Block.allocate(memory).page;
    this.#height = saved?.height ?? 0;
  }

  save(): SavedTree {
    return { root: this.#root, height: this.#height };
  }

  block(page: Page): Block {
    return new Block(this.#memory, page);
  }

  /** Finds the leaf to which a version belongs. */
  find(name: NameBuffer, version: Buffer = LOWEST_VERSION): Block {
    let page = this.#root;
    this.#upperPlace = null;
    this.#isBoundaryNamed = false;
    for (let depth = 0; depth < this.#height; depth += 1) {
      const node = this.block(page);
      const place = node.seek(name, version);
      this.#nodes[depth] = page;
      this.#rows[depth] = place.before;
      if (place.before > 0) this.#isBoundaryNamed = place.shared === name.length;
      if (place.at < node.used) {
        this.#upperNode = page;
        this.#upperPlace = place;
      }
      page = childAt(node, place.before);
    }
    return this.block(page);
  }

  /** Reads the boundary after the leaf that was just found; returns false if it is the last leaf. */
  readBoundary({ name, version }: Boundary): boolean {
    if (this.#upperPlace === null) return false;
    const { at } = this.#upperPlace;
    const node = this.block(this.#upperNode);
    node.readName(at, name);
    node.readVersion(at, version);
    return true;
  }

  /** Returns true if the tree may have another version of this name. */
  insert(name: NameBuffer, parts: RowParts): boolean {
    assert(name.length <= NAME_BYTES_MAX, "a name that is too long");
    const version = parts.head.subarray(VERSION_AT, VERSION_AT + VERSION_BYTES);
    const near = this.#insertNear(name, version, parts);
    if (near !== null) return near;
    this.#finger = null;
    for (let isHalved = false; ; isHalved = true) {
      const leaf = this.find(name, version);
      const place = leaf.seek(name, version);
      const isRepeated = this.#hasOtherVersion(leaf, place, name);
      if (leaf.insert(place, name, parts, this.#leafBytesMax)) {
        const isLast = this.#upperPlace === null;
        this.#pointAt({ page: leaf.page, at: place.at, isLast }, name);
        return isRepeated;
      }
      // A row that does not fit into a half either is inserted between the rows before and after its place.
      const isAlone = isHalved || rowLength(leaf.bytes, 0) === leaf.used;
      if (place.at === leaf.used && (isAlone || leaf.isAscending)) {
        this.#insertBehind(leaf, place, name, version, parts);
        return isRepeated;
      }
      if (place.at === 0 && (isAlone || this.#isFirst())) {
        this.#insertBefore(leaf, place, name, parts);
        return isRepeated;
      }
      this.#split(leaf, isHalved ? place.at : leaf.middle());
    }
  }

  /** Removes a row, which has this name. */
  remove(leaf: Block, at: number, name: NameBuffer): void {
    this.#finger = null;
    const { version } = this.#boundary;
    leaf.readVersion(at, version);
    leaf.remove(at);
    if (leaf.used >= SPARSE_SHARE * this.#leafBytesMax) return;
    const found = this.find(name, version);
    assert(found.page === leaf.page, "a block that its rows do not lead to");
    this.#shrink(this.#height, found);
  }

  /** Inserts a row after the last insertion if it belongs in the same leaf; else returns null. */
  #insertNear(name: NameBuffer, version: Buffer, parts: RowParts): boolean | null {
    if (this.#finger === null) return null;
    const { page, at, isLast } = this.#finger;
    const leaf = this.block(page);
    const place = leaf.seekBehind(at, this.#fingerName, name, version);
    if (place === null || (place.at === leaf.used && !isLast)) return null;
    const isRepeated = place.shared === name.length || leaf.isNamed(place, name);
    if (!leaf.insert(place, name, parts, this.#leafBytesMax)) return null;
    this.#pointAt({ page, at: place.at, isLast }, name);
    return isRepeated;
  }

  #pointAt(finger: Finger, name: NameBuffer): void {
    this.#finger = finger;
    this.#fingerName.replaceFrom(0, name.bytes, 0, name.length);
  }

  #hasOtherVersion(leaf: Block, place: Place, name: NameBuffer): boolean {
    if (place.shared === name.length || leaf.isNamed(place, name)) return true;
    if (place.at === 0 && this.#isBoundaryNamed) return true;
    if (place.at < leaf.used || this.#upperPlace === null) return false;
    return this.block(this.#upperNode).isNamed(this.#upperPlace, name);
  }

  #isFirst(): boolean {
    for (let depth = 0; depth < this.#height; depth += 1) if (this.#rows[depth] !== 0) return false;
    return true;
  }

  /** Inserts a row after a full leaf, in one of its own; ascending names thus leave full leaves behind. */
  #insertBehind(leaf: Block, place: Place, name: NameBuffer, version: Buffer, parts: RowParts): void {
    leaf.isAscending = false;
    const { page } = this.#blockOf(name, parts);
    this.#setBoundary(name, place.shared, version);
    this.#insertChild(this.#height - 1, this.#boundary, page);
  }

  /** Inserts a row before a full leaf, in one of its own, which takes the place of the leaf. */
  #insertBefore(leaf: Block, place: Place, name: NameBuffer, parts: RowParts): void {
    const { page } = this.#blockOf(name, parts);
    const first = new NameBuffer();
    leaf.readName(0, first);
    this.#setBoundary(first, place.cut, leaf.bytes.subarray(VERSION_AT, VERSION_AT + VERSION_BYTES));
    const depth = this.#height - 1;
    if (depth < 0) this.#root = page;
    else setChild(this.block(this.#nodes[depth] as Page), this.#rows[depth] as number, page);
    this.#insertChild(depth, this.#boundary, leaf.page);
  }

  #blockOf(name: NameBuffer, parts: RowParts): Block {
    const block = Block.allocate(this.#memory);
    block.insert(FIRST_PLACE, name, parts, 0);
    return block;
  }

  #split(leaf: Block, at: number): void {
    const first = new NameBuffer();
    leaf.readName(at, first);
    const version = at + VERSION_AT;
    this.#setBoundary(first, leaf.sharedBytes(at), leaf.bytes.subarray(version, version + VERSION_BYTES));
    const right = leaf.split(at);
    this.#insertChild(this.#height - 1, this.#boundary, right.page);
  }

  /** Sets the boundary before a version that shares `shared` bytes of its name with the one before it. */
  #setBoundary(name: NameBuffer, shared: number, version: Buffer): void {
    this.#boundary.name.replaceFrom(0, name.bytes, 0, Math.min(name.length, shared + 1));
    (shared < name.length ? LOWEST_VERSION : version).copy(this.#boundary.version);
  }

  /** Inserts a child after the one through which the last search passed at this depth. */
  #insertChild(depth: number, { name, version }: Boundary, page: Page): void {
    if (depth < 0) {
      const root = this.#blockOf(NO_NAME, this.#childRow(LOWEST_VERSION, this.#root));
      this.#insertRow(root, name, version, page);
      this.#root = root.page;
      this.#height += 1;
      return;
    }
    const node = this.block(this.#nodes[depth] as Page);
    const { at } = node.seek(name, version);
    if (this.#insertRow(node, name, version, page)) return;
    if (at === node.used && node.isAscending) {
      node.isAscending = false;
      const added = this.#blockOf(NO_NAME, this.#childRow(LOWEST_VERSION, page));
      this.#insertChild(depth - 1, { name, version }, added.page);
      return;
    }
    const middle = node.middle();
    const above = new Boundary();
    node.readName(middle, above.name);
    node.readVersion(middle, above.version);
    const right = node.split(middle);
    const first = childAt(right, 0);
    right.remove(0);
    right.insert(FIRST_PLACE, NO_NAME, this.#childRow(LOWEST_VERSION, first), BLOCK_BYTES_MAX);
    const level = this.#height - depth;
    this.#insertChild(depth - 1, above, right.page);
    // The nodes above may have been split as well, and half a node of long names may lack the space for another one.
    this.find(name, version);
    this.#insertChild(this.#height - level, { name, version }, page);
  }

  #insertRow(node: Block, name: NameBuffer, version: Buffer, child: Page): boolean {
    return node.insert(node.seek(name, version), name, this.#childRow(version, child), BLOCK_BYTES_MAX);
  }

  #childRow(version: Buffer, child: Page): RowParts {
    this.#childHead.writeUInt32LE(child, ARRIVAL_AT);
    version.copy(this.#childHead, VERSION_AT);
    return { head: this.#childHead, tail: NO_TAIL };
  }

  /** Drops a block of the last search that is empty, and joins one that is nearly empty with a neighbour. */
  #shrink(depth: number, block: Block): void {
    if (depth === 0) {
      this.#lower();
      return;
    }
    const parent = this.block(this.#nodes[depth - 1] as Page);
    const row = this.#rows[depth - 1] as number;
    if (block.used === 0) {
      block.free();
      removeChild(parent, row);
      this.#shrink(depth - 1, parent);
      return;
    }
    if (block.used >= SPARSE_SHARE * this.#bytesMax(depth)) return;
    const next = row + rowLength(parent.bytes, row);
    if (next < parent.used && this.#join(depth, parent, block, next)) return;
    if (row > 0) this.#join(depth, parent, this.block(childAt(parent, parent.rowBefore(row))), row);
  }

  #bytesMax(depth: number): number {
    return depth === this.#height ? this.#leafBytesMax : BLOCK_BYTES_MAX;
  }

  /** Moves the rows of the child at `row` into the child before it, if there is space; returns true if so. */
  #join(depth: number, parent: Block, left: Block, row: number): boolean {
    const right = this.block(childAt(parent, row));
    const { name, version } = new Boundary();
    parent.readName(row, name);
    // A name may share less with the row before it there than it does in the parent.
    const boundaryBytes = NAME_AT + nameNumbersBytes(0, name.length) + name.length;
    if (left.used + right.used + boundaryBytes > JOINED_SHARE_MAX * this.#bytesMax(depth)) return false;
    if (depth === this.#height) {
      left.append(right, 0);
    } else {
      parent.readVersion(row, version);
      const isInserted = this.#insertRow(left, name, version, childAt(right, 0));
      assert(isInserted, "two sparse nodes have space for a row");
      const second = rowLength(right.bytes, 0);
      if (second < right.used) left.append(right, second);
    }
    right.free();
    removeChild(parent, row);
    this.#shrink(depth - 1, parent);
    return true;
  }

  /** Removes roots that have only one child. */
  #lower(): void {
    while (this.#height > 0) {
      const root = this.block(this.#root);
      if (rowLength(root.bytes, 0) < root.used) return;
      this.#root = childAt(root, 0);
      this.#height -= 1;
      root.free();
    }
  }
}

function childAt(node: Block, row: number): Page {
  return node.bytes.readUInt32LE(row + ARRIVAL_AT);
}

function setChild(node: Block, row: number, child: Page): void {
  node.changed().writeUInt32LE(child, row + ARRIVAL_AT);
}

/** Removes the row of a child. The first row has no name, so the next child takes it over. */
function removeChild(node: Block, row: number): void {
  const next = row + rowLength(node.bytes, row);
  if (row > 0 || next === node.used) {
    node.remove(row);
    return;
  }
  setChild(node, 0, childAt(node, next));
  node.remove(next);
}
