/**
 * Settled entries of a pod, packed into blocks outside the JavaScript heap: a pod may hold a hundred million, and an
 * object for each would take several times the memory, prolong every garbage collection, and fail at the limit of
 * 16.7 million items in a Map.
 *
 * The blocks form one sequence in the order of names, which lists seek in. Two tables find the blocks of an upload id
 * and of a name, and a column those of an arrival. `#block` is the only way to the bytes of a block.
 */
import assert from "node:assert/strict";
import type { UploadId } from "../../shard.ts";
import type { EntryView } from "../entry.ts";
import type { KeyCursor } from "../key-cursor.ts";
import type { ObjectName, SettledEntries } from "../settled-entries.ts";
import { Arrivals } from "./arrivals.ts";
import { Block } from "./block.ts";
import { BlockOrder, type BlockPlace } from "./block-order.ts";
import { BlockTable } from "./block-table.ts";
import { hashBytes } from "./hash.ts";
import { NameBuffer } from "./name-buffer.ts";
import { PackedKeys } from "./packed-keys.ts";
import {
  arrivalOfRow,
  decodeRow,
  ID_AT,
  ID_BYTES,
  ORDER_AT,
  ORDER_BYTES,
  RowEncoder,
  type RowParts,
  rowBytesMax,
  rowLength,
  writeHex,
} from "./row.ts";

/** A few pages of a drive. Larger blocks take longer to search, and smaller ones take more memory per entry. */
const BLOCK_BYTES = 8192;
/** A block that is emptier than this is joined with a neighbour, if both together fill at most the other share. */
const SPARSE_SHARE = 0.5;
const JOINED_SHARE_MAX = 0.9;

/** A row that was just inserted. */
interface Finger {
  readonly place: BlockPlace;
  readonly number: number;
  readonly block: Block;
  readonly at: number;
}

interface Found {
  readonly number: number;
  readonly block: Block;
  readonly at: number;
}

export class PackedEntries implements SettledEntries<number> {
  readonly #blockBytes: number;
  readonly #blocks: (Block | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  readonly #order = new BlockOrder((number) => this.#block(number));
  readonly #byId = new BlockTable();
  readonly #byName = new BlockTable();
  readonly #arrivals = new Arrivals();
  readonly #encoder = new RowEncoder();
  /** Scratch space of the call in progress. */
  readonly #id = Buffer.alloc(ID_BYTES);
  readonly #name = new NameBuffer();
  readonly #rowName = new NameBuffer();
  /** The last insertion if nothing has changed since; a higher name is sought from there on. */
  #finger: Finger | null = null;
  readonly #fingerName = new NameBuffer();
  #count = 0;

  constructor(blockBytes = BLOCK_BYTES) {
    this.#blockBytes = blockBytes;
  }

  get count(): number {
    return this.#count;
  }

