/**
 * Timing client: one connection to one pinned address, one request at a time, and the moments of each.
 *
 * Everything to send is ready before `t0`. An open connection is reused; otherwise the exchange opens one and counts as
 * cold. Nothing is retried here, `Expect` is never sent, and a body is sent unchanged.
 */
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { type ResponseHead, ResponseReader } from "./response-reader.ts";

export interface WireTarget {
  /** Name that the server's certificate must have. */
  readonly hostname: string;
  /** Address to connect to; the caller resolves names and checks addresses. */
  readonly address: string;
  readonly port: number;
  readonly isTls: boolean;
  /** PEM of the CA of the certificate; empty to use the system's. */
  readonly caPem: string;
}

export interface WireRequest {
  readonly method: "PUT" | "POST" | "GET" | "DELETE" | "HEAD";
  /** Request line and headers with the empty line, and the beginning of the body, as sent. */
  readonly first: Buffer;
  /** Rest of the body; null if there is none. */
  readonly rest: Buffer | null;
  /** Keeps the body of a successful response as well; that of an error is always kept. */
  readonly keepsBody?: boolean;
  /** Holds the chunks of a successful response, so that they can be checked once the clock has stopped. */
  readonly holdsChunks?: boolean;
}

/** Milliseconds of `performance.now()`; moments that were not reached are absent. */
export interface Moments {
  /** Just before the request was written, or the connection was opened. */
  t0: number;
  /** Connection established. */
  t3?: number;
  /** TLS handshake complete. */
  t4?: number;
  /** Last byte handed to the kernel. */
  t5?: number;
  /** Response headers received. */
  t6?: number;
  /** Response body read, or the exchange abandoned. */
  t7: number;
}

export type ExchangeResult =
  | { readonly kind: "answered"; readonly status: number; readonly headers: ReadonlyMap<string, string> }
  | { readonly kind: "timed-out" }
  | { readonly kind: "broken"; readonly error: Error & { readonly code?: string } };

export interface Exchange {
  readonly moments: Moments;
  readonly result: ExchangeResult;
  readonly isCold: boolean;
  readonly localPort: number | undefined;
  readonly responseBody: Buffer;
  readonly responseBodyBytes: number;
  /** Body of a successful response whose chunks were held. */
  readonly responseChunks: readonly Buffer[];
}

export interface ExchangeOptions {
  /** Limit for the whole exchange, from t0 to t7. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Bytes encrypted and written at a time, so that the first are already being sent while others are encrypted. */
const TLS_SLICE_BYTES = 131_072;

interface Pending {
  readonly request: WireRequest;
  readonly moments: Moments;
  readonly reader: ResponseReader;
  readonly finish: (result: ExchangeResult) => void;
}

export class TimedConnection {
  readonly #target: WireTarget;
  #socket: Socket | null = null;
  #pending: Pending | null = null;
  /** Number of times it was opened. */
  openedCount = 0;
  /** End of the previous exchange. */
  lastEndedAt: number | null = null;

  constructor(target: WireTarget) {
    this.#target = target;
  }

