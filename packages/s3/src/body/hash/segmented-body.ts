/** A body on its way to the hashing thread: its bytes fill blocks of shared memory, and segments of them are queued. */
import type { HashPlan } from "./body-hash.ts";
import { ABANDONS, ENDS_BODY, ENDS_CHUNK, HAS_SHA256, IN_CHUNK, type SegmentQueue } from "./segment-queue.ts";

export const BLOCK_BYTES = 262_144;
export const BLOCK_COUNT = 64;
/** The thread hashes a segment while the next one arrives, so it ends soon after the last. */
const SEGMENT_BYTES = 65_536;
const ENDS = ENDS_BODY | ABANDONS;

export interface SegmentedBodyOptions {
  readonly id: number;
  readonly sizeBytes: number;
  readonly plan: HashPlan;
  /** Indexes of the blocks that it has reserved. */
  readonly blocks: readonly number[];
  readonly memory: Uint8Array;
  readonly queue: SegmentQueue;
}

export class SegmentedBody {
  readonly #options: SegmentedBodyOptions;
  /** Blocks that are not full yet; the first is being filled. */
  readonly #blocks: number[];
  /** Blocks that are completely queued, with the number of their last segment. */
  #queued: { readonly block: number; readonly segment: number }[] = [];
  /** Bytes in the first block, and those of them that are queued. */
  #filledBytes = 0;
  #queuedBytes = 0;
  #receivedBytes = 0;
  #chunkCount = 0;
  /** Flags of the bytes that are not queued yet. */
  #flags = 0;

  constructor(options: SegmentedBodyOptions) {
    this.#options = options;
    this.#blocks = [...options.blocks];
  }

  /** Blocks that the thread may still read or the body may still fill. */
  get heldCount(): number {
    return this.#blocks.length + this.#queued.length;
  }

  update(bytes: Uint8Array): void {
    const { memory, sizeBytes } = this.#options;
    for (let from = 0; from < bytes.length; ) {
      const untilBound = this.#beginPart();
      const block = this.#blocks[0];
      if (block === undefined) throw new RangeError(`A body is larger than its ${sizeBytes} bytes.`);
      const room = Math.min(untilBound, SEGMENT_BYTES - this.#unqueuedBytes, BLOCK_BYTES - this.#filledBytes);
      const part = bytes.subarray(from, from + room);
      memory.set(part, block * BLOCK_BYTES + this.#filledBytes);
      this.#filledBytes += part.length;
      this.#receivedBytes += part.length;
      from += part.length;
      if (part.length === untilBound) this.#endPart();
      else if (this.#unqueuedBytes === SEGMENT_BYTES || this.#filledBytes === BLOCK_BYTES) this.#queue(0);
    }
  }

  get #unqueuedBytes(): number {
    return this.#filledBytes - this.#queuedBytes;
  }

  /** Returns the number of bytes until a chunk begins or ends. */
  #beginPart(): number {
    const chunk = this.#options.plan.chunks[this.#chunkCount];
    const isInside = chunk !== undefined && this.#receivedBytes >= chunk.from;
    const flags = isInside ? IN_CHUNK : 0;
    if (flags !== this.#flags && this.#unqueuedBytes > 0) this.#queue(0);
    this.#flags = flags;
    if (chunk === undefined) return Number.POSITIVE_INFINITY;
    return (isInside ? chunk.to : chunk.from) - this.#receivedBytes;
  }

  #endPart(): void {
    const isInside = this.#flags === IN_CHUNK;
    this.#queue(isInside ? ENDS_CHUNK : 0);
    this.#flags = 0;
    if (isInside) this.#chunkCount += 1;
  }

  #queue(moreFlags: number): void {
    const { id, plan, queue } = this.#options;
    const block = this.#blocks[0] ?? 0;
    const segment = queue.add({
      id,
      address: block * BLOCK_BYTES + this.#queuedBytes,
      length: this.#unqueuedBytes,
      flags: this.#flags | moreFlags | (plan.hasSha256 ? HAS_SHA256 : 0),
    });
    this.#queuedBytes = this.#filledBytes;
    if (this.#filledBytes === BLOCK_BYTES || (moreFlags & ENDS) !== 0) this.#leaveBlock(segment);
  }

  #leaveBlock(segment: number): void {
    const block = this.#blocks.shift();
    if (block !== undefined) this.#queued.push({ block, segment });
    this.#filledBytes = 0;
    this.#queuedBytes = 0;
  }

  /** Returns the blocks that it did not need. */
  end(): number[] {
    this.#queue(ENDS_BODY);
    return this.#blocks.splice(0);
  }

  /** Returns the blocks that it did not need. */
  abandon(): number[] {
    this.#queue(ABANDONS);
    return this.#blocks.splice(0);
  }

  /** Returns the blocks that the thread has read. */
  takeBack(): number[] {
    const { queue } = this.#options;
    const read = this.#queued.filter(({ segment }) => queue.isRead(segment));
    this.#queued = this.#queued.slice(read.length);
    return read.map(({ block }) => block);
  }

  /** Returns all blocks; called when the thread has answered. */
  takeBackAll(): number[] {
    return this.#queued.splice(0).map(({ block }) => block);
  }
}