  /** Memory that the entries take outside the heap. */
  get byteLength(): number {
    let bytes = this.#byId.byteLength + this.#byName.byteLength + this.#arrivals.byteLength;
    for (const block of this.#blocks) bytes += block?.bytes.length ?? 0;
    return bytes;
  }

  has(uploadId: UploadId): boolean {
    return this.#find(uploadId) !== null;
  }

  get(uploadId: UploadId): EntryView<number> | undefined {
    const found = this.#find(uploadId);
    if (found === null) return undefined;
    found.block.readName(found.at, this.#rowName);
    return this.#decode(found.block, found.at, this.#rowName.parse());
  }

  versionsOf(object: ObjectName): EntryView<number>[] {
    const versions: EntryView<number>[] = [];
    if (this.#count === 0) return versions;
    const name = this.#name;
    name.set(object);
    for (const number of this.#byName.blocksOf(hashBytes(name.bytes, 0, name.length))) {
      const block = this.#block(number);
      const place = block.seek(name, null);
      if (!block.isNamed(place, name)) continue;
      let at = place.at;
      do {
        versions.push(this.#decode(block, at, object));
        at += rowLength(block.bytes, at);
      } while (block.hasNameOfRowBefore(at));
    }
    return versions.length < 2
      ? versions
      : versions.sort((a, b) => (a.upload.order < b.upload.order ? -1 : 1));
  }

  keysFrom(bucket: string, start: string): KeyCursor {
    return new PackedKeys(this.#order, (number) => this.#block(number), bucket, start);
  }

  /** All entries in the order of names and versions. Changes to entries that the iterator has passed are not seen. */
  *values(): Generator<EntryView<number>> {
    const last = new NameBuffer();
    const order = Buffer.alloc(ORDER_BYTES);
    let place = this.#order.find(last, order);
    while (place !== null) {
      const block = this.#block(this.#order.numberAt(place));
      const entries: EntryView<number>[] = [];
      const { at: first } = block.seek(last, order);
      if (first < block.used) block.readName(first, this.#rowName);
      for (let at = first; at < block.used; at += rowLength(block.bytes, at)) {
        block.readNextName(at, this.#rowName);
        entries.push(this.#decode(block, at, this.#rowName.parse()));
      }
      const top = entries.at(-1);
      if (top === undefined) {
        place = this.#order.next(place);
        continue;
      }
      last.set(top.upload);
      writeHex(order, 0, top.upload.order, ORDER_BYTES);
      yield* entries;
      place = this.#order.find(last, order);
    }
  }

  arrivalOf(uploadId: UploadId): number | undefined {
    const found = this.#find(uploadId);
    return found === null ? undefined : arrivalOfRow(found.block.bytes, found.at);
  }

  arrivals(after: number, end: number, buckets: ReadonlySet<number>): Generator<number> {
    return this.#arrivals.between(after, end, buckets);
  }

  atArrival(arrival: number): EntryView<number> {
    const block = this.#block(this.#arrivals.blockOf(arrival));
    const at = block.findArrival(arrival);
    block.readName(at, this.#rowName);
    return this.#decode(block, at, this.#rowName.parse());
  }

  put(entry: EntryView<number>): boolean {
    this.#name.set(entry.upload);
    const parts = this.#encoder.encode(entry);
    const number = this.#insert(parts);
    this.#byId.add(hashBytes(parts.head, ID_AT, ID_AT + ID_BYTES), number);
    const isRepeated = this.#byName.add(hashBytes(this.#name.bytes, 0, this.#name.length), number);
    this.#arrivals.set(entry.arrival, number, entry.bucket);
    this.#count += 1;
    return isRepeated;
  }

  remove(uploadId: UploadId): void {
    const found = this.#find(uploadId);
    assert(found !== null, "an entry that does not rest");
    const { number, block, at } = found;
    this.#finger = null;
    block.readName(at, this.#rowName);
    this.#byId.remove(hashBytes(block.bytes, at + ID_AT, at + ID_AT + ID_BYTES), number);
    this.#byName.remove(hashBytes(this.#rowName.bytes, 0, this.#rowName.length), number);
    this.#arrivals.remove(arrivalOfRow(block.bytes, at));
    this.#count -= 1;
    // A block is found by its rows, so its place is looked up while it has them.
    const leftBytes = block.used - rowLength(block.bytes, at);
    const place = leftBytes < SPARSE_SHARE * this.#blockBytes ? this.#placeOf(found) : null;
    block.remove(at);
    if (place !== null) this.#join(place);
  }

  #find(uploadId: UploadId): Found | null {
    if (this.#count === 0) return null;
    writeHex(this.#id, 0, uploadId, ID_BYTES);
    for (const number of this.#byId.blocksOf(hashBytes(this.#id, 0, ID_BYTES))) {
      const block = this.#block(number);
      const at = block.findId(this.#id);
      if (at >= 0) return { number, block, at };
    }
    return null;
  }

  #block(number: number): Block {
    return this.#blocks[number] as Block;
  }

  #decode(block: Block, at: number, object: ObjectName): EntryView<number> {
    return decodeRow(block.bytes, at, object, this.#arrivals.bucketOf(arrivalOfRow(block.bytes, at)));
  }

  /** Inserts the row of the name in scratch space, and returns the number of its block. */
  #insert(parts: RowParts): number {
    const name = this.#name;
    const order = parts.head.subarray(ORDER_AT, ORDER_AT + ORDER_BYTES);
    const near = this.#insertNear(parts, order);
    if (near !== null) return near;
    for (let isHalved = false; ; isHalved = true) {
      this.#finger = null;
      const place = this.#order.find(name, order);
      if (place === null) return this.#insertAlone(parts, (number) => this.#order.begin(number));
      const number = this.#order.numberAt(place);
      const block = this.#block(number);
      const row = block.seek(name, order);
      if (block.insert(row, name, parts)) return this.#pointAt({ place, number, block, at: row.at });
      if (row.at === 0) return this.#insertAlone(parts, (added) => this.#order.insertBefore(place, added));
      if (row.at === block.used) return this.#insertBehind(place, parts);
      // A row that does not fit into a half either is inserted between the rows before and after its place.
      this.#split(place, isHalved ? row.at : block.middle());
    }
  }

  /** Inserts a row after the last insertion if it belongs in the same block; else returns null. */
  #insertNear(parts: RowParts, order: Buffer): number | null {
    const finger = this.#finger;
    if (finger === null) return null;
    const { place, number, block, at } = finger;
    const row = block.seekBehind(at, this.#fingerName, this.#name, order);
    if (row === null) return null;
    const next = row.at === block.used ? this.#order.next(place) : null;
    const isHere =
      next === null || this.#block(this.#order.numberAt(next)).compareFirst(this.#name, order) > 0;
    if (!isHere || !block.insert(row, this.#name, parts)) return null;
    return this.#pointAt({ place, number, block, at: row.at });
  }

  #pointAt(finger: Finger): number {
    this.#finger = finger;
    this.#fingerName.replaceFrom(0, this.#name.bytes, 0, this.#name.length);
    return finger.number;
  }

  /**
   * Inserts a row after a full block: in a block of its own while keys arrive in ascending order, so that the blocks
   * before it stay full; otherwise at the beginning of the next block if there is space.
   */
  #insertBehind(place: BlockPlace, parts: RowParts): number {
    const block = this.#block(this.#order.numberAt(place));
    const next = this.#order.next(place);
    if (!block.isAscending && next !== null) {
      const number = this.#order.numberAt(next);
      const following = this.#block(number);
      if (following.insert(following.seek(this.#name, null), this.#name, parts)) return number;
    }
    block.isAscending = false;
    return this.#insertAlone(parts, (number) => this.#order.insertAfter(place, number));
  }

  #insertAlone(parts: RowParts, enter: (number: number) => void): number {
    const block = new Block(Math.max(this.#blockBytes, rowBytesMax(this.#name.length, parts)));
    const number = this.#numberFor(block);
    const isInserted = block.insert({ at: 0, shared: 0, cut: 0 }, this.#name, parts);
    assert(isInserted, "a block of its own has space for a row");
    enter(number);
    return number;
  }

  #numberFor(block: Block): number {
    const number = this.#freeNumbers.pop() ?? this.#blocks.length;
    this.#blocks[number] = block;
    return number;
  }

  #split(place: BlockPlace, at: number): void {
    const number = this.#order.numberAt(place);
    const right = this.#block(number).split(at, this.#blockBytes);
    const added = this.#numberFor(right);
    this.#order.insertAfter(place, added);
    this.#moved(right, 0, number, added);
  }

  /** Updates the tables after the rows from `start` on have moved from block `from` to block `to`. */
  #moved({ bytes, used }: Block, start: number, from: number, to: number): void {
    const block = this.#block(to);
    const name = this.#rowName;
    for (let at = 0; at < used; at += rowLength(bytes, at)) {
      block.readNextName(at, name);
      if (at < start) continue;
      this.#byId.move(hashBytes(bytes, at + ID_AT, at + ID_AT + ID_BYTES), from, to);
      this.#byName.move(hashBytes(name.bytes, 0, name.length), from, to);
      this.#arrivals.move(arrivalOfRow(bytes, at), to);
    }
  }

  /** Finds the place of a row's block; the name of the row is in scratch space. */
  #placeOf({ number, block, at }: Found): BlockPlace {
    const start = at + ORDER_AT;
    let place = this.#order.find(this.#rowName, block.bytes.subarray(start, start + ORDER_BYTES));
    while (place !== null && this.#order.numberAt(place) !== number) place = this.#order.before(place);
    assert(place !== null, "a block that is not in the order of blocks");
    return place;
  }

  /** Drops a block that is empty, and joins one that is nearly empty with a neighbour. */
  #join(place: BlockPlace): void {
    const { used } = this.#block(this.#order.numberAt(place));
    if (used === 0) {
      this.#drop(place);
      return;
    }
    const [before, next] = [this.#order.before(place), this.#order.next(place)];
    if (next !== null && this.#mayJoin(place, next)) this.#absorb(place, next);
    else if (before !== null && this.#mayJoin(before, place)) this.#absorb(before, place);
  }

  #mayJoin(left: BlockPlace, right: BlockPlace): boolean {
    const [one, other] = [left, right].map((place) => this.#block(this.#order.numberAt(place)).used);
    return (one as number) + (other as number) <= JOINED_SHARE_MAX * this.#blockBytes;
  }

  #absorb(left: BlockPlace, right: BlockPlace): void {
    const [to, from] = [this.#order.numberAt(left), this.#order.numberAt(right)];
    const block = this.#block(to);
    const start = block.used;
    block.absorb(this.#block(from));
    this.#moved(block, start, from, to);
    this.#drop(right);
  }

  #drop(place: BlockPlace): void {
    const number = this.#order.numberAt(place);
    this.#order.remove(place);
    this.#blocks[number] = undefined;
    this.#freeNumbers.push(number);
  }
}
