/**
 * The ingest's HTTP server, which receives all data of agents. Requests carry the node's key, except enrolment.
 *
 *     POST /v1/enrol      enrols a machine as a node, with a token
 *     POST /v1/batches    measurements of a node
 *     POST /v1/metrics    the same by OTLP/HTTP, in protobuf or JSON
 *     POST /v1/traces     uploads that a coordinator sampled
 *     POST /v1/jobs       the next job of a probe
 *     POST /v1/jobs/report  measurements of a probe
 *     GET  /v1/access-keys  access keys of a coordinator's vault
 *     POST /v1/object-questions  objects for a coordinator to locate, and its answers
 *     POST /v1/bucket-questions  questions about buckets for a coordinator, and its answers
 *     GET  /v1/node       approval of a node
 *     GET  /healthz, /readyz, /metrics
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { closeWhenAnswered } from "@stashlight/contracts/process";
import { type Answer, answerTo, Refusal, refusal, send } from "./http/answer.ts";
import { skipBody } from "./http/body.ts";
import { type Ingest, type IngestOptions, openIngest } from "./ingest.ts";
import { answerAccessKeys } from "./routes/access-keys.ts";
import { takeBatch } from "./routes/batches.ts";
import { exchangeBuckets } from "./routes/bucket-questions.ts";
import { enrol } from "./routes/enrol.ts";
import { answerHealth, answerMetrics, answerReadiness } from "./routes/health.ts";
import { giveJob, takeReport } from "./routes/jobs.ts";
import { answerNode } from "./routes/node.ts";
import { exchangeObjects } from "./routes/object-questions.ts";
import { takeOtlpMetrics } from "./routes/otlp.ts";
import { takeTraces } from "./routes/traces.ts";

interface Route {
  readonly operation: string;
  readonly method: "GET" | "POST";
  readonly answer: (ingest: Ingest, request: IncomingMessage) => Promise<Answer>;
}

const routes: Readonly<Record<string, Route>> = {
  "/v1/enrol": { operation: "enrol", method: "POST", answer: enrol },
  "/v1/batches": { operation: "batch", method: "POST", answer: takeBatch },
  "/v1/traces": { operation: "traces", method: "POST", answer: takeTraces },
  "/v1/metrics": { operation: "otlp", method: "POST", answer: takeOtlpMetrics },
  "/v1/jobs": { operation: "job", method: "POST", answer: giveJob },
  "/v1/jobs/report": { operation: "report", method: "POST", answer: takeReport },
  "/v1/access-keys": { operation: "access-keys", method: "GET", answer: answerAccessKeys },
  "/v1/object-questions": { operation: "object-questions", method: "POST", answer: exchangeObjects },
  "/v1/bucket-questions": { operation: "bucket-questions", method: "POST", answer: exchangeBuckets },
  "/v1/node": { operation: "node", method: "GET", answer: answerNode },
  "/healthz": { operation: "healthz", method: "GET", answer: answerHealth },
  "/readyz": { operation: "readyz", method: "GET", answer: answerReadiness },
  "/metrics": { operation: "metrics", method: "GET", answer: answerMetrics },
};

export interface IngestServer {
  readonly server: Server;
  /** Answers open requests, commits accepted batches, and accepts no more. */
  stop(): Promise<void>;
}

export function createIngestServer(options: IngestOptions): IngestServer {
  const ingest = openIngest(options);
  const { limits } = options;
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.timeoutsCheckedEveryMs,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => void handle(ingest, request, response),
  );
  server.on("clientError", endConnection);
  return {
    server,
    stop: async () => {
      ingest.isStopping = true;
      const closed = closeWhenAnswered(server);
      await ingest.gather.drain();
      await closed;
      await ingest.gather.drain();
      await ingest.heartbeats.stop();
    },
  };
}

/** Lets a client that was too slow retry; agents take 408, Node's default, as a permanent refusal. */
function endConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const line =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? "503 Service Unavailable\r\nRetry-After: 5"
      : error.code === "HPE_HEADER_OVERFLOW"
        ? "431 Request Header Fields Too Large"
        : "400 Bad Request";
  socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function handle(ingest: Ingest, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "").split("?", 1)[0] ?? "";
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  // Needs no action: a client that disconnects while it sends ends the request with an error.
  request.on("error", () => {});
  const answer = await routeRequest(ingest, route, request).catch((error: unknown) => {
    const told = answerTo(error);
    if (told.status >= 500 && !(request.destroyed && !request.complete)) logError(ingest, error);
    return told;
  });
  ingest.metrics.answered(route?.operation ?? "unknown", answer.status);
  const isRead = await skipBody(request);
  if (!response.destroyed) send(response, answer, ingest.isStopping || !isRead);
}

function routeRequest(ingest: Ingest, route: Route | undefined, request: IncomingMessage): Promise<Answer> {
  if (route === undefined) return Promise.reject(refusal(404, "There is no such path."));
  if (request.method !== route.method) {
    return Promise.reject(refusal(405, `This path answers ${route.method}.`));
  }
  return route.answer(ingest, request);
}

/** Excludes our own refusals, such as those for a node that waits for approval. */
function logError(ingest: Ingest, error: unknown): void {
  if (error instanceof Refusal) return;
  ingest.onError(error, "a request failed");
}
