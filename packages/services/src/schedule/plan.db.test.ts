import { missedOutcome, type ScheduleRunState } from "@stashlight/contracts/schedule";
import { HOUR_MS } from "@stashlight/contracts/time";
import { beforeEach, describe, expect, test } from "vitest";
import { ensureOnlySchedule, useFreshInstallation } from "../testing/index.ts";
import { ensureSchedules } from "./ensure.ts";
import { runLostAfterMs } from "./limits.ts";
import { listSchedules } from "./list.ts";
import { listRuns } from "./list-runs.ts";
import { pauseSchedule } from "./pause.ts";
import { planDueRuns } from "./plan-due.ts";
import { runScheduleNow } from "./run-now.ts";

const input = { scheduleId: "housekeeping" };
const { installation, admin } = useFreshInstallation("admin");

/** Housekeeping is due at 17 minutes past each hour; the clock begins at 10:00. */
beforeEach(async () => {
  installation.clock.set(new Date("2026-11-21T10:00:00Z"));
  await ensureOnlySchedule(installation.platform, input.scheduleId);
});

const setPaused = (isPaused: boolean) => pauseSchedule({ ctx: admin.ctx, input: { ...input, isPaused } });
const plan = () => planDueRuns(installation.platform);
const goTo = (time: string) => installation.clock.set(new Date(`2026-11-21T${time}:00Z`));
const runs = async () =>
  (await installation.platform.db.scheduleRun.findMany({ orderBy: { plannedAt: "asc" } })).map(
    ({ plannedAt, state, outcome }) => [plannedAt.toISOString().slice(11, 16), state, outcome],
  );
/** Turns the schedule into one of a kind whose runs do not make up for each other. */
const makeEachCount = () =>
  installation.platform.db.schedule.update({
    where: { id: input.scheduleId },
    data: { kind: "measurement" },
  });
const finish = () =>
  installation.platform.db.scheduleRun.updateMany({
    where: { state: { in: ["queued", "running"] } },
    data: { state: "succeeded" },
  });

test("a run is queued when it is due, not before, and once", async () => {
  goTo("10:16");
  expect(await plan()).toBe(0);
  goTo("10:17");
  expect(await plan()).toBe(1);
  expect(await plan()).toBe(0);
  goTo("10:18");
  expect(await plan()).toBe(0);
  expect(await runs()).toEqual([["10:17", "queued", null]]);
});

