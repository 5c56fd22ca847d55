/** Writes protobuf's wire format. https://protobuf.dev/programming-guides/encoding/ */

/** A negative number takes ten bytes, as its two's complement of 64 bits. */
function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  bytes.push(Number(left));
  return Uint8Array.from(bytes);
}

function fixed64(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

function double(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

const block = (bytes: Uint8Array): Uint8Array => Buffer.concat([varint(bytes.length), bytes]);

export const protobuf = {
  varint,
  zigzag: (value: number): Uint8Array => varint(value < 0 ? -2n * BigInt(value) - 1n : 2n * BigInt(value)),
  fixed64,
  double,
  text: (value: string): Uint8Array => Buffer.from(value, "utf8"),
  /** A length followed by that many bytes: a text, a message or a packed list. */
  block,
  field: (number: number, wireType: number, value: Uint8Array): Uint8Array =>
    Buffer.concat([varint(number * 8 + wireType), value]),
};
