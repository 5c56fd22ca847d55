/** The worker: plans due runs once a second, hands them to the job queue and works them off. Several may run. */
import { onSupervisorGone, reportFailed, reportReady } from "@stashlight/contracts/process";
import {
  ensureSchedules,
  openPlatform,
  openRunQueue,
  type Platform,
  planDueRuns,
  prepareMetricStore,
  type RunQueue,
  startHeartbeat,
} from "@stashlight/services";
import { pino } from "pino";
import { parseEnv } from "./env.ts";
import { startTicking } from "./tick.ts";

const log = pino({ name: "worker" });
const tickMs = 1_000;

async function start(): Promise<void> {
  const env = parseEnv(process.env);
  const platform = openPlatform({
    kind: "worker",
    databaseUrl: env.DATABASE_URL,
    secret: env.STASHLIGHT_SECRET,
    publicUrl: env.STASHLIGHT_PUBLIC_URL,
    dataDirectory: env.STASHLIGHT_DATA_DIR ?? null,
    oidc: null,
  });
  const heartbeat = startHeartbeat(platform, (error) => log.warn({ err: error }, "heartbeat failed"));
  await prepareMetricStore(platform);
  await ensureSchedules(platform);
  const queue = await openRunQueue(platform, {
    onError: (error) => log.error({ err: error }, "job queue"),
  });
  const ticking = startTicking({
    everyMs: tickMs,
    action: () => planAndDispatch(platform, queue),
    onError: (error) => log.error({ err: error }, "planning failed; trying again"),
  });
  const stop = async (reason: string) => {
    log.info({ reason }, "stopping");
    await ticking.stop();
    await queue.stop();
    await heartbeat.stop();
    await platform.close();
    process.exit(0);
  };
  onSupervisorGone(() => void stop("the supervisor asked or is gone"));
  process.once("SIGTERM", () => void stop("SIGTERM"));
  process.once("SIGINT", () => void stop("SIGINT"));
  log.info("ready");
  reportReady();
}

async function planAndDispatch(platform: Platform, queue: RunQueue): Promise<void> {
  await planDueRuns(platform);
  await queue.dispatch();
}

start().catch((error: unknown) => {
  log.fatal({ err: error }, "the worker cannot start");
  reportFailed(`The worker cannot start: ${error instanceof Error ? error.message : String(error)}`);
});
