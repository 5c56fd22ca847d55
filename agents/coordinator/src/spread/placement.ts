/**
 * Places keys by weighted rendezvous hashing: a change of one vault's weight moves keys only to it or from it. Every
 * coordinator must give the same answer, so the logarithm is made of operations whose result IEEE 754 fixes to the last
 * bit, which `Math.log` need not be.
 */
import { hash } from "node:crypto";
import type { Book } from "./book.ts";

export interface KeyName {
  readonly bucket: string;
  readonly key: string;
}

/** A stretch of epochs in which the same vault took the key. Numbers begin at 1, and both ends belong to it. */
export interface Segment {
  /** The index of the vault in the book. */
  readonly vault: number;
  readonly firstEpoch: number;
  readonly lastEpoch: number;
}

const HASH_BYTES = 6;
const HASH_COUNT = 2 ** (8 * HASH_BYTES);
const SERIES_TERM_COUNT = 24;

/** The segments of a key, the newest first. Where several epochs follow one another with the same vault, they are one. */
export function segmentsOf({ vaults, epochs }: Pick<Book, "vaults" | "epochs">, name: KeyName): Segment[] {
  const lengths = vaults.map(({ id }) => lengthOf(id, name));
  const segments: Segment[] = [];
  for (const [at, { weights }] of epochs.entries()) {
    const vault = nearest(lengths, weights);
    const epoch = at + 1;
    const before = segments.at(-1);
    if (before?.vault === vault) segments[segments.length - 1] = { ...before, lastEpoch: epoch };
    else segments.push({ vault, firstEpoch: epoch, lastEpoch: epoch });
  }
  return segments.reverse();
}

/** The vault that takes the key under these weights. Throws a RangeError when no vault has a weight. */
export function vaultFor(vaultIds: readonly string[], weights: readonly number[], name: KeyName): number {
  const lengths = vaultIds.map((id) => lengthOf(id, name));
  return nearest(lengths, weights);
}

/** Straws are cut to `length / weight`, and the shortest is drawn; of equal ones that of the vault named first. */
function nearest(lengths: readonly number[], weights: readonly number[]): number {
  let best = -1;
  let bestLength = Number.POSITIVE_INFINITY;
  for (const [vault, length] of lengths.entries()) {
    const weight = weights[vault] ?? 0;
    if (weight <= 0 || length / weight >= bestLength) continue;
    best = vault;
    bestLength = length / weight;
  }
  if (best === -1) throw new RangeError("An epoch has at least one vault that takes keys.");
  return best;
}

/** Exponentially distributed, by hash: the negative logarithm of a number above 0 and below 1. */
function lengthOf(vaultId: string, { bucket, key }: KeyName): number {
  const digest = hash("sha256", `${vaultId}\0${bucket}\0${key}`, "buffer");
  return -logarithm((digest.readUIntBE(0, HASH_BYTES) + 0.5) / HASH_COUNT);
}

/** The natural logarithm of a number in (0, 1): exact halvings, then the series of the inverse hyperbolic tangent. */
export function logarithm(value: number): number {
  let mantissa = value;
  let exponent = 0;
  while (mantissa < 0.75) {
    mantissa *= 2;
    exponent -= 1;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  let power = ratio;
  let sum = 0;
  for (let term = 0; term < SERIES_TERM_COUNT; term += 1) {
    sum += power / (2 * term + 1);
    power *= ratio * ratio;
  }
  return 2 * sum + exponent * Math.LN2;
}
