/** The edge as listeners for an HTTP server that the caller creates, secures and starts. */
import {
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { S3Error } from "../errors.ts";
import type { S3Limits } from "../limits.ts";
import { type EdgeConfig, type S3ServerOptions, toEdgeConfig } from "./options.ts";
import { errorDocument } from "./send.ts";
import { serve } from "./serve.ts";

export interface S3Server {
  /** Options for `http.createServer` or `https.createServer`: limits that can be set only on creation. */
  readonly httpOptions: ServerOptions;
  /** Makes `server` answer S3 requests. */
  attachTo(server: Server | TlsServer): void;
}

export function createS3Server(options: S3ServerOptions): S3Server {
  const edge = toEdgeConfig(options);
  return {
    httpOptions: httpOptions(edge.limits),
    attachTo: (server) => attach(edge, server),
  };
}

function httpOptions({ headerBytesMax, headersTimeoutMs, keepAliveTimeoutMs }: S3Limits): ServerOptions {
  return {
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, 30_000),
    keepAliveTimeout: keepAliveTimeoutMs,
    // An upload may take hours, but must keep a minimum rate.
    requestTimeout: 0,
    noDelay: true,
    insecureHTTPParser: false,
  };
}

function attach(edge: EdgeConfig, server: Server | TlsServer): void {
  // Headers are limited by size; a limit on their number would make Node drop some silently.
  server.maxHeadersCount = 0;
  server.on("request", (incoming: IncomingMessage, response: ServerResponse) => {
    void serve(edge, incoming, response, false);
  });
  server.on("checkContinue", (incoming: IncomingMessage, response: ServerResponse) => {
    void serve(edge, incoming, response, true);
  });
  server.on("checkExpectation", (incoming: IncomingMessage, response: ServerResponse) => {
    void serve(edge, incoming, response, false);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    refuse(edge, error, socket);
  });
}

const codeOfParser: Readonly<Record<string, "RequestHeaderSectionTooLarge" | "RequestTimeout">> = {
  HPE_HEADER_OVERFLOW: "RequestHeaderSectionTooLarge",
  ERR_HTTP_REQUEST_TIMEOUT: "RequestTimeout",
};

/** Refuses bytes that are not HTTP or never became a request, so there is no response object. */
function refuse(edge: EdgeConfig, cause: NodeJS.ErrnoException, socket: Duplex): void {
  if (cause.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const requestId = edge.newRequestId();
  const error = new S3Error(codeOfParser[cause.code ?? ""] ?? "BadRequest", undefined, { cause });
  const body = errorDocument(error, "", requestId);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n` +
      `x-amz-request-id: ${requestId}\r\nserver: Stashlight\r\nconnection: close\r\n` +
      `content-type: application/xml\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** True if an answer has begun, so that no other can be sent. */
function isAnswering(socket: Duplex): boolean {
  const { _httpMessage: message } = socket as Duplex & { _httpMessage?: ServerResponse | null };
  return message?.headersSent ?? false;
}
