/** Whole numbers up to 2^53 - 1, seven bits a byte, the lowest first, the top bit set on all but the last. */

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

/** The number at this place and the place behind it; null when it is cut off, too large or longer than it need be. */
export function readVarint(bytes: Uint8Array, start: number): { value: number; end: number } | null {
  let value = 0;
  let weight = 1;
  for (let at = start; at < start + VARINT_BYTES_MAX; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return null;
    value += (byte % SEVEN_BITS) * weight;
    weight *= SEVEN_BITS;
    if (byte >= SEVEN_BITS) continue;
    const isShortest = byte > 0 || at === start;
    return isShortest && value <= Number.MAX_SAFE_INTEGER ? { value, end: at + 1 } : null;
  }
  return null;
}
