/**
 * Turns time into named runs. Each due occurrence gets one row (schedule, planned time), whoever and however many
 * plan at once. Of several that were missed, the last one runs late and the others are recorded as skipped; where one
 * run makes up for all that were missed, or came while another went on, it alone is recorded.
 */
import type { Prisma, Transaction } from "@stashlight/db";
import type { Platform } from "../platform.ts";
import { catchUpKinds } from "./catalogue.ts";
import { runLostAfterMs } from "./limits.ts";
import { occurrencesBetween } from "./occurrences.ts";

const missedCountMax = 1_000;
const missedOutcome = "Missed: no worker was running at that time.";
const overlapOutcome = "Skipped: the run before it had not finished.";

interface LockedSchedule {
  id: string;
  kind: string;
  cron: string;
  time_zone: string;
  paused_at: Date | null;
  planned_until: Date;
}

/** Plans everything due by now; returns how many runs were queued. */
export async function planDueRuns(platform: Platform): Promise<number> {
  const now = platform.now();
  return platform.db.$transaction(async (tx) => {
    const schedules = await tx.$queryRaw<LockedSchedule[]>`
      SELECT id, kind, cron, time_zone, paused_at, planned_until FROM schedule
      WHERE planned_until < ${now} ORDER BY id FOR UPDATE SKIP LOCKED`;
    await failLostRuns(tx, now);
    await handOverAgain(tx, now);
    let queuedCount = 0;
    for (const schedule of schedules) queuedCount += await planOne(tx, schedule, now);
    return queuedCount;
  });
}

/** A lost run would otherwise keep its schedule busy for ever: housekeeping, too, could never run again. */
async function failLostRuns(tx: Transaction, now: Date): Promise<void> {
  await tx.scheduleRun.updateMany({
    where: {
      state: { in: ["queued", "running"] },
      startedAt: { lt: new Date(now.getTime() - runLostAfterMs) },
    },
    data: { state: "failed", outcome: "The worker was lost in the middle of the run.", finishedAt: now },
  });
}

/**
 * A run that was handed to the job queue and never began is handed over again: its job may be gone. If it is not,
 * the run is executed by whichever comes first and the other one does nothing.
 */
async function handOverAgain(tx: Transaction, now: Date): Promise<void> {
  await tx.scheduleRun.updateMany({
    where: {
      state: "queued",
      startedAt: null,
      dispatchedAt: { lt: new Date(now.getTime() - runLostAfterMs) },
    },
    data: { dispatchedAt: null },
  });
}

async function planOne(tx: Transaction, schedule: LockedSchedule, now: Date): Promise<number> {
  const recurrence = { cron: schedule.cron, timeZone: schedule.time_zone };
  const due =
    schedule.paused_at === null
      ? occurrencesBetween(recurrence, schedule.planned_until, now, missedCountMax)
      : [];
  const latest = due.at(-1);
  const busyCount = latest === undefined ? 0 : await countBusy(tx, schedule.id);
  const catchesUp = catchUpKinds.has(schedule.kind);
  // What is due while a run goes on is made up for by the one that is planned once that has ended.
  if (busyCount > 0 && catchesUp) return 0;
  const missed = catchesUp ? [] : due.slice(0, -1);
  const rows: Prisma.ScheduleRunCreateManyInput[] = missed.map((plannedAt) =>
    skipped(schedule.id, plannedAt, missedOutcome, now),
  );
  if (latest !== undefined && busyCount > 0) rows.push(skipped(schedule.id, latest, overlapOutcome, now));
  else if (latest !== undefined) {
    rows.push({ scheduleId: schedule.id, plannedAt: latest, trigger: "schedule" });
  }
  if (rows.length > 0) await tx.scheduleRun.createMany({ data: rows, skipDuplicates: true });
  await tx.schedule.update({ where: { id: schedule.id }, data: { plannedUntil: now } });
  return latest !== undefined && busyCount === 0 ? 1 : 0;
}

const countBusy = (tx: Transaction, scheduleId: string): Promise<number> =>
  tx.scheduleRun.count({ where: { scheduleId, state: { in: ["queued", "running"] } } });

function skipped(scheduleId: string, plannedAt: Date, outcome: string, now: Date) {
  return {
    scheduleId,
    plannedAt,
    trigger: "schedule",
    state: "skipped",
    outcome,
    finishedAt: now,
  } satisfies Prisma.ScheduleRunCreateManyInput;
}
