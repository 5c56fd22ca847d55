/** Reads the keys of a bucket from blocks, and seeks over those of a common prefix. */
import type { Page, PageMemory } from "@stashlight/paged-memory";
import type { KeyCursor } from "../key-cursor.ts";
import type { Block } from "./block.ts";
import { type BlockTree, Boundary } from "./block-tree.ts";
import { NameBuffer } from "./name-buffer.ts";
import { rowLength } from "./row.ts";

/** Above every byte of UTF-8. */
const ABOVE_ALL = Buffer.from([0xff]);

export class PackedKeys implements KeyCursor {
  readonly #memory: PageMemory;
  readonly #tree: BlockTree;
  readonly #bucket: string;
  /** The beginning of all names of the bucket. */
  readonly #bucketName: Buffer;
  /** Name of the last row that was read, or of the one that was sought. */
  readonly #name = new NameBuffer();
  /** The block, or null after the last key; the next row in it; and where the next block begins, if there is one. */
  #page: Page | null = null;
  #at = 0;
  readonly #boundary = new Boundary();
  #hasNext = false;
  #last: string | null = null;

  constructor(memory: PageMemory, tree: BlockTree, bucket: string, start: string) {
    this.#memory = memory;
    this.#tree = tree;
    this.#bucket = bucket;
    this.#bucketName = Buffer.from(`${bucket}/`);
    this.#name.set({ bucket, key: start });
    memory.relax();
    this.#seek();
  }

  next(): string | null {
    this.#memory.relax();
    const name = this.#name;
    for (let block = this.#block(); block !== null; block = this.#nextBlock()) {
      const { bytes, used } = block;
      while (this.#at < used) {
        block.readNextName(this.#at, name);
        if (!name.beginsWith(this.#bucketName)) {
          this.#page = null;
          return null;
        }
        this.#at += rowLength(bytes, this.#at);
        const key = name.bytes.toString("utf8", this.#bucketName.length, name.length);
        if (key === this.#last) continue;
        this.#last = key;
        return key;
      }
    }
    return null;
  }

  skip(prefix: string): void {
    this.#memory.relax();
    const block = this.#block();
    if (block === null) return;
    const { bytes, used } = block;
    const prefixBytes = this.#bucketName.length + Buffer.byteLength(prefix);
    while (this.#at < used && block.sharedBytes(this.#at) >= prefixBytes)
      this.#at += rowLength(bytes, this.#at);
    if (this.#at < used) return;
    this.#name.set({ bucket: this.#bucket, key: prefix });
    this.#name.replaceFrom(this.#name.length, ABOVE_ALL, 0, 1);
    this.#seek();
  }

  #block(): Block | null {
    return this.#page === null ? null : this.#tree.block(this.#page);
  }

  #nextBlock(): Block | null {
    if (!this.#hasNext) {
      this.#page = null;
      return null;
    }
    this.#at = 0;
    return this.#enter(this.#tree.find(this.#boundary.name, this.#boundary.version));
  }

  /** Moves to the first row of the name or a higher one. */
  #seek(): void {
    const block = this.#enter(this.#tree.find(this.#name));
    this.#at = block.seek(this.#name, null).at;
    if (this.#at < block.used) block.readName(this.#at, this.#name);
  }

  #enter(block: Block): Block {
    this.#page = block.page;
    this.#hasNext = this.#tree.readBoundary(this.#boundary);
    return block;
  }
}