test("concurrent planners queue a run once", async () => {
  const others = [1, 2, 3, 4].map(() => installation.anotherPlatform());
  goTo("10:20");
  const counts = await Promise.all(others.map((other) => planDueRuns(other)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await runs()).toEqual([["10:17", "queued", null]]);
});

test("a schedule that is not due is written at most once a minute, because planners check every second", async () => {
  const plannedUntil = async () => {
    const { plannedUntil } = await installation.platform.db.schedule.findUniqueOrThrow({
      where: { id: input.scheduleId },
    });
    return plannedUntil.toISOString().slice(11, 19);
  };
  installation.clock.set(new Date("2026-11-21T10:00:59Z"));
  await plan();
  expect(await plannedUntil()).toBe("10:00:00");
  installation.clock.set(new Date("2026-11-21T10:01:00Z"));
  await plan();
  expect(await plannedUntil()).toBe("10:01:00");
});

describe("missed occurrences", () => {
  test("run once if one run makes up for all", async () => {
    goTo("13:30");
    expect(await plan()).toBe(1);
    expect(await runs()).toEqual([["13:17", "queued", null]]);
    await finish();
    expect(await plan()).toBe(0);
  });

  test("run the last one and record the others if each counts", async () => {
    await makeEachCount();
    goTo("13:30");
    expect(await plan()).toBe(1);
    const missed = missedOutcome;
    expect(await runs()).toEqual([
      ["10:17", "skipped", missed],
      ["11:17", "skipped", missed],
      ["12:17", "skipped", missed],
      ["13:17", "queued", null],
    ]);
  });
});

describe("a run that is due while the previous one is running", () => {
  test("follows the running one, if one run makes up for all", async () => {
    goTo("10:17");
    await plan();
    goTo("12:20");
    expect(await plan()).toBe(0);
    expect(await runs()).toEqual([["10:17", "queued", null]]);
    await finish();
    expect(await plan()).toBe(1);
    expect(await runs()).toEqual([
      ["10:17", "succeeded", null],
      ["12:17", "queued", null],
    ]);
  });

  test("is skipped, with the reason, if each counts", async () => {
    await makeEachCount();
    goTo("10:17");
    await plan();
    goTo("11:17");
    expect(await plan()).toBe(0);
    expect((await runs()).at(-1)).toEqual([
      "11:17",
      "skipped",
      "Skipped: the run before it had not finished.",
    ]);
    await finish();
    goTo("12:17");
    expect(await plan()).toBe(1);
  });
});

test("a paused schedule plans nothing, and does not make up for the pause", async () => {
  await setPaused(true);
  goTo("12:30");
  expect(await plan()).toBe(0);
  expect((await listSchedules({ ctx: admin.ctx }))[0]).toMatchObject({ paused: true, nextRunsAt: [] });
  await setPaused(false);
  expect(await plan()).toBe(0);
  goTo("13:17");
  expect(await plan()).toBe(1);
  expect(await runs()).toEqual([["13:17", "queued", null]]);
});

test("a pause survives a restart of the worker", async () => {
  await setPaused(true);
  await ensureOnlySchedule(installation.platform, input.scheduleId);
  expect((await listSchedules({ ctx: admin.ctx }))[0]?.paused).toBe(true);
});

test("a person may run a schedule now, even while paused, but not twice at once", async () => {
  await setPaused(true);
  const results = await Promise.allSettled([1, 2].map(() => runScheduleNow({ ctx: admin.ctx, input })));
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
  await expect(runScheduleNow({ ctx: admin.ctx, input })).rejects.toMatchObject({ code: "conflict" });
  const fromMs = installation.clock.now().getTime();
  const rows = await listRuns({ ctx: admin.ctx, input: { fromMs, toMs: fromMs + 1, pageSize: 10 } });
  expect(rows).toMatchObject([{ trigger: "manual", state: "queued", requestedBy: "admin" }]);
});

test("a failed run is found among more runs that succeeded than a page holds", async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute));
  await installation.platform.db.scheduleRun.createMany({
    data: Array.from({ length: 12 }, (_, minute) => ({
      scheduleId: input.scheduleId,
      plannedAt: at(minute),
      trigger: "schedule",
      state: minute === 0 ? "failed" : minute === 11 ? "queued" : "succeeded",
      finishedAt: minute === 11 ? null : at(minute),
    })),
  });
  const range = { fromMs: at(0).getTime(), toMs: at(12).getTime(), pageSize: 10 };
  const rows = await listRuns({ ctx: admin.ctx, input: { ...range, isNotable: true } });
  expect(rows.map(({ state, plannedAt }) => [state, plannedAt])).toEqual([["failed", at(0)]]);
  expect(await listRuns({ ctx: admin.ctx, input: range })).toHaveLength(10);
});

test("a notable run is found by its end, by its start while it runs, or by its plan if it was missed", async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute));
  const monthBefore = new Date(Date.UTC(2026, 9, 21, 10));
  const run = { scheduleId: input.scheduleId, trigger: "schedule" } as const;
  await installation.platform.db.scheduleRun.createMany({
    data: [
      { ...run, plannedAt: at(0), state: "failed", startedAt: at(1), finishedAt: at(2) },
      { ...run, plannedAt: at(3), state: "running", startedAt: at(11) },
      { ...run, plannedAt: at(4), state: "skipped", finishedAt: at(12) },
      { ...run, plannedAt: at(5), state: "succeeded", startedAt: at(11), finishedAt: at(12) },
      { ...run, plannedAt: at(6), state: "failed", startedAt: at(7), finishedAt: at(13) },
      { ...run, plannedAt: at(8), state: "skipped", finishedAt: at(14), outcome: missedOutcome },
      { ...run, plannedAt: at(15), state: "skipped", finishedAt: at(30), outcome: missedOutcome },
      { ...run, plannedAt: monthBefore, state: "skipped", finishedAt: at(16) },
    ],
  });
  const range = { fromMs: at(10).getTime(), toMs: at(20).getTime(), pageSize: 10 };
  const rows = await listRuns({ ctx: admin.ctx, input: { ...range, isNotable: true } });
  expect(rows.map(({ plannedAt }) => plannedAt)).toEqual([...[15, 6, 4, 3].map(at), monthBefore]);
});

