import { requireValues, StatsError } from "../error.ts";
import { median } from "../sorted.ts";

/** Result of one access pattern at one block size. */
export interface BlockRate {
  readonly blockBytes: number;
  /** I/Os per second. */
  readonly iops: number;
}

/**
 * Law that the rates of several block sizes follow. `spread` is the largest deviation of a rate from the law, as a
 * share: 0.1 is a tenth.
 */
export type Cap =
  | { readonly kind: "iops"; readonly iops: number; readonly spread: number }
  | { readonly kind: "bytes"; readonly bytesPerSecond: number; readonly spread: number }
  /** I/Os per second are level up to the block size at which the limit on bytes is reached. */
  | {
      readonly kind: "both";
      readonly iops: number;
      readonly bytesPerSecond: number;
      readonly kneeBlockBytes: number;
      readonly spread: number;
    }
  | { readonly kind: "none" };

const SIZES_MIN = 3;
/** Minimum ratio of the largest block to the smallest: below it, level I/Os and level bytes look alike. */
const RANGE_MIN = 4;
const SPREAD_MAX = 0.15;

/**
 * Finds out whether I/Os per second stay level while blocks grow (a cap in IOPS), or bytes per second do (a cap in
 * bytes), or the former up to some size and the latter above it. Throws a `StatsError` with fewer than three block
 * sizes, with sizes less than a factor of four apart, and if a size or a rate is not above zero.
 */
export function findCap(rates: readonly BlockRate[]): Cap {
  const sorted = rates.toSorted((a, b) => a.blockBytes - b.blockBytes);
  requireValues(
    sorted.map(({ blockBytes }) => blockBytes),
    "block sizes",
    SIZES_MIN,
  );
  const bad = sorted.find(({ blockBytes, iops }) => !(blockBytes > 0 && iops > 0));
  if (bad !== undefined) {
    throw new StatsError(
      "bad-argument",
      `A block of ${bad.blockBytes} bytes at ${bad.iops} I/Os per second is impossible; both must be above zero.`,
    );
  }
  const [smallest, largest] = [sorted[0], sorted.at(-1)] as [BlockRate, BlockRate];
  if (largest.blockBytes < RANGE_MIN * smallest.blockBytes) {
    throw new StatsError(
      "too-few",
      `Blocks from ${smallest.blockBytes} to ${largest.blockBytes} bytes are too similar; the largest must be at least ${RANGE_MIN} times the smallest.`,
    );
  }
  // `count` is the number of small sizes under the limit on I/Os; the limit on bytes covers the rest.
  const laws = Array.from({ length: sorted.length + 1 }, (_, count) => fitCap(sorted, count));
  const held = laws.filter(({ spread }) => spread <= SPREAD_MAX);
  // A single limit is the simpler explanation, so two limits are reported only if neither fits alone.
  const single = held.find(({ kind }) => kind !== "both");
  const [best] = held.sort((a, b) => a.spread - b.spread);
  return single ?? best ?? { kind: "none" };
}

function fitCap(sorted: readonly BlockRate[], count: number): Exclude<Cap, { kind: "none" }> {
  const iops =
    count === 0 ? Number.POSITIVE_INFINITY : median(sorted.slice(0, count).map((rate) => rate.iops));
  const large = sorted.slice(count);
  const bytesPerSecond =
    large.length === 0 ? Number.POSITIVE_INFINITY : median(large.map((rate) => rate.iops * rate.blockBytes));
  const spread = Math.max(
    ...sorted.map((rate) => Math.abs(rate.iops / Math.min(iops, bytesPerSecond / rate.blockBytes) - 1)),
  );
  if (large.length === 0) return { kind: "iops", iops, spread };
  if (count === 0) return { kind: "bytes", bytesPerSecond, spread };
  return { kind: "both", iops, bytesPerSecond, kneeBlockBytes: bytesPerSecond / iops, spread };
}
