import { ErasureError } from "./error.ts";
import { FIELD_SIZE, power } from "./field.ts";
import { elementAt, invertMatrix, type Matrix, makeMatrix, multiplyMatrices } from "./matrix.ts";

/** k data shards and m parity shards; any k of the n = k + m restore the rest. */
export interface Scheme {
  readonly dataShards: number;
  readonly parityShards: number;
}

export const SCHEME_17_3: Scheme = { dataShards: 17, parityShards: 3 };
export const SCHEME_16_4: Scheme = { dataShards: 16, parityShards: 4 };
export const SCHEME_15_5: Scheme = { dataShards: 15, parityShards: 5 };

export function shardCountOf({ dataShards, parityShards }: Scheme): number {
  return dataShards + parityShards;
}

export function checkScheme({ dataShards, parityShards }: Scheme): void {
  const isInRange =
    Number.isInteger(dataShards) &&
    Number.isInteger(parityShards) &&
    dataShards >= 1 &&
    parityShards >= 1 &&
    dataShards + parityShards <= FIELD_SIZE;
  if (isInRange) return;
  throw new ErasureError(
    "scheme_out_of_range",
    `The scheme ${dataShards}+${parityShards} is out of range: at least 1 data and 1 parity shard, at most 256 together.`,
  );
}

/**
 * The m x k matrix that turns data shards into parity shards, as in Backblaze's open-source library: the n x k
 * Vandermonde matrix with row^column at each place, times the inverse of its upper k rows. The upper part becomes
 * the identity, and any k rows stay independent; the lower m rows are returned.
 */
export function parityMatrix(scheme: Scheme): Matrix {
  const { dataShards, parityShards } = scheme;
  const vandermonde = makeMatrix(shardCountOf(scheme), dataShards, power);
  const upper = makeMatrix(dataShards, dataShards, (row, column) => elementAt(vandermonde, row, column));
  const lower = makeMatrix(parityShards, dataShards, (row, column) =>
    elementAt(vandermonde, dataShards + row, column),
  );
  return multiplyMatrices(lower, invertMatrix(upper));
}
