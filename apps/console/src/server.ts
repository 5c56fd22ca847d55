/**
 * The console's HTTP server: Next behind node:http. It alone decides which address a request comes from, sets the
 * headers every response carries, and bounds how long and how large a request may be.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { clientAddress } from "@stashlight/api";
import { clientAddressHeader } from "@stashlight/contracts/client-address-header";
import { onSupervisorGone, reportFailed, reportReady } from "@stashlight/contracts/process";
import next from "next";
import { pino } from "pino";
import { parseEnv } from "./server/env.ts";
import { securityHeaders } from "./server/headers.ts";
import { openConsole } from "./server/open.ts";
import { refuseBody } from "./server/request-body.ts";

const log = pino({ name: "console" });
const stopWithinMs = 2_000;

async function start(): Promise<void> {
  const env = parseEnv(process.env);
  const app = next({
    dev: false,
    dir: join(import.meta.dirname, ".."),
    hostname: env.STASHLIGHT_HOST,
    port: env.STASHLIGHT_PORT,
  });
  await app.prepare();
  const opened = openConsole(env, log);
  const handle = app.getRequestHandler();
  const headers = securityHeaders(env.STASHLIGHT_PUBLIC_URL);
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const peer = request.socket.remoteAddress ?? "unknown";
    request.headers[clientAddressHeader] = clientAddress(
      peer,
      request.headers["x-forwarded-for"],
      env.STASHLIGHT_TRUSTED_PROXIES,
    );
    for (const [name, value] of headers) response.setHeader(name, value);
    if (refuseBody(request, response)) return;
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error, url: request.url }, "a request failed");
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  server.keepAliveTimeout = 65_000;
  const stop = async (reason: string) => {
    log.info({ reason }, "stopping");
    setTimeout(() => process.exit(0), stopWithinMs).unref();
    // What is being answered is answered to the end; connections that only wait are closed.
    const answered = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await answered;
    await opened.close().catch((error: unknown) => log.warn({ err: error }, "stopping"));
    await app.close();
    process.exit(0);
  };
  await listen(server, env.STASHLIGHT_PORT, env.STASHLIGHT_HOST);
  onSupervisorGone(() => void stop("the supervisor asked or is gone"));
  process.once("SIGTERM", () => void stop("SIGTERM"));
  process.once("SIGINT", () => void stop("SIGINT"));
  log.info({ host: env.STASHLIGHT_HOST, port: env.STASHLIGHT_PORT }, "ready");
  reportReady();
}

function listen(server: ReturnType<typeof createServer>, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

start().catch((error: unknown) => {
  log.fatal({ err: error }, "the console cannot start");
  const { code, message } = error as NodeJS.ErrnoException;
  const port = process.env.STASHLIGHT_PORT;
  const sentence =
    code === "EADDRINUSE"
      ? `Port ${port} is taken by another program; end it or choose another with --port.`
      : `The console cannot start: ${message}`;
  reportFailed(sentence);
});
