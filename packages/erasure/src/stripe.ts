import { type Arena, PAGE_BYTES } from "./arena.ts";
import { alignUp, type Codec, checkMissing } from "./codec.ts";
import { ErasureError } from "./error.ts";
import { SHARD_ALIGNMENT } from "./kernel/engine.ts";
import { type Scheme, shardCountOf } from "./scheme.ts";

/** Memory in which a stripe's shards are computed. */
export interface StripeHome {
  readonly heap: Uint8Array;
  readonly arena: Arena;
  readonly codec: Codec;
}

/**
 * The n shards of one upload in the arena. Write the data shards, `encode`, pass the shards to the writer, and
 * `release` once they are written out, which makes the memory available to another stripe. The first shard starts on a
 * page, every shard at a multiple of 64 bytes. Until the shards are written, they contain old data.
 */
export class Stripe {
  readonly scheme: Scheme;
  readonly shardBytes: number;
  readonly #home: StripeHome;
  readonly #addresses: readonly number[];
  readonly #byteCount: number;
  readonly #shards: readonly Uint8Array[];
  #isReleased = false;

  constructor(home: StripeHome, scheme: Scheme, shardBytes: number) {
    const shardCount = shardCountOf(scheme);
    const stride = stripeStride(shardBytes);
    this.scheme = scheme;
    this.shardBytes = shardBytes;
    this.#home = home;
    this.#byteCount = Math.ceil((shardCount * stride) / PAGE_BYTES) * PAGE_BYTES;
    const start = home.arena.take(this.#byteCount);
    this.#addresses = Array.from({ length: shardCount }, (_, index) => start + index * stride);
    this.#shards = this.#addresses.map((address) => home.heap.subarray(address, address + shardBytes));
    // Engines compute whole lines of 64 bytes. Zeros after the end keep `verify` correct there too.
    for (const address of this.#addresses) {
      home.heap.fill(0, address + shardBytes, address + alignUp(shardBytes));
    }
  }

  /** Views of all n shards in memory, data before parity. */
  get shards(): readonly Uint8Array[] {
    this.#checkHeld();
    return this.#shards;
  }

  get dataShards(): readonly Uint8Array[] {
    return this.shards.slice(0, this.scheme.dataShardCount);
  }

  get parityShards(): readonly Uint8Array[] {
    return this.shards.slice(this.scheme.dataShardCount);
  }

  /** Computes the parity shards from the data shards. */
  encode(): void {
    this.#checkHeld();
    this.#home.codec.encode(this.scheme, this.#addresses, this.shardBytes);
  }

  /** Returns true if the parity shards match the data shards. */
  verify(): boolean {
    this.#checkHeld();
    return this.#home.codec.verify(this.scheme, this.#addresses, this.shardBytes);
  }

  /** Computes the shards with these indexes, at most m, from k others. */
  reconstruct(missing: readonly number[]): void {
    this.#reconstruct(missing, () => true);
  }

  /** Like `reconstruct`, but skips missing parity shards, which a reader does not need. */
  reconstructData(missing: readonly number[]): void {
    this.#reconstruct(missing, (index) => index < this.scheme.dataShardCount);
  }

  /** Releases the memory. Views of the shards must not be used after this. */
  release(): void {
    this.#checkHeld();
    this.#isReleased = true;
    this.#home.arena.giveBack(this.#addresses[0] as number, this.#byteCount);
  }

  #reconstruct(missing: readonly number[], isWanted: (index: number) => boolean): void {
    this.#checkHeld();
    const lost = checkMissing(this.scheme, missing);
    const wanted = lost.filter(isWanted);
    this.#home.codec.reconstruct(this.scheme, this.#addresses, this.shardBytes, lost, wanted);
  }

  #checkHeld(): void {
    if (!this.#isReleased) return;
    throw new ErasureError(
      "stripe_released",
      "This stripe has been released, and its memory may belong to another; take a new one.",
    );
  }
}

const LINES_IN_PAGE = PAGE_BYTES / SHARD_ALIGNMENT;

/**
 * Distance between shards. The kernel reads the same place of all shards in turn; with a distance near a multiple of a
 * page these places share cache sets, and all streams reach the end of their page at once, which makes it a quarter
 * slower. So the distance is an odd number of lines and, for long shards, well away from whole pages.
 */
function stripeStride(shardBytes: number): number {
  const linesNeeded = Math.ceil(shardBytes / SHARD_ALIGNMENT);
  let lines = linesNeeded % 2 === 0 ? linesNeeded + 1 : linesNeeded;
  const pages = lines / LINES_IN_PAGE;
  const linesPastPageMin = pages < 1 ? 0 : pages < 4 ? 9 : 31;
  while (lines % LINES_IN_PAGE < linesPastPageMin) lines += 2;
  return lines * SHARD_ALIGNMENT;
}
