/**
 * Places keys by weighted rendezvous hashing: a change of one vault's weight moves keys only to it or from it. Every
 * coordinator must give the same answer, so the logarithm is made of operations whose result IEEE 754 fixes to the last
 * bit, which `Math.log` need not be.
 */
import { hash } from "node:crypto";
import type { Epoch, EpochLedger } from "./epoch-ledger.ts";

export interface KeyName {
  readonly bucket: string;
  readonly key: string;
}

/**
 * A stretch of epochs in which the vault took the key, as far as the book still separates them. Numbers begin at 1, and
 * both ends belong to it.
 */
export interface Segment {
  /** The index of the vault in the book. */
  readonly vault: number;
  /** No other vault has taken the key since, where this is its first segment. */
  readonly firstEpoch: number;
  /** The vault holds no later version of the key, where this is the vault's first segment. */
  readonly lastEpoch: number;
}

const HASH_BYTES = 6;
const HASH_COUNT = 2 ** (8 * HASH_BYTES);
const SERIES_TERM_COUNT = 24;

/** The segments of a key, the newest first. Where several epochs follow one another with the same vault, they are one. */
export function segmentsOf(
  { vaults, epochs }: Pick<EpochLedger, "vaults" | "epochs">,
  name: KeyName,
): Segment[] {
  const lengths = vaults.map(({ id }) => lengthOf(id, name));
  const segments: Segment[] = [];
  let before: readonly number[] = [];
  let lastEpoch = 0;
  for (const epoch of epochs) {
    const homes = homesIn(epoch, lengths);
    const firstEpoch = lastEpoch + 1;
    lastEpoch = epoch.number;
    const open = segments.at(-1);
    const goesOn = homes.length === 1 && before.length === 1 && homes[0] === before[0];
    if (open !== undefined && goesOn) segments[segments.length - 1] = { ...open, lastEpoch };
    else for (const vault of homes) segments.push({ vault, firstEpoch, lastEpoch });
    before = homes;
  }
  return segments.reverse();
}

/**
 * The vault that takes the key; of merged epochs all that may have. Every weight between the least and the greatest is
 * possible there, so a vault may be the nearest if its shortest straw is no longer than the longest of each other. Division
 * rounds monotonically, so no vault is left out by rounding.
 */
function homesIn({ weights, leastWeights }: Epoch, lengths: readonly number[]): number[] {
  if (leastWeights === undefined) return [nearest(lengths, weights)];
  const straws = (cut: readonly number[]) =>
    lengths.map((length, vault) => {
      const weight = cut[vault] ?? 0;
      return weight > 0 ? length / weight : Number.POSITIVE_INFINITY;
    });
  const [shortest, longest] = [straws(weights), straws(leastWeights)];
  return [...shortest.entries()].flatMap(([vault, straw]) =>
    Number.isFinite(straw) && longest.every((other, at) => at === vault || straw <= other) ? [vault] : [],
  );
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
