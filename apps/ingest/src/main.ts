/** The ingest: receives measurements of agents and commits them to Postgres. Several may run side by side. */

import {
  boundHeap,
  lineOutput,
  listen,
  onStop,
  reportFailed,
  reportReady,
  startFailure,
} from "@stashlight/contracts/process";
import { type BaseOptions, openBase } from "@stashlight/services/base";
import { acceptBatches } from "@stashlight/services/metrics/ingest";
import { withMerger } from "@stashlight/services/metrics/merger";
import { startHeartbeat } from "@stashlight/services/process";
import { pino } from "pino";
import { parseEnv } from "./env.ts";
import { defaultLimits } from "./limits.ts";
import { createIngestServer } from "./server.ts";

const log = pino({ name: "ingest" }, lineOutput());
const stopWithinMs = 5_000;
/**
 * A fleet of 200 nodes cost 200 us of processor time per batch with 30 %, 160 us with this, and 150 us with V8's
 * default.
 */
const heapGrowthPercent = 100;

async function start(): Promise<void> {
  boundHeap(heapGrowthPercent);
  const env = parseEnv(process.env);
  const options: BaseOptions = {
    kind: "ingest",
    databaseUrl: env.DATABASE_URL,
    secret: env.STASHLIGHT_SECRET,
    publicUrl: env.STASHLIGHT_PUBLIC_URL,
    dataDirectory: null,
  };
  const platform = openBase(options);
  const control = withMerger(openBase(options));
  const heartbeat = startHeartbeat(platform, (error) => log.warn({ err: error }, "heartbeat failed"));
  const ingest = createIngestServer({
    platform,
    control,
    limits: defaultLimits,
    trustedProxies: env.STASHLIGHT_TRUSTED_PROXIES,
    accept: (batches) =>
      acceptBatches({ client: platform.metrics, batches, nowMs: platform.now().getTime() }),
    onError: (error, what) => log.error({ err: error }, what),
  });
  await listen(ingest.server, env.STASHLIGHT_INGEST_PORT, env.STASHLIGHT_INGEST_HOST);
  onStop({
    withinMs: stopWithinMs,
    stop: async (reason) => {
      log.info({ reason }, "stopping");
      await ingest.stop();
      await heartbeat.stop().catch((error: unknown) => log.warn({ err: error }, "stopping"));
      await Promise.all([platform.close(), control.close()]);
    },
  });
  log.info({ address: ingest.server.address() }, "ready");
  reportReady();
}

start().catch((error: unknown) => {
  log.fatal({ err: error }, "the ingest cannot start");
  reportFailed(
    startFailure("The ingest", error, process.env.STASHLIGHT_INGEST_PORT, "STASHLIGHT_INGEST_PORT"),
  );
});
