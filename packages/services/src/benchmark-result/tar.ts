/**
 * The simplest archive format (POSIX.1-1988 ustar): a header of 512 bytes per file, its bytes, and two empty blocks.
 */
export interface TarEntry {
  /** At most 100 ASCII characters. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly modifiedAt: Date;
}

const BLOCK = 512;

export function buildTar(entries: readonly TarEntry[]): Uint8Array {
  const parts = entries.flatMap(({ name, bytes, modifiedAt }) => {
    const padding = new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK);
    return [encodeTarHeader(name, bytes.length, modifiedAt), bytes, padding];
  });
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
}

function encodeTarHeader(name: string, size: number, modifiedAt: Date): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0, 100, "ascii");
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(Math.floor(modifiedAt.getTime() / 1000), 11), 136);
  // The checksum counts its own field as spaces.
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\0", 257);
  header.write("00", 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
