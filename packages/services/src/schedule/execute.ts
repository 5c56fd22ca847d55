/**
 * One attempt at one run. A run moves queued -> running -> succeeded, or back to queued while attempts are left, or to
 * failed; its result or the reason for its failure is stored with it as a sentence.
 */
import assert from "node:assert/strict";
import { StashlightError } from "@stashlight/contracts/errors";
import type { JobKind } from "@stashlight/contracts/schedule";
import { scheduleColumns } from "@stashlight/db/columns/schedule";
import type { Core } from "../core.ts";
import { recordDriveDays } from "../failure-rate/drive-days.ts";
import { runHousekeeping } from "../housekeeping/run.ts";
import { applyMetricRetention } from "../metrics/roll-up/retention.ts";
import { runRollUp } from "../metrics/roll-up/roll-up.ts";
import { thrownMessage } from "../thrown.ts";

export interface RunName {
  scheduleId: string;
  /** ISO 8601 with milliseconds. */
  plannedAt: string;
}

/**
 * Job of the weekly report. The worker passes it in, because it depends on packages that themselves depend on
 * schedules.
 */
export interface WeeklyReportJob {
  weeklyReport: () => Promise<string>;
}

type OwnJobKind = Exclude<JobKind, "benchmark" | "weekly-report">;

/**
 * The jobs of all kinds except the weekly report and benchmarks, which are claimed; each returns a sentence about its
 * result.
 */
const jobs: Record<OwnJobKind, (platform: Core) => Promise<string>> = {
  housekeeping: runHousekeeping,
  "metric-roll-up": runRollUp,
  "metric-keeper": applyMetricRetention,
  "drive-days": recordDriveDays,
};

export async function executeRun(
  platform: Core,
  name: RunName,
  { attempt, attemptsMax, weeklyReport }: { attempt: number; attemptsMax: number } & WeeklyReportJob,
): Promise<void> {
  const where = { scheduleId: name.scheduleId, plannedAt: new Date(name.plannedAt) };
  const { count } = await platform.db.scheduleRun.updateMany({
    where: { ...where, OR: [{ state: "queued" }, { state: "running", attempts: { lt: attempt } }] },
    data: { state: "running", attempts: attempt, startedAt: platform.now(), outcome: null },
  });
  // The run has finished or is running already, or its schedule is gone: a job delivered twice does nothing.
  if (count === 0) return;
  const schedule = await platform.db.schedule.findUniqueOrThrow({ where: { id: name.scheduleId } });
  // An expired attempt may still end, late; it must not change the row of a newer one.
  const mine = { ...where, state: "running", attempts: attempt } as const;
  try {
    const kind = scheduleColumns.kind.read(schedule.kind, schedule.id);
    assert(kind !== "benchmark", "Benchmarks are claimed, and no queue brings them.");
    const outcome = await (kind === "weekly-report" ? weeklyReport() : jobs[kind](platform));
    await platform.db.scheduleRun.updateMany({
      where: mine,
      data: { state: "succeeded", outcome, finishedAt: platform.now() },
    });
  } catch (error) {
    const last = attempt >= attemptsMax;
    const reason = error instanceof StashlightError ? error.message : thrownMessage(error);
    await platform.db.scheduleRun.updateMany({
      where: mine,
      data: {
        state: last ? "failed" : "queued",
        outcome: last ? reason : `Attempt ${attempt} of ${attemptsMax} failed: ${reason}`,
        finishedAt: last ? platform.now() : null,
      },
    });
    throw error;
  }
}
