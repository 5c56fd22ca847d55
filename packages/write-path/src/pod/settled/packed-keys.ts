/** Reads the keys of a bucket from blocks, and seeks over those of a common prefix. */
import type { KeyCursor } from "../key-cursor.ts";
import type { Block } from "./block.ts";
import type { BlockOrder, BlockPlace } from "./block-order.ts";
import { NameBuffer } from "./name-buffer.ts";
import { rowLength } from "./row.ts";

/** Above every byte of UTF-8. */
const ABOVE_ALL = Buffer.from([0xff]);

export class PackedKeys implements KeyCursor {
  readonly #order: BlockOrder;
  readonly #blockAt: (number: number) => Block;
  readonly #bucket: string;
  /** The beginning of all names of the bucket. */
  readonly #bucketName: Buffer;
  /** Name of the last row that was read, or of the one that was sought. */
  readonly #name = new NameBuffer();
  #place: BlockPlace | null = null;
  /** The next row in the block. */
  #at = 0;
  #last: string | null = null;

  constructor(order: BlockOrder, blockAt: (number: number) => Block, bucket: string, start: string) {
    this.#order = order;
    this.#blockAt = blockAt;
    this.#bucket = bucket;
    this.#bucketName = Buffer.from(`${bucket}/`);
    this.#name.set({ bucket, key: start });
    this.#seek();
  }

  next(): string | null {
    const name = this.#name;
    for (; this.#place !== null; this.#place = this.#order.next(this.#place), this.#at = 0) {
      const block = this.#blockAt(this.#order.numberAt(this.#place));
      while (this.#at < block.used) {
        block.readNextName(this.#at, name);
        if (!name.beginsWith(this.#bucketName)) {
          this.#place = null;
          return null;
        }
        this.#at += rowLength(block.bytes, this.#at);
        const key = name.bytes.toString("utf8", this.#bucketName.length, name.length);
        if (key === this.#last) continue;
        this.#last = key;
        return key;
      }
    }
    return null;
  }

  skip(prefix: string): void {
    if (this.#place === null) return;
    const block = this.#blockAt(this.#order.numberAt(this.#place));
    const prefixBytes = this.#bucketName.length + Buffer.byteLength(prefix);
    while (this.#at < block.used && block.sharedBytes(this.#at) >= prefixBytes)
      this.#at += rowLength(block.bytes, this.#at);
    if (this.#at < block.used) return;
    this.#name.set({ bucket: this.#bucket, key: prefix });
    this.#name.replaceFrom(this.#name.length, ABOVE_ALL, 0, 1);
    this.#seek();
  }

  /** Moves to the first row of the name or a higher one. */
  #seek(): void {
    this.#place = this.#order.find(this.#name, null);
    if (this.#place === null) return;
    const block = this.#blockAt(this.#order.numberAt(this.#place));
    this.#at = block.seek(this.#name, null).at;
    if (this.#at < block.used) block.readName(this.#at, this.#name);
  }
}
