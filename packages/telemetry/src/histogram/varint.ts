/**
 * Whole numbers up to 2^53 - 1, seven bits per byte, least significant first; all bytes but the last have the top bit
 * set.
 */

const SEVEN_BITS = 128;
const VARINT_BYTES_MAX = 8;

export function writeVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= SEVEN_BITS) {
    bytes.push((rest % SEVEN_BITS) + SEVEN_BITS);
    rest = Math.floor(rest / SEVEN_BITS);
  }
  bytes.push(rest);
}

/** Bytes and a read position. */
export interface Place {
  readonly bytes: Uint8Array;
  at: number;
}

/** Result of `readVarint` for a number that is truncated, too large or longer than necessary. */
export const NO_NUMBER = -1;

/** Reads the number at this position and advances past it. */
export function readVarint(place: Place): number {
  const { bytes } = place;
  const first = bytes[place.at];
  if (first === undefined) return NO_NUMBER;
  place.at += 1;
  return first < SEVEN_BITS ? first : readOn(place, first - SEVEN_BITS);
}

function readOn(place: Place, low: number): number {
  const { bytes } = place;
  const end = place.at + VARINT_BYTES_MAX - 1;
  let value = low;
  let weight = SEVEN_BITS;
  while (place.at < end) {
    const byte = bytes[place.at];
    if (byte === undefined) return NO_NUMBER;
    place.at += 1;
    value += (byte % SEVEN_BITS) * weight;
    weight *= SEVEN_BITS;
    if (byte < SEVEN_BITS) return byte > 0 && value <= Number.MAX_SAFE_INTEGER ? value : NO_NUMBER;
  }
  return NO_NUMBER;
}
