import { elementAt, invertMatrix, type Matrix, makeMatrix, multiplyMatrices } from "./matrix.ts";

/** Recipe for missing shards: `matrix` times the shards in `inputs` yields the shards in `outputs`. */
export interface DecodePlan {
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly matrix: Matrix;
}

/**
 * Restores the shards `wanted`, all of them `missing` (both ascending), from k that are present.
 *
 * Let D be the missing data shards and P as many present parity shards. The rows P of the parity matrix A give P =
 * A[P,D] D + A[P,others] others, so D = inverse(A[P,D]) (P + A[P,others] others). Only this small square is inverted. A
 * missing parity shard is its row of A times all data shards, those of D expressed as above.
 */
export function planDecode(
  parity: Matrix,
  missing: readonly number[],
  wanted: readonly number[],
): DecodePlan {
  const dataShards = parity.columns;
  const isMissing = new Set(missing);
  const lostData = missing.filter((index) => index < dataShards);
  const presentData = range(0, dataShards).filter((index) => !isMissing.has(index));
  const usedParity = range(dataShards, dataShards + parity.rows)
    .filter((index) => !isMissing.has(index))
    .slice(0, lostData.length);
  const inputs = [...presentData, ...usedParity];

  const square = makeMatrix(lostData.length, lostData.length, (row, column) =>
    elementAt(parity, (usedParity[row] as number) - dataShards, lostData[column] as number),
  );
  const knownSide = makeMatrix(lostData.length, inputs.length, (row, column) => {
    const input = inputs[column] as number;
    if (input >= dataShards) return input === usedParity[row] ? 1 : 0;
    return elementAt(parity, (usedParity[row] as number) - dataShards, input);
  });
  const restored = multiplyMatrices(invertMatrix(square), knownSide);

  const dataFromInputs = makeMatrix(dataShards, inputs.length, (row, column) => {
    const lost = lostData.indexOf(row);
    if (lost >= 0) return elementAt(restored, lost, column);
    return inputs[column] === row ? 1 : 0;
  });
  const wantedFromData = makeMatrix(wanted.length, dataShards, (row, column) => {
    const shard = wanted[row] as number;
    if (shard < dataShards) return shard === column ? 1 : 0;
    return elementAt(parity, shard - dataShards, column);
  });
  return { inputs, outputs: wanted, matrix: multiplyMatrices(wantedFromData, dataFromInputs) };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
