import { BoundedCache } from "./bounded-cache.ts";
import { type DecodePlan, planDecode } from "./decode.ts";
import { counted, ErasureError } from "./error.ts";
import { type Engine, SHARD_ALIGNMENT } from "./kernel/engine.ts";
import type { Matrix } from "./matrix.ts";
import { parityMatrix, type Scheme, shardCountOf } from "./scheme.ts";

const PARITY_MATRICES_MAX = 16;
/**
 * Size of the cache of decoding recipes: few shards are lost at a time, and the same pods are missing for many uploads.
 */
const DECODE_PLANS_MAX = 512;

/** Encodes, verifies and reconstructs the n shards of a valid scheme, stored at `addresses` of an engine's heap. */
export class Codec {
  readonly #engine: Engine;
  readonly #parityMatrices = new BoundedCache<Matrix>(PARITY_MATRICES_MAX);
  readonly #decodePlans = new BoundedCache<DecodePlan>(DECODE_PLANS_MAX);

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  encode(scheme: Scheme, addresses: readonly number[], shardBytes: number): void {
    const { data, parity } = separate(scheme, addresses);
    this.#engine.multiply(this.#parityMatrix(scheme), data, parity, alignUp(shardBytes));
  }

  verify(scheme: Scheme, addresses: readonly number[], shardBytes: number): boolean {
    const { data, parity } = separate(scheme, addresses);
    return this.#engine.matches(this.#parityMatrix(scheme), data, parity, alignUp(shardBytes));
  }

  /** Both lists are ascending; `wanted` is a subset of `missing`, which `checkMissing` has accepted. */
  reconstruct(
    scheme: Scheme,
    addresses: readonly number[],
    shardBytes: number,
    missing: readonly number[],
    wanted: readonly number[],
  ): void {
    if (wanted.length === 0) return;
    const key = `${schemeName(scheme)} ${missing.join()} ${wanted.join()}`;
    const plan = this.#decodePlans.get(key, () => planDecode(this.#parityMatrix(scheme), missing, wanted));
    const at = (index: number) => addresses[index] as number;
    this.#engine.multiply(plan.matrix, plan.inputs.map(at), plan.outputs.map(at), alignUp(shardBytes));
  }

  #parityMatrix(scheme: Scheme): Matrix {
    return this.#parityMatrices.get(schemeName(scheme), () => parityMatrix(scheme));
  }
}

/** Rounds the length of a shard up as engines compute it. */
export function alignUp(shardBytes: number): number {
  return Math.ceil(shardBytes / SHARD_ALIGNMENT) * SHARD_ALIGNMENT;
}

/** Returns the indexes of the missing shards, each once, ascending. */
export function checkMissing(scheme: Scheme, missing: readonly number[]): number[] {
  const shardCount = shardCountOf(scheme);
  const wrong = missing.find((index) => !Number.isInteger(index) || index < 0 || index >= shardCount);
  if (wrong !== undefined) {
    throw new ErasureError(
      "shard_index_out_of_range",
      `There is no shard ${wrong}: those of ${schemeName(scheme)} are 0 to ${shardCount - 1}.`,
    );
  }
  const sorted = [...new Set(missing)].sort((a, b) => a - b);
  if (sorted.length > scheme.parityShardCount) {
    throw new ErasureError(
      "too_many_missing",
      `${counted(sorted.length, "shard")} of ${schemeName(scheme)} missing: at most ${scheme.parityShardCount} can be restored.`,
    );
  }
  return sorted;
}

export function schemeName({ dataShardCount, parityShardCount }: Scheme): string {
  return `${dataShardCount}+${parityShardCount}`;
}

function separate({ dataShardCount }: Scheme, addresses: readonly number[]) {
  return { data: addresses.slice(0, dataShardCount), parity: addresses.slice(dataShardCount) };
}