  /** Protocol and cipher, while it is open and encrypted. */
  get tls(): { protocol: string; cipher: string } | null {
    const socket = this.#socket;
    if (socket === null || !this.#target.isTls) return null;
    const secured = socket as TLSSocket;
    return { protocol: secured.getProtocol() ?? "unknown", cipher: secured.getCipher()?.name ?? "unknown" };
  }

  /** Rejects only when the signal is aborted, with its reason; any other failure is a result. */
  exchange(request: WireRequest, { timeoutMs, signal }: ExchangeOptions): Promise<Exchange> {
    signal.throwIfAborted();
    if (this.#pending !== null) throw new Error("A connection carries one request at a time.");
    const reader = new ResponseReader({
      method: request.method,
      keepsBody: request.keepsBody === true,
      holdsChunks: request.holdsChunks === true,
    });
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#pending = null;
      };
      const onAbort = (): void => {
        settle();
        this.close();
        reject(signal.reason);
      };
      const finish = (result: ExchangeResult): void => {
        settle();
        this.lastEndedAt = moments.t7;
        const localPort = socket.localPort;
        const isReusable = result.kind === "answered" && moments.t5 !== undefined && reader.head?.keepsAlive;
        if (!isReusable) this.close();
        resolve({
          moments,
          result,
          isCold,
          localPort,
          responseBody: reader.body,
          responseBodyBytes: reader.bodyBytes,
          responseChunks: reader.chunks,
        });
      };
      const onLate = (): void => {
        moments.t7 = performance.now();
        finish({ kind: "timed-out" });
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(onLate, timeoutMs);
      const open = this.#socket;
      const isCold = open === null;
      const moments: Moments = { t0: performance.now(), t7: Number.POSITIVE_INFINITY };
      this.#pending = { request, moments, reader, finish };
      const socket = open ?? this.#open();
      if (isCold) return;
      moments.t0 = performance.now();
      this.#write(socket, this.#pending);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    const { address, port, hostname, isTls, caPem } = this.#target;
    const socket = isTls
      ? connectTls({
          host: address,
          port,
          // No server name is sent for a certificate of an address.
          ...(hostname === address ? {} : { servername: hostname }),
          ALPNProtocols: ["http/1.1"],
          ...(caPem === "" ? {} : { ca: caPem }),
        })
      : connectTcp({ host: address, port });
    socket.setNoDelay(true);
    this.#socket = socket;
    this.openedCount += 1;
    const isCurrent = () => this.#socket === socket;
    socket.on("connect", () => {
      if (!isCurrent() || this.#pending === null) return;
      this.#pending.moments.t3 = performance.now();
      if (!isTls) this.#write(socket, this.#pending);
    });
    socket.on("secureConnect", () => {
      if (!isCurrent() || this.#pending === null) return;
      this.#pending.moments.t4 = performance.now();
      this.#write(socket, this.#pending);
    });
    socket.on("data", (chunk: Buffer) => isCurrent() && this.#receive(chunk));
    socket.on("end", () => isCurrent() && this.#ended());
    socket.on("error", (error: NodeJS.ErrnoException) => isCurrent() && this.#broke(error));
    socket.on("close", () => isCurrent() && this.#broke(closedError()));
    return socket;
  }

  #write(socket: Socket, { request: { first, rest }, moments }: Pending): void {
    const onWritten = (error?: Error | null): void => {
      if (!error) moments.t5 = Math.min(performance.now(), moments.t7);
    };
    if (rest === null) {
      socket.write(first, onWritten);
    } else if (!this.#target.isTls) {
      socket.write(first);
      socket.write(rest, onWritten);
    } else {
      socket.write(first);
      this.#writeSlices(socket, rest, onWritten);
    }
  }

  #writeSlices(socket: Socket, bytes: Buffer, onWritten: () => void): void {
    const writeFrom = (start: number): void => {
      const end = start + TLS_SLICE_BYTES;
      socket.write(bytes.subarray(start, end), (error) => {
        if (error) return;
        if (end >= bytes.length) onWritten();
        else writeFrom(end);
      });
    };
    writeFrom(0);
  }

  #receive(chunk: Buffer): void {
    const arrivedAt = performance.now();
    const pending = this.#pending;
    // Nothing requested these bytes, so later bytes on this connection cannot be trusted.
    if (pending === null) {
      this.close();
      return;
    }
    const { reader, moments, finish } = pending;
    try {
      const isExact = reader.push(chunk);
      if (reader.head !== null && moments.t6 === undefined) moments.t6 = arrivedAt;
      if (!reader.isDone || reader.head === null) return;
      moments.t7 = arrivedAt;
      const { status, headers } = reader.head;
      const answer = () => {
        finish({ kind: "answered", status, headers });
        if (!isExact) this.close();
      };
      if (moments.t5 !== undefined) answer();
      else this.#afterWriteReports(pending, answer);
    } catch (error) {
      moments.t7 = arrivedAt;
      finish({ kind: "broken", error: error as Error });
    }
  }

  /** A successful write is reported one event-loop turn later, and an answer may arrive before that. */
  #afterWriteReports(pending: Pending, answer: () => void): void {
    const isWaiting = () => this.#pending === pending;
    setImmediate(() => setImmediate(() => isWaiting() && answer()));
  }

  #ended(): void {
    const pending = this.#pending;
    if (pending === null || !pending.reader.end() || pending.reader.head === null) {
      this.#broke(closedError());
      return;
    }
    const { reader, moments, finish } = pending;
    const { status, headers } = reader.head as ResponseHead;
    moments.t7 = performance.now();
    finish({ kind: "answered", status, headers });
  }

  #broke(error: NodeJS.ErrnoException): void {
    const pending = this.#pending;
    this.close();
    if (pending === null) return;
    pending.moments.t7 = performance.now();
    pending.finish({ kind: "broken", error });
  }
}

function closedError(): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error("The connection was closed before the answer was complete.");
  error.code = "ECONNRESET";
  return error;
}
