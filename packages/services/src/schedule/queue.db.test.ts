import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  createSession,
  ensureOnlySchedule,
  openTestInstallation,
  type Person,
  type TestInstallation,
} from "../testing/index.ts";
import { runLostAfterMs } from "./limits.ts";
import { planDueRuns } from "./plan-due.ts";
import { openRunQueue, type RunQueue } from "./queue.ts";
import { runScheduleNow } from "./run-now.ts";

const input = { scheduleId: "housekeeping" };
let installation: TestInstallation;
let admin: Person;

beforeEach(async () => {
  installation = await openTestInstallation({ kind: "worker" });
  admin = await installation.person("admin");
  await ensureOnlySchedule(installation.platform, input.scheduleId);
});
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  await installation.close();
});

const errors: Error[] = [];
const queues: RunQueue[] = [];
async function openQueue(pollingSeconds = 0.5) {
  const queue = await openRunQueue(installation.anotherPlatform(), {
    weeklyReport: async () => "",
    onError: (error) => errors.push(error),
    pollingSeconds,
  });
  queues.push(queue);
  return queue;
}
const lastRun = () =>
  installation.platform.db.scheduleRun.findFirstOrThrow({ orderBy: { plannedAt: "desc" } });
const until = (assertion: () => Promise<void>) => vi.waitFor(assertion, { timeout: 15_000, interval: 100 });
/** Skips the queue's delay between attempts. */
const skipRetryDelay = () =>
  installation.asOwner(
    (tx) => tx.$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`,
  );
const breakChain = async () => {
  await installation.asOwner((tx) => tx.$executeRaw`UPDATE audit_event SET actor_name = 'Mallory'`);
};

test("a run that was handed over is executed to its end, and its result is stored", async () => {
  await createSession(installation.platform.db, admin.userId, new Date(0));
  await runScheduleNow({ ctx: admin.ctx, input });
  const queue = await openQueue();
  expect(await queue.dispatch()).toBe(1);
  expect(await queue.dispatch()).toBe(0);
  await until(async () => expect((await lastRun()).state).toBe("succeeded"));
  expect(await lastRun()).toMatchObject({
    attempts: 1,
    startedAt: expect.any(Date),
    finishedAt: expect.any(Date),
    outcome: expect.stringMatching(
      /^Deleted 1 expired rows \(1 sessions\), sealed 0 days, verified 1 audit events\.$/,
    ),
  });
  expect(errors).toEqual([]);
});

test("a job that keeps failing is tried three times, and its run then fails with the reason", async () => {
  await runScheduleNow({ ctx: admin.ctx, input });
  await breakChain();
  const queue = await openQueue();
  await queue.dispatch();
  const broken = "The audit log is broken: Event 1 is not what was written";
  await until(async () => expect((await lastRun()).outcome).toContain(`Attempt 1 of 3 failed: ${broken}`));
  expect((await lastRun()).finishedAt).toBeNull();
  await until(async () => {
    await skipRetryDelay();
    expect(await lastRun()).toMatchObject({ state: "failed", attempts: 3, finishedAt: expect.any(Date) });
  });
  expect((await lastRun()).outcome).toMatch(new RegExp(`^${broken}`));
});

test("a job that succeeds at its second attempt has succeeded", async () => {
  await runScheduleNow({ ctx: admin.ctx, input });
  const name = admin.ctx.principal?.name;
  await breakChain();
  const queue = await openQueue();
  await queue.dispatch();
  await until(async () => expect((await lastRun()).outcome).toContain("Attempt 1 of 3 failed"));
  await installation.asOwner((tx) => tx.$executeRaw`UPDATE audit_event SET actor_name = ${name}`);
  await until(async () => {
    await skipRetryDelay();
    expect(await lastRun()).toMatchObject({ state: "succeeded", attempts: 2 });
  });
});

test("the next worker runs jobs that a previous worker left behind, handed over or not", async () => {
  await runScheduleNow({ ctx: admin.ctx, input });
  await (await openQueue()).stop();
  expect((await lastRun()).dispatchedAt).toBeNull();
  // The worker looks for jobs when it starts, and then not again before it ends.
  const idle = await openQueue(600);
  expect(await idle.dispatch()).toBe(1);
  await idle.stop();
  expect((await lastRun()).dispatchedAt).not.toBeNull();
  await openQueue();
  await until(async () => expect((await lastRun()).state).toBe("succeeded"));
});

test("two workers that hand over at the same time hand each run over once", async () => {
  await runScheduleNow({ ctx: admin.ctx, input });
  const both = [await openQueue(), await openQueue()];
  const counts = await Promise.all(both.map((queue) => queue.dispatch()));
  expect(counts.sort()).toEqual([0, 1]);
  const jobs = await installation.platform.db.$queryRaw<object[]>`
    SELECT id FROM pgboss.job WHERE name = 'schedule-run'`;
  expect(jobs).toHaveLength(1);
});

test("a run whose hand-over fails remains to be handed over", async () => {
  await runScheduleNow({ ctx: admin.ctx, input });
  const queue = await openQueue();
  await installation.asOwner((tx) => tx.$executeRaw`REVOKE UPDATE ON schedule_run FROM stashlight_app`);
  await expect(queue.dispatch()).rejects.toThrow();
  await installation.asOwner((tx) => tx.$executeRaw`GRANT UPDATE ON schedule_run TO stashlight_app`);
  expect(await queue.dispatch()).toBe(1);
  await until(async () => expect((await lastRun()).state).toBe("succeeded"));
});

test("a run whose job was lost by the queue is handed over again, and runs", async () => {
  await runScheduleNow({ ctx: admin.ctx, input });
  const idle = await openQueue(600);
  await idle.dispatch();
  await idle.stop();
  await installation.asOwner((tx) => tx.$executeRaw`DELETE FROM pgboss.job`);
  installation.clock.advance(runLostAfterMs + 1);
  await planDueRuns(installation.platform);
  const queue = await openQueue();
  expect(await queue.dispatch()).toBe(1);
  const manual = () =>
    installation.platform.db.scheduleRun.findFirstOrThrow({ where: { trigger: "manual" } });
  await until(async () => expect((await manual()).state).toBe("succeeded"));
});
