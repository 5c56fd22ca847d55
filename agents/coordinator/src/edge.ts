/** The S3 edge of a coordinator: a listening server whose requests are counted and logged. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { monotonicNowMs } from "@stashlight/node-runtime";
import type { CoordinatorNode } from "@stashlight/node-runtime/config";
import { createS3Server, type ObservedRequest, type S3Server, type S3ServerOptions } from "@stashlight/s3";
import type { Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import { EdgeMetrics } from "./edge-metrics.ts";

export interface EdgeOptions extends Pick<S3ServerOptions, "store" | "findAccessKey" | "admit"> {
  readonly node: CoordinatorNode;
  readonly recorder: Recorder;
  readonly logger: Logger;
}

export interface RunningEdge {
  /** Resolves when the requests under way are answered. */
  stop(): Promise<void>;
}

const CLOSE_IDLE_EVERY_MS = 50;

export async function startEdge({
  node,
  store,
  findAccessKey,
  admit,
  recorder,
  logger,
}: EdgeOptions): Promise<RunningEdge> {
  const metrics = new EdgeMetrics(recorder, monotonicNowMs);
  const edge = createS3Server({
    store,
    findAccessKey,
    admit,
    region: node.s3.region,
    nowMs: Date.now,
    newRequestId: randomUUID,
    observe: (request) => {
      metrics.count(request);
      logRequest(logger, request);
    },
  });
  const server = await listen(edge, node);
  const clients = recorder.gauge("stashlight_client_connections", {});
  recorder.onRead(() => server.getConnections((_error, count) => clients.set(count ?? null)));
  return { stop: () => closed(server) };
}

async function listen(edge: S3Server, { s3 }: CoordinatorNode): Promise<Server> {
  const server =
    s3.tls === undefined
      ? createServer(edge.httpOptions)
      : createTlsServer({
          ...edge.httpOptions,
          cert: readFileSync(s3.tls.cert),
          key: readFileSync(s3.tls.key),
          minVersion: "TLSv1.2",
        });
  edge.attachTo(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(s3.port, s3.host, resolve);
  });
  return server;
}

/** Requests under way are answered; connections that wait for another request are closed, and those that come to. */
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
  // Clients ask for operations that are not implemented to find out whether they are, so that is no failure of ours.
  // Requests that admission sheds have no cause, are counted by metrics, and come by the thousand.
  const isShed = error?.code === "SlowDown" && error.cause === undefined;
  // Metrics and alerts report a full vault.
  const isRefused = isShed || error?.code === "InsufficientStorage";
  const isFailure = request.status >= 500 && request.status !== 501 && !isRefused;
  if (isFailure) logger.error({ ...request, err: error?.cause ?? error }, "request failed");
  else logger.debug({ ...request, code: error?.code }, "request");
}
