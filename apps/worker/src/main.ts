/**
 * The worker: plans due runs once a second, hands them to the job queue and processes them; runs benchmarks and
 * simulations; evaluates alert rules and notifies channels. Several workers may run.
 */
import type { Server } from "node:http";
import {
  boundHeap,
  lineOutput,
  listen,
  onStop,
  reportFailed,
  reportReady,
  startFailure,
} from "@stashlight/contracts/process";
import { ensureAlertRules, evaluateDueRules } from "@stashlight/services/alert";
import { recomputeFigures, recoverLostSlots } from "@stashlight/services/benchmark";
import { judgeBenchmarkWatches } from "@stashlight/services/benchmark-result";
import { deliverAlerts } from "@stashlight/services/channel";
import { isStorageFull, storageFullError } from "@stashlight/services/database-error";
import { prepareMetricStore } from "@stashlight/services/metrics/roll-up";
import { openPlatform, type Platform } from "@stashlight/services/platform";
import { startHeartbeat } from "@stashlight/services/process";
import { ensureSchedules, openRunQueue, planDueRuns, type RunQueue } from "@stashlight/services/schedule";
import { deliverWeeklyReports, prepareWeeklyReport } from "@stashlight/services/weekly-report";
import { pino } from "pino";
import { runNextBenchmark } from "./benchmarks.ts";
import { parseEnv } from "./env.ts";
import { createHealthServer, type HealthSource } from "./health.ts";
import { simulateNext } from "./simulations.ts";
import { startTicking, type Ticking } from "./tick.ts";

const log = pino({ name: "worker" }, lineOutput());
const tickMs = 1_000;
/** Planning runs once per second and takes milliseconds; after this long without it, /readyz answers 503. */
const planningLateMs = 60_000;
/** A rule is due every 15 s; polling often evaluates it soon after. */
const alertTickMs = 2_000;
const recomputeTickMs = 5000;
/** Time per tick, so that other work continues while a history of years is recomputed, which takes minutes. */
const recomputeMs = 1500;

const logFailure =
  (words: string) =>
  (error: unknown): void =>
    log.error({ err: error }, isStorageFull(error) ? `${words}. ${storageFullError(error).message}` : words);

async function start(): Promise<void> {
  boundHeap();
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
  await ensureSchedules(platform, env.STASHLIGHT_TIME_ZONE);
  await ensureAlertRules(platform);
  const queue = await openRunQueue(platform, {
    weeklyReport: () => prepareWeeklyReport(platform),
    onError: logFailure("job queue"),
  });
  const ticking = startTicking({
    everyMs: tickMs,
    action: () => planAndDispatch(platform, queue),
    onError: logFailure("planning failed; trying again"),
  });
  const evaluating = startTicking({
    everyMs: alertTickMs,
    action: () => evaluateAlerts(platform),
    onError: logFailure("alerts could not be evaluated; trying again"),
  });
  // Separate from the evaluation, which a channel that does not respond must not delay.
  const delivering = startTicking({
    everyMs: tickMs,
    action: () => sendMessages(platform),
    onError: logFailure("messages could not be sent; trying again"),
  });
  const stopping = new AbortController();
  const onError = logFailure("a benchmark failed; trying again");
  const measuring = startTicking({
    everyMs: tickMs,
    action: () => runNextBenchmark(platform, { stopping: stopping.signal, onError }),
    onError,
  });
  const simulating = startTicking({
    everyMs: tickMs,
    action: () => simulateNext(platform, stopping.signal),
    onError: logFailure("a simulation could not be run; trying again"),
  });
  const recomputing = startRecomputing(platform);
  const health = await serveHealth(env, async () => {
    if (stopping.signal.aborted) return "The worker is stopping.";
    await platform.metrics.query("SELECT 1");
    const sinceMs = performance.now() - (ticking.doneMs() ?? Number.NEGATIVE_INFINITY);
    return sinceMs < planningLateMs ? null : "Due runs have not been planned for a while; see the log.";
  });
  onStop({
    stop: async (reason) => {
      log.info({ reason }, "stopping");
      stopping.abort();
      health?.close();
      const all = [ticking, evaluating, delivering, measuring, simulating, recomputing];
      await Promise.all(all.map((each) => each.stop()));
      await queue.stop();
      await heartbeat.stop();
      await platform.close();
    },
  });
  log.info("ready");
  reportReady();
}

/** Recomputes runs of earlier releases until none is left, and then only checks. */
const startRecomputing = (platform: Platform): Ticking =>
  startTicking({
    everyMs: recomputeTickMs,
    action: async () => {
      const endMs = performance.now() + recomputeMs;
      while ((await recomputeFigures(platform)) > 0 && performance.now() < endMs);
    },
    onError: logFailure("figures of an earlier release could not be computed again; trying again"),
  });

async function serveHealth(
  { STASHLIGHT_WORKER_PORT: port, STASHLIGHT_WORKER_HOST: host }: ReturnType<typeof parseEnv>,
  unreadiness: HealthSource["unreadiness"],
): Promise<Server | undefined> {
  if (port === undefined) return undefined;
  const server = createHealthServer({ unreadiness });
  await listen(server, port, host);
  log.info({ host, port }, "health is served");
  return server;
}

async function planAndDispatch(platform: Platform, queue: RunQueue): Promise<void> {
  await planDueRuns(platform);
  await recoverLostSlots(platform);
  await queue.dispatch();
}

async function evaluateAlerts(platform: Platform): Promise<void> {
  await evaluateDueRules(platform, (error) => log.warn({ err: error }, "a rule could not be evaluated"));
  await judgeBenchmarkWatches(platform);
}

async function sendMessages(platform: Platform): Promise<void> {
  await deliverAlerts(platform);
  await deliverWeeklyReports(platform);
}

start().catch((error: unknown) => {
  log.fatal({ err: error }, "the worker cannot start");
  const port = process.env.STASHLIGHT_WORKER_PORT;
  reportFailed(startFailure("The worker", error, port, "STASHLIGHT_WORKER_PORT"));
});
