/** Unsigned numbers of up to 53 bits, with seven bits per byte, the lowest first. */

export function varintBytes(value: number): number {
  let count = 1;
  for (let left = value; left >= 0x80; left = Math.floor(left / 0x80)) count += 1;
  return count;
}

/** Writes the number; returns the offset after it. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let [end, left] = [at, value];
  while (left >= 0x80) {
    bytes[end++] = (left % 0x80) | 0x80;
    left = Math.floor(left / 0x80);
  }
  bytes[end++] = left;
  return end;
}

/** Maps signed numbers to unsigned ones, and numbers near 0 to small ones. */
export const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

export const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

/** Reads one number after another. */
export class VarintReader {
  at = 0;

  next(bytes: Uint8Array): number {
    let byte = bytes[this.at++] as number;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let unit = 0x80; byte >= 0x80; unit *= 0x80) {
      byte = bytes[this.at++] as number;
      value += (byte & 0x7f) * unit;
    }
    return value;
  }
}
