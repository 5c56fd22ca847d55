/**
 * CRC32C by tables, in plain JavaScript: equivalent to the WebAssembly kernel, and faster for short inputs. The
 * *register* is the checksum's inner state, the complement of the checksum of the bytes so far.
 */

/** The Castagnoli polynomial x^32 + x^28 + x^27 + ... + 1 with its bits reversed, as registers are. */
export const POLYNOMIAL = 0x82f63b78;

const ENTRIES = 256;
const SLICES = 8;

/** Table s holds a byte's contribution to the register when s more bytes follow it ("slicing by 8"). */
const tables = sliceTables();

function sliceTables(): Int32Array {
  const made = new Int32Array(SLICES * ENTRIES);
  for (let byte = 0; byte < ENTRIES; byte += 1) {
    let register = byte;
    for (let bit = 0; bit < 8; bit += 1) register = (register >>> 1) ^ (register & 1 ? POLYNOMIAL : 0);
    made[byte] = register;
  }
  for (let at = ENTRIES; at < made.length; at += 1) {
    const before = made[at - ENTRIES] as number;
    made[at] = (before >>> 8) ^ (made[before & 255] as number);
  }
  return made;
}

/** Returns the register after bytes[from..to). */
export function updateByTable(register: number, bytes: Uint8Array, from: number, to: number): number {
  let c = register;
  let at = from;
  for (; at + SLICES <= to; at += SLICES) {
    const low = c ^ wordAt(bytes, at);
    const high = wordAt(bytes, at + 4);
    c =
      entry(7, low & 255) ^
      entry(6, (low >>> 8) & 255) ^
      entry(5, (low >>> 16) & 255) ^
      entry(4, low >>> 24) ^
      entry(3, high & 255) ^
      entry(2, (high >>> 8) & 255) ^
      entry(1, (high >>> 16) & 255) ^
      entry(0, high >>> 24);
  }
  for (; at < to; at += 1) c = (c >>> 8) ^ entry(0, (c ^ (bytes[at] as number)) & 255);
  return c;
}

function entry(slice: number, byte: number): number {
  return tables[slice * ENTRIES + byte] as number;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}
