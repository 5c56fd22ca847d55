/**
 * Server that speaks just enough S3 and keeps its own record of when each request came and was answered: the truth with
 * which a client's figures are compared. Its options make it delay, refuse, reset, stall and dribble.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { RequestReader } from "./request-reader.ts";
import { createTruthStore, type TruthStore } from "./truth-store.ts";

const truthFaults = [
  /** Answers 503 SlowDown, and keeps the connection open. */
  "slow-down",
  /** Resets the connection when the body has arrived. */
  "reset",
  /** Resets the connection when 60 % of the body has arrived. */
  "cut-upload",
  /** Never answers. */
  "stall",
  /** Answers at the headers, before the body has arrived. */
  "early",
  /** Sends the answer's body a byte at a time. */
  "slow-body",
  /** Ends the connection in the middle of the answer. */
  "cut",
  /** Answers normally, then closes the connection. */
  "close",
  /** Answers normally, but keeps nothing. */
  "forget",
  "wrong-etag",
  "etag-that-is-no-md5",
  /** Sends something other than HTTP. */
  "babble",
  /** Sends the answer in chunks, after a response "103". */
  "chunked",
] as const;
export type TruthFault = (typeof truthFaults)[number];

/** Other bytes of the same length, one byte less, an end in the middle, or 503 SlowDown. */
type DownloadFault = "other-bytes" | "short" | "cut" | "slow-down";

export interface TruthRecord {
  readonly connection: number;
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly sizeBytes: number;
  /** Reading of this process's `performance.now()` when its first byte was read. */
  readonly firstByteAt: number;
  readonly wholeAt: number;
  /** Moment just before the answer was written, which no client can observe earlier. */
  readonly answeringAt: number;
  /** Moment when the answer was handed over. */
  readonly answeredAt: number;
}

export interface TruthServerOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Delay between body and answer, by the number of the PUT. */
  readonly delayMs?: (putNumber: number) => number;
  /** Same delay for requests other than PUT, by method. */
  readonly otherDelayMs?: (method: string) => number;
  readonly fault?: (putNumber: number) => TruthFault | null;
  /** Fault in the answer to a download, by its number. */
  readonly downloadFault?: (getNumber: number) => DownloadFault | null;
  /** Numbers of deletions that are answered but not carried out. */
  readonly keepsDeleted?: (deleteNumber: number) => boolean;
  /** Status and code with which deletions are refused. */
  readonly refusesDelete?: readonly [status: number, code: string];
  /** Offset of the Date header from this machine's clock. */
  readonly clockOffsetMs?: number;
  readonly isVersioned?: boolean;
  /** Answers `Expect: 100-continue`, which is off by default. */
  readonly answersExpect?: boolean;
}

export interface TruthServer {
  readonly url: string;
  readonly port: number;
  readonly records: readonly TruthRecord[];
  readonly connectionCount: number;
  readonly store: TruthStore;
  close(): Promise<void>;
}

interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  readonly connection: number;
  readonly firstByteAt: number;
}

