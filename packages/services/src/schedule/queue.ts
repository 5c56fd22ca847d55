/** The job queue of a worker: pg-boss in the runtime role, one queue for all kinds of schedule run. */
import { jobQueueSchema, runtimeConnection } from "@stashlight/db";
import { fromPrisma, type JobWithMetadata, PgBoss } from "pg-boss";
import type { Core } from "../core.ts";
import { executeRun, type RunName, type WeeklyReportJob } from "./execute.ts";
import { expireSeconds, retryLimit } from "./limits.ts";

const runQueueName = "schedule-run";

export interface RunQueue {
  /**
   * Hands every queued run that is not taken to the queue, and returns their number. Benchmarks are claimed instead.
   */
  dispatch(): Promise<number>;
  stop(): Promise<void>;
}

export interface RunQueueOptions extends WeeklyReportJob {
  onError: (error: Error) => void;
  pollingSeconds?: number;
}

export async function openRunQueue(platform: Core, options: RunQueueOptions): Promise<RunQueue> {
  const boss = new PgBoss({
    ...runtimeConnection(platform.options.databaseUrl, "worker"),
    application_name: "stashlight-queue",
    schema: jobQueueSchema,
    max: 3,
    // The queue's tables belong to the owner role, which migrates and reindexes them.
    migrate: false,
    createSchema: false,
    reindex: false,
    schedule: false,
  });
  boss.on("error", options.onError);
  await boss.start();
  await boss.createQueue(runQueueName, {
    retryLimit,
    retryDelay: 30,
    retryBackoff: true,
    expireInSeconds: expireSeconds,
    heartbeatSeconds: 60,
  });
  await boss.work(
    runQueueName,
    { includeMetadata: true, pollingIntervalSeconds: options.pollingSeconds ?? 2, batchSize: 1 },
    async (jobs: JobWithMetadata<RunName>[]) => {
      for (const job of jobs) {
        const attempt = job.retryCount + 1;
        const { weeklyReport } = options;
        await executeRun(platform, job.data, { attempt, attemptsMax: retryLimit + 1, weeklyReport });
      }
    },
  );
  return {
    dispatch: () => dispatch(platform, boss),
    stop: () => boss.stop({ graceful: true, timeout: 5_000, close: true }),
  };
}

async function dispatch(platform: Core, boss: PgBoss): Promise<number> {
  const first = await platform.db.scheduleRun.findFirst({
    where: { state: "queued", dispatchedAt: null, schedule: { kind: { not: "benchmark" } } },
    select: { scheduleId: true },
  });
  if (first === null) return 0;
  return platform.db.$transaction(async (tx) => {
    const runs = await tx.$queryRaw<{ schedule_id: string; planned_at: Date }[]>`
      SELECT r.schedule_id, r.planned_at FROM schedule_run r JOIN schedule s ON s.id = r.schedule_id
      WHERE r.state = 'queued' AND r.dispatched_at IS NULL AND s.kind <> 'benchmark'
      ORDER BY r.planned_at FOR UPDATE OF r SKIP LOCKED LIMIT 100`;
    for (const { schedule_id: scheduleId, planned_at: plannedAt } of runs) {
      const name: RunName = { scheduleId, plannedAt: plannedAt.toISOString() };
      await boss.send(runQueueName, name, { db: fromPrisma(tx) });
      await tx.scheduleRun.update({
        where: { scheduleId_plannedAt: { scheduleId, plannedAt } },
        data: { dispatchedAt: platform.now() },
      });
    }
    return runs.length;
  });
}
