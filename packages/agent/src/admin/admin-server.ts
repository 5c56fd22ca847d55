/** How a node says how it is: whether it lives, whether it is ready to serve, and what it has measured. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export interface AdminSource {
  /** All there is to know of the node's state, as JSON. It answers at all, so it lives. */
  health(): object;
  /** Null when the node does its work; else what it still waits for, in a sentence. */
  unreadiness(): string | null;
  /** Prometheus text, for the given Accept header. */
  metrics?(accept: string | undefined): { readonly contentType: string; readonly text: string };
  /** More paths, by name; they answer JSON, and are given what follows the question mark. */
  readonly pages?: ReadonlyMap<string, (query: URLSearchParams) => object>;
}

const HEADERS_TIMEOUT_MS = 5000;

export async function startAdminServer(host: string, port: number, source: AdminSource): Promise<Server> {
  const server = createServer((request, response) => answer(request, response, source));
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = HEADERS_TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return server;
}

function answer(request: IncomingMessage, response: ServerResponse, source: AdminSource): void {
  const [path = "/", query = ""] = (request.url ?? "/").split("?", 2);
  if (request.method !== "GET" && request.method !== "HEAD") {
    send(response, 405, "text/plain; charset=utf-8", "Only GET and HEAD are answered here.\n");
    return;
  }
  const page = source.pages?.get(path);
  if (page) sendJson(response, 200, page(new URLSearchParams(query)));
  else if (path === "/healthz") sendJson(response, 200, source.health());
  else if (path === "/readyz") {
    const reason = source.unreadiness();
    sendJson(response, reason === null ? 200 : 503, { isReady: reason === null, reason });
  } else if (path === "/metrics" && source.metrics) {
    const { contentType, text } = source.metrics(request.headers.accept);
    send(response, 200, contentType, text);
  } else send(response, 404, "text/plain; charset=utf-8", "There is /healthz, /readyz and /metrics.\n");
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  send(response, status, "application/json", `${JSON.stringify(value)}\n`);
}

function send(response: ServerResponse, status: number, contentType: string, text: string): void {
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(text) });
  response.end(response.req.method === "HEAD" ? undefined : text);
}
