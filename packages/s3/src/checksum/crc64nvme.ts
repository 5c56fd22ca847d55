/**
 * CRC-64/NVME, the checksum that S3 prefers: polynomial 0xad93d23594c93659, reflected, register preset and inverted
 * with ones; the check value of "123456789" is ae8b14860a799888. Eight tables process eight bytes per step; a register
 * is two halves of 32 bits, because JavaScript shifts at most 32 bits.
 */

const POLYNOMIAL_HIGH = 0x9a6c9329;
const POLYNOMIAL_LOW = 0xac4bc9b5;
const SLICES = 8;

interface Tables {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

function createTables(): Tables {
  const high = new Uint32Array(SLICES * 256);
  const low = new Uint32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte++) {
    let h = 0;
    let l = byte;
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (l & 1) === 1;
      l = (l >>> 1) | (h << 31);
      h >>>= 1;
      if (isOdd) {
        h ^= POLYNOMIAL_HIGH;
        l ^= POLYNOMIAL_LOW;
      }
    }
    high[byte] = h;
    low[byte] = l;
  }
  for (let i = 256; i < SLICES * 256; i++) {
    const h = high[i - 256] as number;
    const l = low[i - 256] as number;
    const next = l & 0xff;
    low[i] = ((l >>> 8) | (h << 24)) ^ (low[next] as number);
    high[i] = (h >>> 8) ^ (high[next] as number);
  }
  return { high, low };
}

const { high: HIGH, low: LOW } = createTables();

export interface Crc64 {
  update(bytes: Uint8Array): void;
  /** Eight bytes, most significant first. */
  digest(): Buffer;
}

export function createCrc64Nvme(): Crc64 {
  let high = 0xffffffff | 0;
  let low = 0xffffffff | 0;

  const update = (bytes: Uint8Array) => {
    const folded = bytes.length - (bytes.length % SLICES);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let h = high;
    let l = low;
    for (let i = 0; i < folded; i += SLICES) {
      l ^= view.getInt32(i, true);
      h ^= view.getInt32(i + 4, true);
      const a = 0x700 | (l & 0xff);
      const b = 0x600 | ((l >>> 8) & 0xff);
      const c = 0x500 | ((l >>> 16) & 0xff);
      const d = 0x400 | (l >>> 24);
      const e = 0x300 | (h & 0xff);
      const f = 0x200 | ((h >>> 8) & 0xff);
      const g = 0x100 | ((h >>> 16) & 0xff);
      const k = h >>> 24;
      l =
        at(LOW, a) ^ at(LOW, b) ^ at(LOW, c) ^ at(LOW, d) ^ at(LOW, e) ^ at(LOW, f) ^ at(LOW, g) ^ at(LOW, k);
      h =
        at(HIGH, a) ^
        at(HIGH, b) ^
        at(HIGH, c) ^
        at(HIGH, d) ^
        at(HIGH, e) ^
        at(HIGH, f) ^
        at(HIGH, g) ^
        at(HIGH, k);
    }
    for (let i = folded; i < bytes.length; i++) {
      const next = (l ^ at(bytes, i)) & 0xff;
      l = ((l >>> 8) | (h << 24)) ^ at(LOW, next);
      h = (h >>> 8) ^ at(HIGH, next);
    }
    high = h;
    low = l;
  };

  const digest = () => {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32BE(~high, 0);
    bytes.writeInt32BE(~low, 4);
    return bytes;
  };
  return { update, digest };
}

function at(array: Uint32Array | Uint8Array, index: number): number {
  return array[index] as number;
}
