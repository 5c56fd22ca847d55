/** CRC-32C by one table, for tests. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value >>> 0;
});

export function crc32c(bytes: Uint8Array, previous = 0): number {
  let crc = ~previous;
  for (let at = 0; at < bytes.length; at++) {
    crc = (table[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
