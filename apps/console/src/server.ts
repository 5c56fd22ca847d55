/**
 * The console's HTTP server: Next behind node:http. Determines the client's address, sets the headers of every
 * response, and limits the duration and size of requests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { clientAddress } from "@stashlight/api";
import {
  boundHeap,
  clientAddressHeader,
  closeWhenAnswered,
  lineOutput,
  listen,
  onStop,
  reportFailed,
  reportReady,
  startFailure,
} from "@stashlight/contracts/process";
import next from "next";
import { pino } from "pino";
import { parseEnv } from "./server/env.ts";
import { securityHeaders } from "./server/headers.ts";
import { openConsole } from "./server/open.ts";
import { refuseBody } from "./server/request-body.ts";

const log = pino({ name: "console" }, lineOutput());
const stopWithinMs = 2_000;

async function start(): Promise<void> {
  boundHeap();
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
  await listen(server, env.STASHLIGHT_PORT, env.STASHLIGHT_HOST);
  onStop({
    withinMs: stopWithinMs,
    stop: async (reason) => {
      log.info({ reason }, "stopping");
      await closeWhenAnswered(server);
      await opened.close().catch((error: unknown) => log.warn({ err: error }, "stopping"));
      await app.close();
    },
  });
  log.info({ host: env.STASHLIGHT_HOST, port: env.STASHLIGHT_PORT }, "ready");
  reportReady();
}

start().catch((error: unknown) => {
  log.fatal({ err: error }, "the console cannot start");
  reportFailed(startFailure("The console", error, process.env.STASHLIGHT_PORT, "--port"));
});
