/**
 * One attempt at one run. A run moves queued -> running -> succeeded, or back to queued while attempts are left, or
 * to failed; what it did or why it failed stays with it as a sentence.
 */
import { type JobKind, StashlightError } from "@stashlight/contracts";
import { runHousekeeping } from "../housekeeping/run.ts";
import { runMetricKeeper } from "../metrics/keep.ts";
import { runRollUp } from "../metrics/roll-up.ts";
import type { Platform } from "../platform.ts";

export interface RunName {
  scheduleId: string;
  /** ISO 8601, milliseconds. */
  plannedAt: string;
}

type QueuedJobKind = Exclude<JobKind, "benchmark">;

/** Every kind of job but benchmarks, which are claimed: does its work and says in a sentence what it did. */
const jobs: Record<QueuedJobKind, (platform: Platform) => Promise<string>> = {
  housekeeping: runHousekeeping,
  "metric-roll-up": runRollUp,
  "metric-keeper": runMetricKeeper,
};

export async function executeRun(
  platform: Platform,
  name: RunName,
  { attempt, attemptsMax }: { attempt: number; attemptsMax: number },
): Promise<void> {
  const where = { scheduleId: name.scheduleId, plannedAt: new Date(name.plannedAt) };
  const { count } = await platform.db.scheduleRun.updateMany({
    where: { ...where, OR: [{ state: "queued" }, { state: "running", attempts: { lt: attempt } }] },
    data: { state: "running", attempts: attempt, startedAt: platform.now(), outcome: null },
  });
  // The run is finished or under way already, or its schedule is gone: a job delivered twice does nothing.
  if (count === 0) return;
  const schedule = await platform.db.schedule.findUniqueOrThrow({ where: { id: name.scheduleId } });
  // An attempt that was given up may still end, late; what a newer one wrote is not for it to change.
  const mine = { ...where, state: "running", attempts: attempt } as const;
  try {
    const outcome = await jobs[schedule.kind as QueuedJobKind](platform);
    await platform.db.scheduleRun.updateMany({
      where: mine,
      data: { state: "succeeded", outcome, finishedAt: platform.now() },
    });
  } catch (error) {
    const last = attempt >= attemptsMax;
    const reason = error instanceof StashlightError ? error.message : `${(error as Error)?.message ?? error}`;
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
