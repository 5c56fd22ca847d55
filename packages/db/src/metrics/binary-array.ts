/**
 * Encodes columns as parameters: arrays in Postgres' binary format, which node-postgres sends unchanged as Buffers. As
 * text, numbers would have to be printed and parsed, and bytea would double in size.
 */

const HEADER_BYTES = 20;
const POSTGRES_EPOCH_MS = 946_684_800_000;
const TWO_TO_32 = 2 ** 32;

function encodeArray(elementOid: number, count: number, elementBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + count * (4 + elementBytes));
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(0, 4);
  bytes.writeInt32BE(elementOid, 8);
  bytes.writeInt32BE(count, 12);
  bytes.writeInt32BE(1, 16);
  return bytes;
}

function fixed<Value>(
  elementOid: number,
  elementBytes: number,
  write: (bytes: Buffer, value: Value, at: number) => void,
) {
  return (values: ArrayLike<Value>): Buffer => {
    const bytes = encodeArray(elementOid, values.length, elementBytes);
    let at = HEADER_BYTES;
    for (let i = 0; i < values.length; i += 1) {
      bytes.writeInt32BE(elementBytes, at);
      write(bytes, values[i] as Value, at + 4);
      at += 4 + elementBytes;
    }
    return bytes;
  };
}

function writeWhole(bytes: Buffer, value: number, at: number): void {
  bytes.writeInt32BE(Math.floor(value / TWO_TO_32), at);
  bytes.writeUInt32BE(value - Math.floor(value / TWO_TO_32) * TWO_TO_32, at + 4);
}

/** Keys are the names of Postgres' types; moments are milliseconds since 1970. */
export const binaryArray = {
  int4: fixed<number>(23, 4, (bytes, value, at) => void bytes.writeInt32BE(value, at)),
  int8: fixed<number>(20, 8, writeWhole),
  float4: fixed<number>(700, 4, (bytes, value, at) => void bytes.writeFloatBE(value, at)),
  float8: fixed<number>(701, 8, (bytes, value, at) => void bytes.writeDoubleBE(value, at)),
  timestamptz: fixed<number>(1184, 8, (bytes, ms, at) =>
    writeWhole(bytes, Math.round(ms - POSTGRES_EPOCH_MS) * 1000, at),
  ),
  uuid: fixed<string>(2950, 16, (bytes, value, at) => void bytes.write(value.replaceAll("-", ""), at, "hex")),
  bytea: (values: readonly Uint8Array[]): Buffer => {
    const total = values.reduce((sum, { length }) => sum + length, 0);
    const bytes = Buffer.allocUnsafe(HEADER_BYTES + 4 * values.length + total);
    encodeArray(17, values.length, 0).copy(bytes, 0, 0, HEADER_BYTES);
    let at = HEADER_BYTES;
    for (const value of values) {
      bytes.writeInt32BE(value.length, at);
      bytes.set(value, at + 4);
      at += 4 + value.length;
    }
    return bytes;
  },
};

/** Reads a moment in Postgres' binary format as milliseconds since 1970. */
export function readMoment(view: DataView, at: number): number {
  return (view.getInt32(at) * TWO_TO_32 + view.getUint32(at + 4)) / 1000 + POSTGRES_EPOCH_MS;
}
