/** COPY in binary form, to and from memory, over node-postgres' own connection. */
import type { MetricClient } from "@stashlight/db/metrics";

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Methods that node-postgres calls on a query; it handles the rest of the connection itself. */
class Copy {
  readonly chunks: Buffer[] = [];
  readonly done = Promise.withResolvers<void>();
  readonly #text: string;
  readonly #input: readonly Buffer[];

  constructor(text: string, input: readonly Buffer[]) {
    this.#text = text;
    this.#input = input;
  }

  submit(connection: CopyConnection): void {
    connection.query(this.#text);
  }
  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of this.#input) connection.sendCopyFromChunk(chunk);
    connection.endCopyFrom();
  }
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.chunks.push(Buffer.from(chunk));
  }
  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleError(error: Error): void {
    this.done.reject(error);
  }
  handleReadyForQuery(): void {
    this.done.resolve();
  }
}

async function copy(client: MetricClient, text: string, input: readonly Buffer[]): Promise<Buffer[]> {
  const connection = await client.connect();
  try {
    const running = new Copy(text, input);
    connection.query(running as never);
    await running.done.promise;
    return running.chunks;
  } finally {
    connection.release();
  }
}

export const copyOut = (client: MetricClient, table: string): Promise<Buffer[]> =>
  copy(client, `COPY (SELECT * FROM ${table}) TO STDOUT (FORMAT binary)`, []);

export async function copyIn(client: MetricClient, table: string, rows: readonly Buffer[]): Promise<void> {
  await copy(client, `COPY ${table} FROM STDIN (FORMAT binary)`, rows);
}
