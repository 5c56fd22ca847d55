/** Keys of the objects with which a benchmark fills a vault, in random order, like those of concurrent clients. */

const FOLDER = "backups/2026/";
/** Each common prefix has about five keys, and about ten if there are a million. */
const KEYS_OF_PREFIX_MEAN = 5;
const COMMON_PREFIXES_MAX = 100_000;

export function keyOf(number: number, objectCount: number): string {
  // Multiplying by an odd number permutes the numbers below 2^32.
  const name = Math.imul(number, 0x9e3779b1) >>> 0;
  return `${prefixAt(name % prefixCountOf(objectCount))}block-${name.toString(16).padStart(8, "0")}`;
}

/** Returns the start of a list before which at most half of the common prefixes come; `share` is below 1. */
export function listStart(share: number, objectCount: number): { prefix: string; startAfter: string } {
  return { prefix: FOLDER, startAfter: prefixAt(Math.floor((share * prefixCountOf(objectCount)) / 2)) };
}

const prefixCountOf = (objectCount: number): number =>
  Math.min(COMMON_PREFIXES_MAX, Math.ceil(objectCount / KEYS_OF_PREFIX_MEAN));

const prefixAt = (number: number): string => `${FOLDER}host-${String(number).padStart(5, "0")}/`;
