/**
 * Settled entries of a pod as rows in pages of memory, most of which are in a file: a pod may hold a hundred million, and
 * an object for each would not even fit into a Map.
 *
 * The rows form one sequence in the order of names, a tree of blocks that lists seek in. A table leads from an upload id
 * to its block, and a column from an arrival to its upload id.
 */
import assert from "node:assert/strict";
import { HashPages, PAGE_BYTES, type Page, PageMemory } from "@stashlight/paged-memory";
import type { UploadId } from "../../shard.ts";
import type { EntryView } from "../entry.ts";
import type { KeyCursor } from "../key-cursor.ts";
import type { ObjectName, SettledEntries } from "../settled-entries.ts";
import { Arrivals } from "./arrivals.ts";
import { BLOCK_BYTES_MAX, type Block } from "./block.ts";
import { BlockTree, Boundary } from "./block-tree.ts";
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
  VERSION_BYTES,
  writeHex,
  writeVersion,
} from "./row.ts";

interface Found {
  readonly block: Block;
  readonly at: number;
}

export class PackedEntries implements SettledEntries<number> {
  readonly #memory: PageMemory;
  readonly #tree: BlockTree;
  readonly #byId: HashPages;
  readonly #arrivals: Arrivals;
  readonly #encoder = new RowEncoder();
  /** Scratch space of the call in progress. */
  readonly #id = Buffer.alloc(ID_BYTES);
  readonly #name = new NameBuffer();
  readonly #rowName = new NameBuffer();
  readonly #boundary = new Boundary();
  #found: Found | null = null;
  #count = 0;

  /** Blocks of less than a page are for tests. */
  constructor(memory = new PageMemory(), blockBytes = BLOCK_BYTES_MAX) {
    this.#memory = memory;
    memory.relax();
    this.#tree = new BlockTree(memory, Math.min(blockBytes, BLOCK_BYTES_MAX), (leaf, start, from) =>
      this.#moved(leaf, start, from),
    );
    this.#byId = new HashPages(memory);
    this.#arrivals = new Arrivals(memory);
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
    const name = this.#name;
    name.set(object);
    let block = this.#tree.find(name);
    for (;;) {
      const place = block.seek(name, null);
      let { at } = place;
      if (block.isNamed(place, name)) {
        do {
          versions.push(decodeRow(block.bytes, at, object));
          at += rowLength(block.bytes, at);
        } while (block.hasNameOfRowBefore(at));
      }
      const mayContinue = at === block.used && this.#tree.readBoundary(this.#boundary);
      if (!mayContinue || !this.#boundary.name.equals(name)) return versions;
      block = this.#tree.find(name, this.#boundary.version);
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
      entries.push(decodeRow(block.bytes, at, name.parse()));
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
    this.#byId.find(this.#arrivals.hashOf(arrival), (page) => {
      const block = this.#tree.block(page);
      return this.#isFound(block, block.findArrival(arrival));
    });
    assert(this.#found !== null, "an arrival without an entry");
    return this.#decode(this.#found);
  }

  put(entry: EntryView<number>): boolean {
    this.#memory.relax();
    this.#name.set(entry.upload);
    const parts = this.#encoder.encode(entry);
    const { page, isRepeated } = this.#tree.insert(this.#name, parts);
    const hash = hashBytes(parts.head, ID_AT, ID_AT + ID_BYTES);
    this.#byId.add(hash, page);
    this.#arrivals.add(entry.arrival, hash, entry.bucket);
    this.#count += 1;
    return isRepeated;
  }

  remove(uploadId: UploadId): void {
    const found = this.#find(uploadId);
    assert(found !== null, "an entry that does not rest");
    const { block, at } = found;
    block.readName(at, this.#rowName);
    this.#byId.remove(hashBytes(this.#id, 0, ID_BYTES), block.page);
    this.#arrivals.remove(arrivalOfRow(block.bytes, at));
    this.#count -= 1;
    this.#tree.remove(block, at, this.#rowName);
  }

  /** Begins an operation. The upload id is in scratch space then. */
  #find(uploadId: UploadId): Found | null {
    if (this.#count === 0) return null;
    this.#memory.relax();
    writeHex(this.#id, 0, uploadId, ID_BYTES);
    this.#found = null;
    this.#byId.find(hashBytes(this.#id, 0, ID_BYTES), this.#hasId);
    return this.#found;
  }

  readonly #hasId = (page: Page): boolean => {
    const block = this.#tree.block(page);
    return this.#isFound(block, block.findId(this.#id));
  };

  #isFound(block: Block, at: number): boolean {
    if (at >= 0) this.#found = { block, at };
    return at >= 0;
  }

  #decode({ block, at }: Found): EntryView<number> {
    block.readName(at, this.#rowName);
    return decodeRow(block.bytes, at, this.#rowName.parse());
  }

  /** Updates the table after the rows from `start` on have come from another page. */
  #moved({ page, bytes, used }: Block, start: number, from: Page): void {
    for (let at = start; at < used; at += rowLength(bytes, at))
      this.#byId.replace(hashBytes(bytes, at + ID_AT, at + ID_AT + ID_BYTES), from, page);
  }
}