test("other jobs are found among more roll-ups that succeeded than a page holds", async () => {
  await ensureSchedules(installation.platform);
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute));
  const run = (scheduleId: string, minute: number, state: ScheduleRunState) => ({
    ...({ scheduleId, state, plannedAt: at(minute), trigger: "schedule" } as const),
  });
  await installation.platform.db.scheduleRun.createMany({
    data: [
      run(input.scheduleId, 0, "succeeded"),
      run("metric-roll-up", 0, "failed"),
      { ...run("metric-roll-up", 1, "succeeded"), trigger: "manual" },
      ...Array.from({ length: 10 }, (_, i) => run("metric-roll-up", i + 2, "succeeded")),
    ],
  });
  const range = { fromMs: at(0).getTime(), toMs: at(12).getTime(), pageSize: 10 };
  const rows = await listRuns({ ctx: admin.ctx, input: { ...range, withoutRollUps: true } });
  expect(rows.map(({ scheduleId, state }) => [scheduleId, state]).sort()).toEqual([
    [input.scheduleId, "succeeded"],
    ["metric-roll-up", "failed"],
    ["metric-roll-up", "succeeded"],
  ]);
});

test.each(["running", "queued"] as const)(
  "a run that was lost with its worker (%s) does not keep its schedule busy forever",
  async (state) => {
    goTo("10:17");
    await plan();
    await installation.platform.db.scheduleRun.updateMany({
      data: { state, attempts: 1, startedAt: installation.clock.now() },
    });
    installation.clock.advance(runLostAfterMs);
    await plan();
    expect((await runs())[0]?.[1]).toBe(state);
    goTo("11:17");
    expect(await plan()).toBe(1);
    expect(await runs()).toEqual([
      ["10:17", "failed", "The worker was lost in the middle of the run."],
      ["11:17", "queued", null],
    ]);
  },
);

test("a run that waits for a worker is not lost, however long it waits", async () => {
  goTo("10:17");
  await plan();
  installation.clock.advance(100 * HOUR_MS);
  await plan();
  expect((await runs())[0]).toEqual(["10:17", "queued", null]);
});

test("a run that was handed over and never began is handed over again, but not too soon", async () => {
  goTo("10:17");
  await plan();
  const { db } = installation.platform;
  await db.scheduleRun.updateMany({ data: { dispatchedAt: installation.clock.now() } });
  installation.clock.advance(runLostAfterMs);
  await plan();
  expect(await db.scheduleRun.findMany()).toMatchObject([{ dispatchedAt: expect.any(Date) }]);
  installation.clock.advance(1);
  await plan();
  expect(await db.scheduleRun.findMany()).toMatchObject([{ state: "queued", dispatchedAt: null }]);
});

test("a schedule lists its next five runs and its last one", async () => {
  goTo("10:17");
  await plan();
  const [schedule] = await listSchedules({ ctx: admin.ctx });
  expect(schedule?.nextRunsAt.map((instant) => instant.toISOString().slice(11, 16))).toEqual([
    "11:17",
    "12:17",
    "13:17",
    "14:17",
    "15:17",
  ]);
  expect(schedule?.lastRun).toMatchObject({ state: "queued", trigger: "schedule" });
});

test("a schedule with a running and a queued run lists the running one", async () => {
  const { db } = installation.platform;
  goTo("10:17");
  await plan();
  await db.scheduleRun.updateMany({ data: { state: "running" } });
  const plannedAt = new Date("2026-11-21T10:17:01Z");
  await db.scheduleRun.create({ data: { ...input, plannedAt, trigger: "manual" } });
  const [schedule] = await listSchedules({ ctx: admin.ctx });
  expect(schedule?.lastRun).toMatchObject({ state: "running", trigger: "schedule" });
});
