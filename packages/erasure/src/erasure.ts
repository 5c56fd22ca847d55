/**
 * Reed-Solomon erasure coding over GF(2^8), byte-compatible with Backblaze's open-source library. There are two
 * interfaces: stripes, whose shards are in the coder's own memory and are never copied, and functions over any
 * Uint8Arrays, which copy.
 */
import { Arena, PAGE_BYTES } from "./arena.ts";
import { Codec, checkMissing } from "./codec.ts";
import { createEngine } from "./create-engine.ts";
import { ErasureError } from "./error.ts";
import type { Engine, EngineName } from "./kernel/engine.ts";
import type { WasmMemory } from "./kernel/instance.ts";
import { checkScheme, type Scheme, shardCountOf } from "./scheme.ts";
import { checkShards } from "./shard-list.ts";
import { STAGING_BYTES, throughStaging } from "./staging.ts";
import { Stripe } from "./stripe.ts";

export interface ErasureOptions {
  /** Memory for stripes, rounded up to pages; 16 MiB if not given. It never grows, so views of it stay valid. */
  readonly arenaBytes?: number;
  /** Defaults to the best available engine. */
  readonly engine?: EngineName;
}

export interface Erasure {
  readonly engine: EngineName;
  /** Memory that contains the stripes, for reading in place; null with the engine "js". */
  readonly memory: WasmMemory | null;
  readonly arenaBytes: number;
  readonly freeBytes: number;
  /** Allocates n shards of `shardBytes`. The stripe must be released. */
  takeStripe(scheme: Scheme, shardBytes: number): Stripe;
  /** Computes the m parity shards of k data shards. */
  encode(scheme: Scheme, dataShards: readonly Uint8Array[]): Uint8Array[];
  /** Returns true if the last m of n shards are the parity of the first k. */
  verify(scheme: Scheme, shards: readonly Uint8Array[]): boolean;
  /** Restores all n shards by computing the null ones from the others. At most m may be null. */
  reconstruct(scheme: Scheme, shards: readonly (Uint8Array | null)[]): Uint8Array[];
  /** Restores the k data shards by computing the null ones from the others. At most m of all n may be null. */
  reconstructData(scheme: Scheme, shards: readonly (Uint8Array | null)[]): Uint8Array[];
}

const ARENA_BYTES_DEFAULT = 16 * 2 ** 20;
/** WebAssembly can address 4 GiB, of which one mebibyte belongs to the engine. */
const ARENA_BYTES_MAX = 2 ** 32 - 2 ** 20;

export function createErasure({ arenaBytes = ARENA_BYTES_DEFAULT, engine }: ErasureOptions = {}): Erasure {
  if (!Number.isInteger(arenaBytes) || arenaBytes < 1 || arenaBytes > ARENA_BYTES_MAX) {
    throw new ErasureError(
      "arena_size_out_of_range",
      `An arena has 1 to ${ARENA_BYTES_MAX} bytes; ${arenaBytes} was given.`,
    );
  }
  const pagedBytes = Math.ceil(arenaBytes / PAGE_BYTES) * PAGE_BYTES;
  return new Coder(createEngine(engine, STAGING_BYTES + pagedBytes), pagedBytes);
}

class Coder implements Erasure {
  readonly engine: EngineName;
  readonly memory: WasmMemory | null;
  readonly arenaBytes: number;
  readonly #heap: Uint8Array;
  readonly #stagingStart: number;
  readonly #arena: Arena;
  readonly #codec: Codec;

  constructor(engine: Engine, arenaBytes: number) {
    this.engine = engine.name;
    this.memory = engine.memory;
    this.arenaBytes = arenaBytes;
    this.#heap = engine.heap;
    this.#stagingStart = engine.heapStart;
    this.#arena = new Arena(engine.heapStart + STAGING_BYTES, arenaBytes);
    this.#codec = new Codec(engine);
  }

  get freeBytes(): number {
    return this.#arena.freeBytes;
  }

  takeStripe(scheme: Scheme, shardBytes: number): Stripe {
    checkScheme(scheme);
    if (!Number.isSafeInteger(shardBytes) || shardBytes < 0) {
      throw new ErasureError("length_out_of_range", `A shard has 0 or more bytes; ${shardBytes} was given.`);
    }
    return new Stripe({ heap: this.#heap, arena: this.#arena, codec: this.#codec }, scheme, shardBytes);
  }

  encode(scheme: Scheme, dataShards: readonly Uint8Array[]): Uint8Array[] {
    checkScheme(scheme);
    const shardBytes = checkShards(scheme, dataShards, scheme.dataShardCount, "data shard");
    const parity = Array.from({ length: scheme.parityShardCount }, () => new Uint8Array(shardBytes));
    const inputs = [...dataShards, ...parity.map(() => null)];
    const results = [...dataShards.map(() => null), ...parity];
    this.#run(shardBytes, inputs, results, (addresses, byteCount) => {
      this.#codec.encode(scheme, addresses, byteCount);
      return true;
    });
    return parity;
  }

  verify(scheme: Scheme, shards: readonly Uint8Array[]): boolean {
    checkScheme(scheme);
    const shardBytes = checkShards(scheme, shards, shardCountOf(scheme), "shard");
    return this.#run(shardBytes, shards, [], (addresses, byteCount) =>
      this.#codec.verify(scheme, addresses, byteCount),
    );
  }

  reconstruct(scheme: Scheme, shards: readonly (Uint8Array | null)[]): Uint8Array[] {
    return this.#reconstruct(scheme, shards, shardCountOf(scheme));
  }

  reconstructData(scheme: Scheme, shards: readonly (Uint8Array | null)[]): Uint8Array[] {
    return this.#reconstruct(scheme, shards, scheme.dataShardCount);
  }

  /** Returns the first `count` shards. */
  #reconstruct(scheme: Scheme, shards: readonly (Uint8Array | null)[], count: number): Uint8Array[] {
    checkScheme(scheme);
    const shardBytes = checkShards(scheme, shards, shardCountOf(scheme), "shard");
    const holes = shards.flatMap((shard, index) => (shard === null ? [index] : []));
    const missing = checkMissing(scheme, holes);
    const wanted = missing.filter((index) => index < count);
    const restored = shards.map((shard, index) =>
      shard === null && index < count ? new Uint8Array(shardBytes) : null,
    );
    if (wanted.length > 0) {
      this.#run(shardBytes, shards, restored, (addresses, byteCount) => {
        this.#codec.reconstruct(scheme, addresses, byteCount, missing, wanted);
        return true;
      });
    }
    return shards.slice(0, count).map((shard, index) => shard ?? (restored[index] as Uint8Array));
  }

  #run(
    shardBytes: number,
    shards: readonly (Uint8Array | null)[],
    results: readonly (Uint8Array | null)[],
    compute: (addresses: readonly number[], byteCount: number) => boolean,
  ): boolean {
    return throughStaging(this.#heap, this.#stagingStart, shardBytes, shards, results, compute);
  }
}
