/**
 * Settled entries of a pod as rows in pages, most of them in a file: a pod may hold a hundred million, and an object
 * for each would not even fit into a Map.
 *
 * The rows form one sequence in the order of names, a tree of blocks that lists seek in. A table leads from an upload id,
 * and a column from an arrival, to the page that has a pointer to the row. All but the tree grow where they grew last,
 * so a put changes one page that may not be in memory, its leaf.
 */
import assert from "node:assert/strict";
import { OrderedTable, PAGE_BYTES, type Page, PageMemory, type SavedTable } from "@stashlight/paged-memory";
import type { UploadId } from "../../shard.ts";
import type { EntryView } from "../entry.ts";
import type { KeyCursor } from "../key-cursor.ts";
import type { ObjectName, SettledEntries } from "../settled-entries.ts";
import { Arrivals, type SavedArrivals } from "./arrivals.ts";
import { BLOCK_BYTES_MAX, type Block } from "./block.ts";
import { BlockTree, Boundary, type SavedTree } from "./block-tree.ts";
import { hashBytes } from "./hash.ts";
import { NameBuffer } from "./name-buffer.ts";
import { PackedKeys } from "./packed-keys.ts";
import {
  arrivalOfRow,
  decodeRow,
  ID_AT,
  ID_BYTES,
  RowEncoder,
  rowLength,
  TIME_BYTES,
  VERSION_AT,
  VERSION_BYTES,
  writeHex,
  writeVersion,
} from "./row.ts";
import { RowPointers } from "./row-pointers.ts";

/** A row, and the pointer that led to it. The row's name is in scratch space. */
interface Found {
  readonly block: Block;
  readonly at: number;
  readonly pointerPage: Page;
  readonly pointer: number;
}

/** Returns true for the row sought, of those with one name. */
type IsSought = (block: Block, at: number) => boolean;

/** State of the settled entries apart from their pages. */
export interface SavedEntries {
  readonly tree: SavedTree;
  readonly byId: SavedTable;
  readonly arrivals: SavedArrivals;
  readonly count: number;
  /** Greater than the arrivals of all entries. */
  readonly nextArrival: number;
}

export class PackedEntries implements SettledEntries<number> {
  readonly #memory: PageMemory;
  readonly #tree: BlockTree;
  readonly #pointers: RowPointers;
  /** Pages of pointers. */
  readonly #byId: OrderedTable;
  readonly #arrivals: Arrivals;
  readonly #encoder = new RowEncoder();
  /** Scratch space of the call in progress. */
  readonly #id = Buffer.alloc(ID_BYTES);
  #arrival = 0;
  readonly #name = new NameBuffer();
  readonly #rowName = new NameBuffer();
  /** A time, followed by zeroes: below all versions of the time. No upload has the id 0. */
  readonly #time = Buffer.alloc(VERSION_BYTES);
  readonly #boundary = new Boundary();
  #found: Found | null = null;
  #count: number;
  /** The first arrival of this boot. */
  readonly #firstArrival: number;

  /**
   * Blocks of less than a page are for tests. With `saved`, continues with the entries of an earlier boot, whose pages the
   * memory has adopted.
   */
  constructor(memory = new PageMemory(), blockBytes = BLOCK_BYTES_MAX, saved: SavedEntries | null = null) {
    this.#memory = memory;
    memory.relax();
    this.#tree = new BlockTree(memory, Math.min(blockBytes, BLOCK_BYTES_MAX), saved?.tree);
    this.#pointers = new RowPointers(memory);
    this.#byId = new OrderedTable(memory, saved?.byId);
    this.#arrivals = new Arrivals(memory, saved?.arrivals);
    this.#count = saved?.count ?? 0;
    this.#firstArrival = saved?.nextArrival ?? 0;
  }

