import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useFreshInstallation } from "../testing/index.ts";
import { ensureSchedules } from "./ensure.ts";
import { executeRun } from "./execute.ts";

const { installation } = useFreshInstallation();
/** The job that the caller supplies. */
const weeklyReport = vi.fn<() => Promise<string>>();
const plannedAt = new Date("2026-11-21T10:17:00Z");
const name = { scheduleId: "weekly-report", plannedAt: plannedAt.toISOString() };

beforeEach(async () => {
  await ensureSchedules(installation.platform);
  await installation.platform.db.scheduleRun.create({
    data: { scheduleId: name.scheduleId, plannedAt, trigger: "schedule" },
  });
});
afterEach(async () => {
  weeklyReport.mockReset();
});

const run = () => installation.platform.db.scheduleRun.findFirstOrThrow();
const execute = (attempt: number) =>
  executeRun(installation.platform, name, { attempt, attemptsMax: 3, weeklyReport });

/** Begins an attempt and returns once its job is running; the test ends the job. */
async function begin(attempt: number) {
  const work = Promise.withResolvers<string>();
  const called = weeklyReport.mock.calls.length;
  weeklyReport.mockReturnValueOnce(work.promise);
  const ended = execute(attempt).then(
    () => "done",
    () => "failed",
  );
  await vi.waitFor(() => expect(weeklyReport).toHaveBeenCalledTimes(called + 1), { timeout: 10_000 });
  return { ...work, ended };
}

test.each(["done", "failed"])("a late attempt (%s) does not affect a newer one", async (end) => {
  const stale = await begin(1);
  const newer = await begin(2);
  const finishStale = () => (end === "done" ? stale.resolve("late") : stale.reject(new Error("late")));
  finishStale();
  expect(await stale.ended).toBe(end);
  expect(await run()).toMatchObject({ state: "running", attempts: 2, outcome: null, finishedAt: null });
  newer.resolve("What the newer did.");
  await newer.ended;
  expect(await run()).toMatchObject({ state: "succeeded", attempts: 2, outcome: "What the newer did." });
});

test("an attempt that ends after a newer one finished changes nothing either", async () => {
  const stale = await begin(1);
  const newer = await begin(2);
  newer.resolve("What the newer did.");
  await newer.ended;
  stale.reject(new Error("late"));
  expect(await stale.ended).toBe("failed");
  expect(await run()).toMatchObject({ state: "succeeded", attempts: 2, outcome: "What the newer did." });
});

test("a second delivery does nothing, during the first and after it", async () => {
  const first = await begin(1);
  await execute(1);
  first.resolve("Done once.");
  await first.ended;
  await execute(1);
  expect(weeklyReport).toHaveBeenCalledTimes(1);
  expect(await run()).toMatchObject({ state: "succeeded", attempts: 1, outcome: "Done once." });
});
