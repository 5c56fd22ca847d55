/**
 * Places keys by weighted rendezvous hashing: a change of a vault's weight moves keys only to or from that vault. All
 * coordinators must compute the same place, so the logarithm uses only operations that IEEE 754 defines to the last
 * bit, unlike `Math.log`.
 */
import { hash } from "node:crypto";
import type { Epoch, EpochLedger } from "./epoch-ledger.ts";

export interface KeyName {
  readonly bucket: string;
  readonly key: string;
}

/**
 * A stretch of epochs in which the vault accepted the key, as far as the ledger still separates them. Numbers begin at
 * 1; both ends are inclusive.
 */
export interface Segment {
  /** Index of the vault in the ledger. */
  readonly vault: number;
  /** In the first segment: no other vault has accepted the key since. */
  readonly firstEpoch: number;
  /** In a vault's first segment: the vault holds no later version of the key. */
  readonly lastEpoch: number;
}

const HASH_BYTES = 6;
const HASH_COUNT = 2 ** (8 * HASH_BYTES);
const SERIES_TERM_COUNT = 24;

/** Returns a key's segments, newest first. Consecutive epochs with the same vault are one segment. */
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
 * Returns the vault that accepts the key; for merged epochs, all that may have. Any weight between the least and the
 * greatest is possible there, so a vault may be the nearest if its shortest straw is no longer than the longest of
 * every other vault. Division rounds monotonically, so rounding excludes no vault.
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

/** Returns the vault that accepts the key under these weights. Throws a RangeError if no vault has a weight. */
export function vaultFor(vaultIds: readonly string[], weights: readonly number[], name: KeyName): number {
  const lengths = vaultIds.map((id) => lengthOf(id, name));
  return nearest(lengths, weights);
}

/** Draws the shortest straw, of length `length / weight`; among equal ones, that of the first vault. */
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

/** An exponentially distributed hash: the negative logarithm of a number between 0 and 1. */
function lengthOf(vaultId: string, { bucket, key }: KeyName): number {
  const digest = hash("sha256", `${vaultId}\0${bucket}\0${key}`, "buffer");
  return -logarithm((digest.readUIntBE(0, HASH_BYTES) + 0.5) / HASH_COUNT);
}

/**
 * Computes the natural logarithm of a number in (0, 1): exact halvings, then the series of the inverse hyperbolic
 * tangent.
 */
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
