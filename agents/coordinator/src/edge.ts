/** The S3 edge of a coordinator: a listening server that counts and logs its requests. */
import { randomUUID, X509Certificate } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { isIPv6 } from "node:net";
import { monotonicNowMs, type NodeCredentials } from "@stashlight/node-runtime";
import type { CoordinatorNode } from "@stashlight/node-runtime/config";
import { createS3Server, type ObservedRequest, type S3Server, type S3ServerOptions } from "@stashlight/s3";
import type { Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import { EdgeMetrics } from "./edge-metrics.ts";

export interface EdgeOptions
  extends Pick<S3ServerOptions, "store" | "findAccessKey" | "findSpace" | "admit"> {
  readonly node: CoordinatorNode;
  readonly credentials: Pick<NodeCredentials, "edge" | "onChange">;
  readonly recorder: Recorder;
  readonly logger: Logger;
}

export interface RunningEdge {
  /** Closes each connection after its next answer, so that clients go to other coordinators before this one stops. */
  announceStop(): void;
  /** Resolves when the requests in progress have been answered. */
  stop(): Promise<void>;
}

const CLOSE_IDLE_EVERY_MS = 50;

export async function startEdge({
  node,
  credentials,
  store,
  findAccessKey,
  findSpace,
  admit,
  recorder,
  logger,
}: EdgeOptions): Promise<RunningEdge> {
  const metrics = new EdgeMetrics(recorder, monotonicNowMs);
  const edge = createS3Server({
    store,
    findAccessKey,
    findSpace,
    admit,
    region: node.s3.region,
    baseDomains: node.s3.domains ?? [],
    hostNames: [node.host, node.s3.host, ...namesInCertificate(credentials.edge?.cert)],
    nowMs: Date.now,
    newRequestId: randomUUID,
    observe: (request) => {
      metrics.count(request);
      logRequest(logger, request);
    },
  });
  const server = await listen(edge, node, credentials);
  let isAnnounced = false;
  for (const event of ["request", "checkContinue"]) {
    server.prependListener(event, (_request: IncomingMessage, response: ServerResponse) => {
      if (isAnnounced) response.shouldKeepAlive = false;
    });
  }
  recorder.gauge("stashlight_edge_info", { url: s3Url(node), region: node.s3.region }).set(1);
  const clients = recorder.gauge("stashlight_client_connections", {});
  recorder.onRead(() => server.getConnections((_error, count) => clients.set(count ?? null)));
  return {
    announceStop: () => {
      isAnnounced = true;
    },
    stop: () => closed(server),
  };
}

/** Returns the URL of the endpoint. A server that listens on all addresses is reached at the node's own address. */
export function s3Url({ host: nodeHost, s3 }: Pick<CoordinatorNode, "host" | "s3">): string {
  const host = s3.host === "0.0.0.0" || s3.host === "::" ? nodeHost : s3.host;
  return `${s3.tls ? "https" : "http"}://${isIPv6(host) ? `[${host}]` : host}:${s3.port}`;
}

/** Returns the DNS names in the certificate except wildcards, which are for virtual-hosted buckets. */
function namesInCertificate(pem: string | Buffer | undefined): readonly string[] {
  const names = pem === undefined ? "" : (new X509Certificate(pem).subjectAltName ?? "");
  return [...names.matchAll(/DNS:([A-Za-z0-9.-]+)/g)].map(([, name = ""]) => name);
}

const EDGE_TLS_MIN = "TLSv1.2";

async function listen(
  edge: S3Server,
  { s3 }: CoordinatorNode,
  credentials: EdgeOptions["credentials"],
): Promise<Server> {
  const { edge: pair } = credentials;
  const server =
    pair === null
      ? createServer(edge.httpOptions)
      : createTlsServer({ ...edge.httpOptions, ...pair, minVersion: EDGE_TLS_MIN });
  credentials.onChange(() => {
    const { edge: next } = credentials;
    if (next !== null) (server as TlsServer).setSecureContext({ ...next, minVersion: EDGE_TLS_MIN });
  });
  edge.attachTo(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(s3.port, s3.host, resolve);
  });
  return server;
}

/**
 * Closes the server after requests in progress are answered; idle connections are closed at once, others when they
 * become idle.
 */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    server.close(() => {
      clearInterval(closeIdle);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function logRequest(logger: Logger, { error, ...request }: ObservedRequest): void {
  // Clients probe for operations that are not implemented, so those are not failures of the server. Requests shed by
  // admission have no cause, are counted by metrics, and may arrive in thousands.
  const isShed = error?.code === "SlowDown" && error.cause === undefined;
  // Metrics and alerts already report a full vault.
  const isRefused = isShed || error?.code === "InsufficientStorage";
  const isFailure = request.status >= 500 && request.status !== 501 && !isRefused;
  if (isFailure) logger.error({ ...request, err: error?.cause ?? error }, "request failed");
  else logger.debug({ ...request, code: error?.code }, "request");
}