  /** `nextArrival` is above the arrivals of all entries. */
  save(nextArrival: number): SavedEntries {
    const [tree, byId, arrivals] = [this.#tree.save(), this.#byId.save(), this.#arrivals.save()];
    return { tree, byId, arrivals, count: this.#count, nextArrival };
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes of all pages of the memory, which other owners may use as well. */
  get byteLength(): number {
    return this.#memory.pageCount * PAGE_BYTES;
  }

  has(uploadId: UploadId): boolean {
    return this.#find(uploadId) !== null;
  }

  get(uploadId: UploadId): EntryView<number> | undefined {
    const found = this.#find(uploadId);
    return found === null ? undefined : this.#decode(found);
  }

  versionsOf(object: ObjectName): EntryView<number>[] {
    const versions: EntryView<number>[] = [];
    if (this.#count === 0) return versions;
    this.#memory.relax();
    this.#name.set(object);
    this.#visit(this.#name, null, (block, at) => {
      versions.push(decodeRow(block.bytes, at, object, this.#firstArrival));
      return false;
    });
    return versions;
  }

  /** Visits the rows of this name, those above the version if there is one, until `visit` returns true. */
  #visit(name: NameBuffer, version: Buffer | null, visit: IsSought): void {
    let block = this.#tree.find(name, version ?? undefined);
    let place = block.seek(name, version);
    for (;;) {
      let { at } = place;
      if (block.isNamed(place, name)) {
        do {
          if (visit(block, at)) return;
          at += rowLength(block.bytes, at);
        } while (block.hasNameOfRowBefore(at));
      }
      const mayContinue = at === block.used && this.#tree.readBoundary(this.#boundary);
      if (!mayContinue || !this.#boundary.name.equals(name)) return;
      block = this.#tree.find(name, this.#boundary.version);
      place = block.seek(name, null);
    }
  }

  keysFrom(bucket: string, start: string): KeyCursor {
    return new PackedKeys(this.#memory, this.#tree, bucket, start);
  }

  /** All entries in the order of names and versions. Changes to entries that the iterator has passed are not seen. */
  *values(): Generator<EntryView<number>> {
    const last = new NameBuffer();
    const version = Buffer.alloc(VERSION_BYTES);
    for (;;) {
      const entries = this.#entriesAfter(last, version);
      const top = entries.at(-1);
      if (top === undefined) return;
      last.set(top.upload);
      writeVersion(version, 0, top.upload);
      yield* entries;
    }
  }

  /** The next entries in the order of names and versions, those of one block. */
  #entriesAfter(last: NameBuffer, version: Buffer): EntryView<number>[] {
    this.#memory.relax();
    let block = this.#tree.find(last, version);
    let { at } = block.seek(last, version);
    while (at === block.used && this.#tree.readBoundary(this.#boundary)) {
      block = this.#tree.find(this.#boundary.name, this.#boundary.version);
      at = 0;
    }
    const entries: EntryView<number>[] = [];
    const name = this.#rowName;
    if (at < block.used) block.readName(at, name);
    for (; at < block.used; at += rowLength(block.bytes, at)) {
      block.readNextName(at, name);
      entries.push(decodeRow(block.bytes, at, name.parse(), this.#firstArrival));
    }
    return entries;
  }

  arrivalOf(uploadId: UploadId): number | undefined {
    const found = this.#find(uploadId);
    return found === null ? undefined : arrivalOfRow(found.block.bytes, found.at);
  }

  arrivals(after: number, end: number, buckets: ReadonlySet<number>): Generator<number> {
    return this.#arrivals.between(after, end, buckets);
  }

  atArrival(arrival: number): EntryView<number> {
    this.#memory.relax();
    this.#found = null;
    this.#arrival = arrival;
    this.#pointers.findArrival(this.#arrivals.pointerPageOf(arrival), arrival, this.#leadsToArrival);
    assert(this.#found !== null, "an arrival without an entry");
    return this.#decode(this.#found);
  }

  put(entry: EntryView<number>): boolean {
    this.#memory.relax();
    const { arrival, bucket } = entry;
    this.#name.set(entry.upload);
    const parts = this.#encoder.encode(entry);
    const isRepeated = this.#tree.insert(this.#name, parts);
    parts.head.copy(this.#id, 0, ID_AT, ID_AT + ID_BYTES);
    const hash = hashBytes(this.#id, 0, ID_BYTES);
    const version = parts.head.subarray(VERSION_AT, VERSION_AT + VERSION_BYTES);
    const page = this.#pointers.add(this.#name, version, hash, arrival);
    this.#byId.add(orderOf(this.#id), hash, page);
    this.#arrivals.add(arrival, page, bucket);
    this.#count += 1;
    return isRepeated;
  }

  remove(uploadId: UploadId): void {
    const found = this.#find(uploadId);
    assert(found !== null, "an entry that does not rest");
    const { block, at, pointerPage, pointer } = found;
    this.#byId.remove(orderOf(this.#id), hashBytes(this.#id, 0, ID_BYTES), pointerPage);
    this.#pointers.remove(pointerPage, pointer);
    this.#arrivals.remove(arrivalOfRow(block.bytes, at));
    this.#count -= 1;
    this.#tree.remove(block, at, this.#rowName);
  }

  /** Begins an operation, after which the upload id is in scratch space. */
  #find(uploadId: UploadId): Found | null {
    if (this.#count === 0) return null;
    this.#memory.relax();
    writeHex(this.#id, 0, uploadId, ID_BYTES);
    this.#found = null;
    const hash = hashBytes(this.#id, 0, ID_BYTES);
    this.#byId.find(orderOf(this.#id), hash, (page) => this.#pointers.findHash(page, hash, this.#leadsToId));
    return this.#found;
  }

  readonly #hasId: IsSought = (block, at) => block.hasId(at, this.#id);
  readonly #hasArrival: IsSought = (block, at) => arrivalOfRow(block.bytes, at) === this.#arrival;
  readonly #leadsToId = (page: Page, pointer: number): boolean => this.#leads(page, pointer, this.#hasId);
  readonly #leadsToArrival = (page: Page, pointer: number): boolean =>
    this.#leads(page, pointer, this.#hasArrival);

  /** Returns true if the pointer leads to the row sought, and notes where that is. */
  #leads(pointerPage: Page, pointer: number, isSought: IsSought): boolean {
    this.#pointers.read(pointerPage, pointer, this.#rowName, this.#time);
    const arrivalBits = this.#pointers.arrivalBitsOf(pointerPage, pointer);
    this.#visit(this.#rowName, this.#time, (block, at) => {
      if (this.#time.compare(block.bytes, at + VERSION_AT, at + VERSION_AT + TIME_BYTES, 0, TIME_BYTES) !== 0)
        return true;
      // Ids of versions with the same time may share a tag, so this pointer may belong to another version.
      const isOfPointer = (arrivalOfRow(block.bytes, at) & 0xffff) === arrivalBits;
      if (!isOfPointer || !isSought(block, at)) return false;
      this.#found = { block, at, pointerPage, pointer };
      return true;
    });
    return this.#found !== null;
  }

  #decode({ block, at }: Found): EntryView<number> {
    return decodeRow(block.bytes, at, this.#rowName.parse(), this.#firstArrival);
  }
}

/** The first word of an id, which is higher for later uploads. */
const orderOf = (id: Buffer): number => id.readUInt32BE(0);
