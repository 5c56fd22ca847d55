/**
 * Reads one HTTP/1.1 response from the bytes of a connection as they arrive. Replaces node:http, so that a sample's
 * moments are those at which bytes arrived, with nothing between the socket and the clock.
 */

/** The server does not speak HTTP, or violates it. */
class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code = "NotHttp";
}

export interface ResponseHead {
  readonly status: number;
  /** Names are in lower case; a repeated header keeps its first value. */
  readonly headers: ReadonlyMap<string, string>;
  /** True if the server leaves the connection open after this response. */
  readonly keepsAlive: boolean;
}

const HEAD_BYTES_MAX = 65_536;
/** Limit on a kept body: enough for an error's document or a page of a list. */
const KEPT_BYTES_MAX = 4_194_304;
const END_OF_HEAD = Buffer.from("\r\n\r\n");
const NOTHING = Buffer.alloc(0);

type State = "head" | "counted" | "chunk-line" | "chunk" | "chunk-end" | "trailer" | "until-end" | "done";

export class ResponseReader {
  readonly #hasBody: boolean;
  readonly #keepsBody: boolean;
  readonly #holdsChunks: boolean;
  #state: State = "head";
  #pending: Buffer = NOTHING;
  #left = 0;
  #head: ResponseHead | null = null;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  readonly #chunks: Buffer[] = [];
  #bodyBytes = 0;
  #interimCount = 0;

  constructor({
    method,
    keepsBody,
    holdsChunks = false,
  }: {
    method: string;
    keepsBody: boolean;
    holdsChunks?: boolean;
  }) {
    this.#hasBody = method !== "HEAD";
    this.#keepsBody = keepsBody;
    this.#holdsChunks = holdsChunks;
  }

  get head(): ResponseHead | null {
    return this.#head;
  }

  get isDone(): boolean {
    return this.#state === "done";
  }

  /** Number of body bytes as received. */
  get bodyBytes(): number {
    return this.#bodyBytes;
  }

  /** Number of interim responses such as "100 Continue" before the response. */
  get interimCount(): number {
    return this.#interimCount;
  }

  /** Body of an error, or of any response that was to be kept. */
  get body(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** Body of a successful response as received, if it was to be held. */
  get chunks(): readonly Buffer[] {
    return this.#chunks;
  }

  /** Accepts bytes; returns false if there are more than the response announces. */
  push(chunk: Buffer): boolean {
    let rest: Buffer = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = NOTHING;
    while (rest.length > 0 && this.#state !== "done") {
      const used = this.#step(rest);
      if (used === 0) {
        this.#pending = rest;
        return true;
      }
      rest = rest.subarray(used);
    }
    return rest.length === 0;
  }

  /** Handles the server's end of the connection; returns true if that completes the response. */
  end(): boolean {
    if (this.#state === "until-end") this.#state = "done";
    return this.isDone;
  }

  /** Returns the number of bytes used; 0 asks for more. */
  #step(bytes: Buffer): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(bytes);
      case "chunk-line":
      case "chunk-end":
      case "trailer":
        return this.#readLine(bytes);
      case "until-end":
        this.#take(bytes);
        return bytes.length;
      default: {
        const count = Math.min(this.#left, bytes.length);
        this.#take(bytes.subarray(0, count));
        this.#left -= count;
        if (this.#left === 0) this.#state = this.#state === "chunk" ? "chunk-end" : "done";
        return count;
      }
    }
  }

  #readHead(bytes: Buffer): number {
    const end = bytes.indexOf(END_OF_HEAD);
    if (end === -1 && bytes.length <= HEAD_BYTES_MAX) {
      if (!"HTTP/1.".startsWith(bytes.toString("latin1", 0, 7)) && bytes.length > 0) throw notHttp();
      return 0;
    }
    if (end === -1 || end > HEAD_BYTES_MAX) throw new ProtocolError("The response's headers are too long.");
    const head = parseHead(bytes.toString("latin1", 0, end));
    if (head.status < 200) {
      this.#interimCount += 1;
    } else {
      this.#head = head;
      this.#state = this.#stateAfter(head);
    }
    return end + END_OF_HEAD.length;
  }

  #stateAfter({ status, headers }: ResponseHead): State {
    if (!this.#hasBody || status === 204 || status === 304) return "done";
    if (headers.get("transfer-encoding")?.toLowerCase() === "chunked") return "chunk-line";
    const length = headers.get("content-length");
    if (length === undefined) return "until-end";
    if (!/^\d{1,15}$/.test(length)) throw new ProtocolError("The response's length is not a number.");
    this.#left = Number(length);
    return this.#left === 0 ? "done" : "counted";
  }

  #readLine(bytes: Buffer): number {
    const end = bytes.indexOf("\r\n");
    if (end === -1) {
      if (bytes.length > HEAD_BYTES_MAX) throw new ProtocolError("A line of the response is too long.");
      return 0;
    }
    if (this.#state === "chunk-line") {
      const size = /^[0-9a-f]{1,12}(?=$|[;\s])/i.exec(bytes.toString("latin1", 0, end))?.[0];
      if (size === undefined) throw new ProtocolError("The response is not in chunks as its headers claim.");
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? "trailer" : "chunk";
    } else if (this.#state === "chunk-end") {
      if (end !== 0) throw new ProtocolError("The response is not in chunks as its headers claim.");
      this.#state = "chunk-line";
    } else if (end === 0) {
      this.#state = "done";
    }
    return end + 2;
  }

  #take(bytes: Buffer): void {
    this.#bodyBytes += bytes.length;
    if (this.#holdsChunks && (this.#head?.status ?? 0) < 300) this.#chunks.push(bytes);
    const isKept = this.#keepsBody || (this.#head?.status ?? 0) >= 300;
    if (!isKept || this.#keptBytes >= KEPT_BYTES_MAX) return;
    // Copies, because the socket's own buffer is many times as large.
    const copy = Buffer.from(bytes.subarray(0, KEPT_BYTES_MAX - this.#keptBytes));
    this.#kept.push(copy);
    this.#keptBytes += copy.length;
  }
}

function notHttp(): ProtocolError {
  return new ProtocolError("The answer is not HTTP/1.1.");
}

function parseHead(text: string): ResponseHead {
  const lines = text.split("\r\n");
  const [, version, status] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(lines[0] ?? "") ?? [];
  if (version === undefined || status === undefined) throw notHttp();
  const headers = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new ProtocolError("A header of the response is malformed.");
    const name = line.slice(0, colon).toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  const connection = headers.get("connection")?.toLowerCase() ?? "";
  const keepsAlive = version === "1" ? !connection.includes("close") : connection.includes("keep-alive");
  return { status: Number(status), headers, keepsAlive };
}
