/**
 * Latent sector errors: with m shards of an object missing, one more that cannot be read loses it. Sectors become
 * unreadable at a rate per stored byte, and the next scrub repairs them, so on average an error exists for half a scrub
 * interval:
 *
 *     expected errors in B bytes = errorsPerByteYear * B * scrubDays / 2 / 365
 *     q = 1 - exp(-that), with B = k shards
 *
 * Datasheets promise at most 1 error in 10^15 bits read: 8 per PB a year for bytes that are read once a year.
 */
import { requireWithin } from "./error.ts";

const YEAR_DAYS = 365;

export interface SectorErrors {
  /** New unreadable sectors per stored byte and year. */
  readonly errorsPerByteYear: number;
  /** Days between two scrubs of the same byte. */
  readonly scrubDays: number;
}

/** Probability that any of `bytes` is in an unreadable sector at a random moment. */
export function unreadableProbability({ errorsPerByteYear, scrubDays }: SectorErrors, bytes: number): number {
  requireWithin(errorsPerByteYear, "The rate of sector errors", 0, 1);
  requireWithin(scrubDays, "The days between scrubs", 0, 36_500);
  requireWithin(bytes, "The bytes to read", 0, Number.MAX_VALUE);
  return -Math.expm1((-errorsPerByteYear * bytes * scrubDays) / 2 / YEAR_DAYS);
}
