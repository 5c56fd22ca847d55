/** Reads requests from the bytes of a connection, one after the other, each with a length or without a body. */
export interface WholeRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export class RequestReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #head: Omit<WholeRequest, "body"> | null = null;
  #headBytes = 0;
  #neededBytes = Number.POSITIVE_INFINITY;

  /** True if no byte of the next request has arrived. */
  get isAtStart(): boolean {
    return this.#bytes === 0;
  }

  /** Called as soon as the headers have arrived. */
  get method(): string | null {
    return this.#head?.method ?? null;
  }

  get expectsContinue(): boolean {
    return this.#head?.headers.has("expect") ?? false;
  }

  /** Share of the next request's body that has arrived, 0 to 1. */
  get bodyShare(): number {
    if (this.#head === null || this.#neededBytes === this.#headBytes) return 0;
    return (this.#bytes - this.#headBytes) / (this.#neededBytes - this.#headBytes);
  }

  /** Returns the request that this chunk completes. */
  push(chunk: Buffer): WholeRequest | null {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#head === null) this.#readHead();
    if (this.#head === null || this.#bytes < this.#neededBytes) return null;
    const body = Buffer.concat(this.#chunks).subarray(this.#headBytes, this.#neededBytes);
    const whole = { ...this.#head, body };
    this.#chunks = [];
    this.#bytes = 0;
    this.#head = null;
    return whole;
  }

  #readHead(): void {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1) return;
    const [line = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
    const [method = "", target = ""] = line.split(" ");
    const headers = new Map(
      lines.map((each): [string, string] => {
        const colon = each.indexOf(":");
        return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()];
      }),
    );
    this.#head = { method, target, headers };
    this.#headBytes = end + 4;
    this.#neededBytes = this.#headBytes + Number(headers.get("content-length") ?? 0);
  }
}
