/**
 * A node's admin pages: liveness, readiness and measurements. Without the vault's token, /healthz only reports that
 * the node is alive, and /readyz whether it is ready. Everything else requires the token, because object names are
 * private and every user of a machine can reach its loopback address.
 */

import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { findReservedName, reservedNameSentence } from "@stashlight/contracts/json";
import { hashAdminToken } from "../config/admin-token.ts";
import type { AdminDoor } from "./access.ts";
import { createPageProof, NONCE_HEADER, PROOF_HEADER } from "./page-proof.ts";

export type AdminAction =
  | ((body: unknown) => object | Promise<object>)
  /** An action with its own limit on the size of the body. */
  | { readonly bodyBytesMax: number; readonly act: (body: unknown) => object | Promise<object> };

export interface AdminSource {
  /** Called for a request without the right token. */
  refused(): void;
  /** Returns all of the node's state as JSON. An answer implies that the node is alive. */
  health(): object;
  /** Null when the node is ready; otherwise a sentence that names what it waits for. */
  unreadiness(): string | null;
  /** Returns metrics as Prometheus text, for the given Accept header. */
  metrics?(accept: string | undefined): { readonly contentType: string; readonly body: string | Uint8Array };
  /** Further pages by path; each receives the query string and returns JSON. */
  readonly pages?: ReadonlyMap<string, (query: URLSearchParams) => object | Promise<object>>;
  /**
   * Handlers of JSON POSTs by path, which return JSON. The text of an AdminError is sent to the caller, as for pages.
   */
  readonly actions?: ReadonlyMap<string, AdminAction>;
}

/** An error whose message explains to the caller what is wrong with the request. */
export class AdminError extends Error {
  override readonly name = "AdminError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const HEADERS_TIMEOUT_MS = 5000;
const BODY_BYTES_MAX = 16_384;

const TOKEN_PATTERN = /^Bearer +(\S{1,256})$/i;

export async function startAdminServer(door: AdminDoor, source: AdminSource): Promise<Server> {
  const { nodeId, key, host, port, tls, tokenSha256 } = door;
  const expected = Buffer.from(tokenSha256, "hex");
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/healthz") {
      const proof = createPageProof(key, nodeId, request.headers[NONCE_HEADER]);
      if (proof !== null) response.setHeader(PROOF_HEADER, proof);
    }
    if (hasToken(request, expected)) answer(request, response, source);
    else answerAnybody(request, response, source);
  };
  const server = tls === null ? createServer(listener) : serverWithTls(tls, listener, door);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = HEADERS_TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return server;
}

function serverWithTls(
  tls: NonNullable<AdminDoor["tls"]>,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  { onChange }: AdminDoor,
): Server {
  const server = createTlsServer({ ...tls, minVersion: "TLSv1.3" }, listener);
  onChange?.((next) => server.setSecureContext({ ...next, minVersion: "TLSv1.3" }));
  return server;
}

function hasToken({ headers }: IncomingMessage, expected: Buffer): boolean {
  const token = TOKEN_PATTERN.exec(headers.authorization ?? "")?.[1];
  return token !== undefined && timingSafeEqual(hashAdminToken(token), expected);
}

function answerAnybody(request: IncomingMessage, response: ServerResponse, source: AdminSource): void {
  const isQuestion = request.method === "GET" || request.method === "HEAD";
  if (isQuestion && request.url === "/healthz") {
    sendJson(response, 200, { isAlive: true });
    return;
  }
  // Load balancers ask without a token, so the reason is not included.
  if (isQuestion && request.url === "/readyz") {
    const isReady = source.unreadiness() === null;
    sendJson(response, isReady ? 200 : 503, { isReady });
    return;
  }
  source.refused();
  response.setHeader("www-authenticate", 'Bearer realm="stashlight"');
  const text =
    'Only /healthz and /readyz answer without "Authorization: Bearer", followed by the vault\'s admin token.\n';
  send(response, 401, "text/plain; charset=utf-8", text);
}

function answer(request: IncomingMessage, response: ServerResponse, source: AdminSource): void {
  const [path = "/", query = ""] = (request.url ?? "/").split("?", 2);
  const action = source.actions?.get(path);
  if (request.method === "POST" && action) {
    void act(request, response, action);
    return;
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    send(response, 405, "text/plain; charset=utf-8", "Only GET and HEAD are answered here.\n");
    return;
  }
  const page = source.pages?.get(path);
  if (page) void sendPage(response, page, new URLSearchParams(query));
  else if (path === "/healthz") sendJson(response, 200, source.health());
  else if (path === "/readyz") {
    const reason = source.unreadiness();
    sendJson(response, reason === null ? 200 : 503, { isReady: reason === null, reason });
  } else if (path === "/metrics" && source.metrics) {
    const { contentType, body } = source.metrics(request.headers.accept);
    send(response, 200, contentType, body);
  } else send(response, 404, "text/plain; charset=utf-8", "There is /healthz, /readyz and /metrics.\n");
}

async function sendPage(
  response: ServerResponse,
  page: (query: URLSearchParams) => object | Promise<object>,
  query: URLSearchParams,
): Promise<void> {
  try {
    sendJson(response, 200, await page(query));
  } catch (error) {
    sendError(response, error);
  }
}

async function act(request: IncomingMessage, response: ServerResponse, action: AdminAction): Promise<void> {
  try {
    // A page of another origin cannot send this content type without a preflight request.
    if (request.headers["content-type"] !== "application/json") {
      throw new AdminError(415, "The content type must be application/json.");
    }
    const { act: run, bodyBytesMax } =
      typeof action === "function" ? { act: action, bodyBytesMax: BODY_BYTES_MAX } : action;
    sendJson(response, 200, await run(await readJson(request, bodyBytesMax)));
  } catch (error) {
    sendError(response, error);
  }
}

function sendError(response: ServerResponse, error: unknown): void {
  const { status, message } =
    error instanceof AdminError ? error : new AdminError(500, "The request failed.");
  send(response, status, "text/plain; charset=utf-8", `${message}\n`);
}

async function readJson(request: IncomingMessage, bodyBytesMax: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new AdminError(413, `The body has more than ${bodyBytesMax} bytes.`);
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new AdminError(400, "The body is not JSON.");
  }
  const reserved = findReservedName(value);
  if (reserved !== undefined) throw new AdminError(400, reservedNameSentence(reserved));
  return value;
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  send(response, status, "application/json", `${JSON.stringify(value)}\n`);
}

function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string | Uint8Array,
): void {
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(body) });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