export async function startTruthServer(options: TruthServerOptions = {}): Promise<TruthServer> {
  const records: TruthRecord[] = [];
  const sockets = new Set<Socket>();
  const store = createTruthStore(options.isVersioned ?? false);
  let connectionCount = 0;
  let putNumber = 0;
  const answer = createAnswers(options, store, records);

  const accept = (socket: Socket): void => {
    const connection = connectionCount++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    const reader = new RequestReader();
    let firstByteAt = 0;
    socket.on("data", (chunk: Buffer) => {
      if (reader.isAtStart) firstByteAt = performance.now();
      const isStarting = reader.isAtStart;
      const whole = reader.push(chunk);
      if (endsEarly(socket, reader, isStarting, options.fault?.(putNumber) ?? null)) {
        putNumber += 1;
        return;
      }
      if (isStarting && options.answersExpect && reader.expectsContinue)
        socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      if (whole === null) return;
      const request = { ...whole, connection, firstByteAt };
      answer(socket, request, whole.method === "PUT" ? putNumber++ : null);
    });
  };

  const server: Server = options.tls
    ? createTlsServer({ ...options.tls, ALPNProtocols: ["http/1.1"] }, accept)
    : createServer(accept);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls ? "https://localhost" : "http://127.0.0.1"}:${port}`,
    port,
    records,
    get connectionCount() {
      return connectionCount;
    },
    store,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers each request after its delay and records it; `put` is the number of an upload, null for other requests. */
function createAnswers(
  options: TruthServerOptions,
  store: TruthStore,
  records: TruthRecord[],
): (socket: Socket, request: Request, put: number | null) => void {
  const answerWrongly = createWrongAnswers(options, store);
  return (socket, request, put) => {
    const wholeAt = performance.now();
    const fault = put === null ? null : (options.fault?.(put) ?? null);
    const respond = (): void => {
      const { connection, method, target, headers, firstByteAt } = request;
      if (fault === "stall") return;
      const answeringAt = performance.now();
      if (!answerWrongly(socket, request))
        writeAnswer(socket, request, fault, store, options.clockOffsetMs ?? 0);
      records.push({
        connection,
        method,
        target,
        headers,
        sizeBytes: request.body.length,
        firstByteAt,
        wholeAt,
        answeringAt,
        answeredAt: performance.now(),
      });
    };
    const delayMs = put === null ? options.otherDelayMs?.(request.method) : options.delayMs?.(put);
    wait(delayMs ?? 0, respond);
  };
}

/** Answers or cuts off an upload before its body has arrived, if requested. */
function endsEarly(
  socket: Socket,
  reader: RequestReader,
  isStarting: boolean,
  fault: TruthFault | null,
): boolean {
  if (reader.method !== "PUT") return false;
  if (fault === "cut-upload" && reader.bodyShare >= 0.6) {
    socket.resetAndDestroy();
    return true;
  }
  if (fault !== "early" || !isStarting) return false;
  socket.end(answerText(503, { connection: "close" }, errorDocument("SlowDown")));
  return true;
}

/** Timers of the loop have a resolution of a millisecond, so a shorter delay blocks the whole process. */
function wait(delayMs: number, then: () => void): void {
  if (delayMs >= 2) {
    setTimeout(then, delayMs);
    return;
  }
  if (delayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
  then();
}

function writeAnswer(
  socket: Socket,
  { method, target, body }: Request,
  fault: TruthFault | null,
  store: TruthStore,
  clockOffsetMs: number,
): void {
  const date = new Date(Date.now() + clockOffsetMs).toUTCString();
  if (fault === "reset") {
    socket.resetAndDestroy();
    return;
  }
  if (fault === "babble") {
    socket.write("SSH-2.0-OpenSSH_9.2\r\n");
    return;
  }
  if (fault === "slow-down") {
    socket.write(answerText(503, { date }, errorDocument("SlowDown")));
    return;
  }
  const { status, headers, body: answered } = store.handle(method, target, body);
  if (fault === "forget") store.handle("DELETE", target, body);
  const etag = faultyEtag(fault, headers.etag);
  const all = { date, ...headers, ...(etag === undefined ? {} : { etag }) };
  if (fault === "slow-body" || fault === "cut") {
    const text = answerText(status, { ...all, "content-length": "20" }, "");
    if (fault === "cut") socket.end(`${text}half`);
    else dribble(socket, text, 20);
  } else if (fault === "chunked") {
    const head = answerText(status, { ...all, "transfer-encoding": "chunked" }, null);
    socket.write(`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${head}3\r\nabc\r\n1;x=y\r\nd\r\n0\r\n\r\n`);
  } else if (fault === "close") {
    socket.end(answerText(status, { ...all, connection: "close" }, answered));
  } else {
    const head = answerText(status, { "content-length": String(answered.length), ...all }, null);
    socket.cork();
    socket.write(head);
    if (method !== "HEAD") socket.write(answered);
    socket.uncork();
  }
}

/** Answers downloads and deletions as the options require; false leaves the request to the usual answer. */
function createWrongAnswers(
  { downloadFault, keepsDeleted, refusesDelete }: TruthServerOptions,
  store: TruthStore,
): (socket: Socket, request: Request) => boolean {
  let getNumber = 0;
  let deleteNumber = 0;
  return (socket, { method, target }) => {
    const isDownload = method === "GET" && !target.includes("?");
    const fault = isDownload ? (downloadFault?.(getNumber++) ?? null) : null;
    if (fault !== null) writeFaultyDownload(socket, target, fault, store);
    const isKept = method === "DELETE" && keepsDeleted?.(deleteNumber++) === true;
    const isRefused = method === "DELETE" && refusesDelete !== undefined;
    if (isRefused) socket.write(answerText(refusesDelete[0], {}, errorDocument(refusesDelete[1])));
    else if (isKept) socket.write(answerText(204, {}, null));
    return isRefused || fault !== null || isKept;
  };
}

function writeFaultyDownload(socket: Socket, target: string, fault: DownloadFault, store: TruthStore): void {
  if (fault === "slow-down") {
    socket.write(answerText(503, {}, errorDocument("SlowDown")));
    return;
  }
  const { body } = store.handle("GET", target, Buffer.alloc(0));
  const sent = fault === "other-bytes" ? Buffer.alloc(body.length, 1) : body.subarray(0, body.length - 1);
  const length = fault === "cut" ? body.length : sent.length;
  socket.write(answerText(200, { "content-length": String(length) }, null));
  if (fault === "cut") socket.end(body.subarray(0, Math.floor(body.length * 0.6)));
  else socket.write(sent);
}

function faultyEtag(fault: TruthFault | null, etag: string | undefined): string | undefined {
  if (fault === "wrong-etag") return `"${createHash("md5").update("other").digest("hex")}"`;
  return fault === "etag-that-is-no-md5" ? '"v1-of-something"' : etag;
}

function dribble(socket: Socket, head: string, left: number): void {
  socket.write(head);
  const drop = (count: number): void => {
    if (count === 0 || socket.destroyed) return;
    socket.write("x");
    setTimeout(() => drop(count - 1), 1);
  };
  drop(left);
}

/** Without a body the length is among the headers, or there is none. */
function answerText(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer | null,
): string {
  const length =
    body === null || "content-length" in headers ? {} : { "content-length": String(body.length) };
  const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} X\r\n${lines.join("")}\r\n${body?.toString() ?? ""}`;
}

function errorDocument(code: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>as told</Message></Error>`;
}
