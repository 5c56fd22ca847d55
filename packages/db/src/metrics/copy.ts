/**
 * COPY in binary form, over a connection of node-postgres and between its other queries. Rows that are known to be new
 * go in several times as fast as by INSERT, which must look for each whether it is there.
 */
import type pg from "pg";

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** What node-postgres calls of a query that it is given. */
class CopyIn {
  readonly done = Promise.withResolvers<void>();
  readonly #text: string;
  readonly #rows: Buffer;

  constructor(text: string, rows: Buffer) {
    this.#text = text;
    this.#rows = rows;
  }

  submit(connection: CopyConnection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.done.reject(error);
  }

  handleReadyForQuery(): void {
    this.done.resolve();
  }
}

export async function copyIn(
  connection: pg.PoolClient,
  table: string,
  columns: readonly string[],
  rows: Buffer,
): Promise<void> {
  const copying = new CopyIn(`COPY ${table} (${columns.join(", ")}) FROM STDIN (FORMAT binary)`, rows);
  // Its types ask for a text; what it does with anything that can submit itself is documented.
  connection.query(copying as never);
  await copying.done.promise;
}

const SIGNATURE = Buffer.from("5047434f50590aff0d0a000000000000000000", "hex");
const POSTGRES_EPOCH_MS = 946_684_800_000;
const TWO_TO_32 = 2 ** 32;

/** Rows in COPY's binary form; as large as it was made for. */
export class CopyRows {
  readonly #bytes: Buffer;
  #at = SIGNATURE.length;

  /** `bytes` is the sum of all rows, each with 2 for its head and of each field 4 and its length. */
  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafe(SIGNATURE.length + bytes + 2);
    SIGNATURE.copy(this.#bytes);
  }

  row(fieldCount: number): void {
    this.#at = this.#bytes.writeInt16BE(fieldCount, this.#at);
  }

  uuid(value: string): void {
    this.#length(16);
    this.#at += this.#bytes.write(value.replaceAll("-", ""), this.#at, "hex");
  }

  int4(value: number): void {
    this.#length(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  int8(value: number): void {
    this.#length(8);
    const high = Math.floor(value / TWO_TO_32);
    this.#at = this.#bytes.writeInt32BE(high, this.#at);
    this.#at = this.#bytes.writeUInt32BE(value - high * TWO_TO_32, this.#at);
  }

  moment(ms: number): void {
    this.int8(Math.round(ms - POSTGRES_EPOCH_MS) * 1000);
  }

  float8(value: number): void {
    this.#length(8);
    this.#at = this.#bytes.writeDoubleBE(value, this.#at);
  }

  float4(value: number): void {
    this.#length(4);
    this.#at = this.#bytes.writeFloatBE(value, this.#at);
  }

  bytea(value: Uint8Array): void {
    this.#length(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  end(): Buffer {
    this.#at = this.#bytes.writeInt16BE(-1, this.#at);
    return this.#bytes.subarray(0, this.#at);
  }

  #length(bytes: number): void {
    this.#at = this.#bytes.writeInt32BE(bytes, this.#at);
  }
}
