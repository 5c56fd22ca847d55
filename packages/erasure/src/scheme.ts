import { ErasureError } from "./error.ts";
import { FIELD_SIZE, power } from "./field.ts";
import { elementAt, invertMatrix, type Matrix, makeMatrix, multiplyMatrices } from "./matrix.ts";

/** k data shards and m parity shards; any k of the n = k + m restore the rest. */
export interface Scheme {
  readonly dataShardCount: number;
  readonly parityShardCount: number;
}

export const SCHEME_17_3: Scheme = { dataShardCount: 17, parityShardCount: 3 };
export const SCHEME_16_4: Scheme = { dataShardCount: 16, parityShardCount: 4 };
export const SCHEME_15_5: Scheme = { dataShardCount: 15, parityShardCount: 5 };

export function shardCountOf({ dataShardCount, parityShardCount }: Scheme): number {
  return dataShardCount + parityShardCount;
}

export function checkScheme({ dataShardCount, parityShardCount }: Scheme): void {
  const isInRange =
    Number.isInteger(dataShardCount) &&
    Number.isInteger(parityShardCount) &&
    dataShardCount >= 1 &&
    parityShardCount >= 1 &&
    dataShardCount + parityShardCount <= FIELD_SIZE;
  if (isInRange) return;
  throw new ErasureError(
    "scheme_out_of_range",
    `The scheme ${dataShardCount}+${parityShardCount} is out of range: at least 1 data and 1 parity shard, at most 256 together.`,
  );
}

/**
 * Returns the m x k matrix that turns data shards into parity shards, as in Backblaze's open-source library: the n x k
 * Vandermonde matrix with row^column at each place, times the inverse of its upper k rows. The upper part becomes the
 * identity, and any k rows stay independent; the lower m rows are returned.
 */
export function parityMatrix(scheme: Scheme): Matrix {
  const { dataShardCount, parityShardCount } = scheme;
  const vandermonde = makeMatrix(shardCountOf(scheme), dataShardCount, power);
  const upper = makeMatrix(dataShardCount, dataShardCount, (row, column) =>
    elementAt(vandermonde, row, column),
  );
  const lower = makeMatrix(parityShardCount, dataShardCount, (row, column) =>
    elementAt(vandermonde, dataShardCount + row, column),
  );
  return multiplyMatrices(lower, invertMatrix(upper));
}
