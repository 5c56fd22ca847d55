/** The ingest: takes what agents measure and commits it to Postgres. Several may run side by side. */
import { onSupervisorGone, reportFailed, reportReady } from "@stashlight/contracts/process";
import { acceptBatches, openPlatform, startHeartbeat } from "@stashlight/services";
import { pino } from "pino";
import { parseEnv } from "./env.ts";
import { defaultLimits } from "./limits.ts";
import { createIngestServer, type IngestServer } from "./server.ts";

const log = pino({ name: "ingest" });
const stopWithinMs = 5_000;

async function start(): Promise<void> {
  const env = parseEnv(process.env);
  const platform = openPlatform({
    kind: "ingest",
    databaseUrl: env.DATABASE_URL,
    secret: env.STASHLIGHT_SECRET,
    publicUrl: env.STASHLIGHT_PUBLIC_URL,
    dataDirectory: null,
    oidc: null,
  });
  const heartbeat = startHeartbeat(platform, (error) => log.warn({ err: error }, "heartbeat failed"));
  const ingest = createIngestServer({
    platform,
    limits: defaultLimits,
    trustedProxies: env.STASHLIGHT_TRUSTED_PROXIES,
    accept: (batches) =>
      acceptBatches({ client: platform.metrics, batches, nowMs: platform.now().getTime() }),
    onError: (error, what) => log.error({ err: error }, what),
  });
  await listen(ingest, env.STASHLIGHT_INGEST_PORT, env.STASHLIGHT_INGEST_HOST);
  const stop = async (reason: string) => {
    log.info({ reason }, "stopping");
    setTimeout(() => process.exit(0), stopWithinMs).unref();
    await ingest.stop();
    await heartbeat.stop().catch((error: unknown) => log.warn({ err: error }, "stopping"));
    await platform.close();
    process.exit(0);
  };
  onSupervisorGone(() => void stop("the supervisor asked or is gone"));
  process.once("SIGTERM", () => void stop("SIGTERM"));
  process.once("SIGINT", () => void stop("SIGINT"));
  log.info({ address: ingest.server.address() }, "ready");
  reportReady();
}

function listen({ server }: IngestServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

start().catch((error: unknown) => {
  log.fatal({ err: error }, "the ingest cannot start");
  const { code, message } = error as NodeJS.ErrnoException;
  const port = process.env.STASHLIGHT_INGEST_PORT;
  const sentence =
    code === "EADDRINUSE"
      ? `Port ${port} is taken by another program; end it or choose another with STASHLIGHT_INGEST_PORT.`
      : `The ingest cannot start: ${message}`;
  reportFailed(sentence);
});
