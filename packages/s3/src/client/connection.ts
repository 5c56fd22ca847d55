/** Sends one request over a reused connection and returns its answer. */
import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import { S3ClientError } from "./errors.ts";

export interface ConnectionOptions {
  /** Origin of the server, such as `http://127.0.0.1:4690`. */
  readonly endpoint: URL;
  readonly connectionCountMax: number;
  /** Longest silence, while connecting and afterwards. */
  readonly idleTimeoutMs: number;
  /** PEM of the CA of the server's certificate; required unless the system trusts it already. */
  readonly ca: string | undefined;
}

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export interface Connection {
  send(request: WireRequest): Promise<IncomingMessage>;
  close(): void;
}

/** Error codes of an idle connection that the server had closed; it has not seen the request. */
const CLOSED_MEANWHILE: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

export function createConnection({
  endpoint,
  connectionCountMax,
  idleTimeoutMs,
  ca,
}: ConnectionOptions): Connection {
  const isTls = endpoint.protocol === "https:";
  const shared = { keepAlive: true, maxSockets: connectionCountMax, scheduling: "lifo" } as const;
  const agent = isTls ? new TlsAgent({ ...shared, ...(ca === undefined ? {} : { ca }) }) : new Agent(shared);
  const request = isTls ? requestHttps : requestHttp;
  const { hostname, port } = endpoint;
  const host = hostname.replace(/^\[|\]$/g, "");
  const address = { host, agent, ...(port === "" ? {} : { port }) };

  const attempt = ({ method, path, headers, body }: WireRequest, mayRepeat: boolean) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({ ...address, method, path, headers: { ...headers } });
      let answer: IncomingMessage | null = null;
      outgoing.setTimeout(idleTimeoutMs, () => (answer ?? outgoing).destroy(lateError(idleTimeoutMs)));
      outgoing.once("response", (incoming) => {
        answer = incoming;
        resolve(incoming);
      });
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        if (mayRepeat && outgoing.reusedSocket && CLOSED_MEANWHILE.has(error.code ?? "")) {
          attempt({ method, path, headers, body }, false).then(resolve, reject);
        } else reject(explain(error, endpoint));
      });
      outgoing.end(body ?? undefined);
    });

  return { send: (wire) => attempt(wire, true), close: () => agent.destroy() };
}

function lateError(idleTimeoutMs: number): S3ClientError {
  return new S3ClientError("timeout", `The S3 endpoint sent nothing for ${idleTimeoutMs} ms.`, {
    code: "Timeout",
  });
}

function explain(error: NodeJS.ErrnoException, { origin }: URL): S3ClientError {
  if (error instanceof S3ClientError) return error;
  const code = error.code ?? "ConnectionFailed";
  const sentence = `The S3 endpoint ${origin} cannot be reached (${code}).`;
  return new S3ClientError("unreachable", sentence, { code, cause: error });
}

/** Streams the bytes of an answer; a truncated answer is an error. */
export async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* incoming as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof S3ClientError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "ConnectionFailed";
    throw new S3ClientError("unreachable", "The answer of the S3 endpoint was cut off.", {
      code,
      cause: error,
    });
  }
}

export async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(incoming)) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
