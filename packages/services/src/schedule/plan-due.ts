/**
 * Turns due times into named runs. Each due occurrence gets one row (schedule, planned time), even if several processes
 * plan at once. If several were missed, the last one runs late, if its schedule allows that, and the others are
 * recorded as skipped; if one run makes up for all missed ones, or for those during another run, only that run is
 * recorded.
 */
import { missedOutcome } from "@stashlight/contracts/schedule";
import type { Prisma, Transaction } from "@stashlight/db";
import type { Core } from "../core.ts";
import { catchUpKinds } from "./catalogue.ts";
import { runLostAfterMs } from "./limits.ts";
import { occurrencesBetween } from "./occurrences.ts";

const missedCountMax = 1_000;
/** A run found this late was missed: a planner checks every second, and a worker starts within seconds. */
const lateAfterMs = 120_000;
/**
 * Interval at which the planned time of an idle schedule is saved. After a restart with another time zone, occurrences
 * before that time are not run.
 */
const plannedWriteMs = 60_000;
const untakenOutcome = "Skipped: its vantage point did not ask for it in time.";
const overlapOutcome = "Skipped: the run before it had not finished.";

interface ScheduleTime {
  id: string;
  cron: string;
  time_zone: string;
  paused_at: Date | null;
  planned_until: Date;
}

interface LockedSchedule extends ScheduleTime {
  kind: string;
  jitter_seconds: number;
  missed_policy: string;
}

/** Plans everything due by now; returns how many runs were queued. `random` draws the jitter. */
export async function planDueRuns(platform: Core, random: () => number = Math.random): Promise<number> {
  const now = platform.now();
  const { db } = platform;
  await failLostRuns(db, now);
  await handOverAgain(db, now);
  // Reads without a lock first, because nearly always no schedule is due.
  const schedules = await db.$queryRaw<ScheduleTime[]>`
    SELECT id, cron, time_zone, paused_at, planned_until FROM schedule WHERE planned_until < ${now} AND paused_at IS NULL`;
  const dueIds = schedules.filter((each) => needsPlanning(each, now)).map(({ id }) => id);
  if (dueIds.length === 0) return 0;
  return db.$transaction(async (tx) => {
    const locked = await tx.$queryRaw<LockedSchedule[]>`
      SELECT id, kind, cron, time_zone, jitter_seconds, missed_policy, paused_at, planned_until FROM schedule
      WHERE id = ANY (${dueIds}) AND planned_until < ${now} ORDER BY id FOR UPDATE SKIP LOCKED`;
    let queuedCount = 0;
    for (const schedule of locked) queuedCount += await planOne(tx, schedule, now, random);
    return queuedCount;
  });
}

/** True if an occurrence is due, or if the time until which it is planned has to be written again. */
const needsPlanning = (schedule: ScheduleTime, now: Date): boolean =>
  now.getTime() - schedule.planned_until.getTime() >= plannedWriteMs ||
  dueOccurrences(schedule, now).length > 0;

const dueOccurrences = (schedule: ScheduleTime, now: Date): Date[] =>
  schedule.paused_at === null
    ? occurrencesBetween(
        { cron: schedule.cron, timeZone: schedule.time_zone },
        schedule.planned_until,
        now,
        missedCountMax,
      )
    : [];

/** A lost run would otherwise keep its schedule busy forever, so that not even housekeeping could run again. */
async function failLostRuns(db: Transaction, now: Date): Promise<void> {
  await db.scheduleRun.updateMany({
    where: {
      state: { in: ["queued", "running"] },
      // Claimed runs have a lease, and are found when it ends.
      claimedBy: null,
      startedAt: { lt: new Date(now.getTime() - runLostAfterMs) },
    },
    data: { state: "failed", outcome: "The worker was lost in the middle of the run.", finishedAt: now },
  });
}

/**
 * A run handed to the job queue that never began is handed over again, because its job may be lost. If it is not, one
 * of the two executes the run and the other does nothing.
 */
async function handOverAgain(db: Transaction, now: Date): Promise<void> {
  await db.scheduleRun.updateMany({
    where: {
      state: "queued",
      startedAt: null,
      dispatchedAt: { lt: new Date(now.getTime() - runLostAfterMs) },
    },
    data: { dispatchedAt: null },
  });
}

async function planOne(
  tx: Transaction,
  schedule: LockedSchedule,
  now: Date,
  random: () => number,
): Promise<number> {
  const due = dueOccurrences(schedule, now);
  const latest = due.at(-1);
  const catchesUp = catchUpKinds.has(schedule.kind);
  if (latest !== undefined) await skipUntaken(tx, schedule, now);
  const busyCount = latest === undefined ? 0 : await countBusy(tx, schedule.id);
  // Occurrences during the current run are made up for by the next one, planned after it has ended.
  if (busyCount > 0 && catchesUp) return 0;
  const missed = catchesUp ? [] : due.slice(0, -1);
  const rows: Prisma.ScheduleRunCreateManyInput[] = missed.map((plannedAt) =>
    skipped(schedule.id, plannedAt, missedOutcome, now),
  );
  const reason = latest === undefined ? null : whyNotRun(schedule, latest, now, busyCount);
  if (latest !== undefined) {
    const startAfter = new Date(latest.getTime() + random() * schedule.jitter_seconds * 1000);
    rows.push(
      reason === null
        ? { scheduleId: schedule.id, plannedAt: latest, trigger: "schedule", startAfter }
        : skipped(schedule.id, latest, reason, now),
    );
  }
  if (rows.length > 0) await tx.scheduleRun.createMany({ data: rows, skipDuplicates: true });
  await tx.schedule.update({ where: { id: schedule.id }, data: { plannedUntil: now } });
  return latest !== undefined && reason === null ? 1 : 0;
}

/**
 * Skips slots that their probe did not take in time: with an offline probe they, and all later ones, would wait
 * forever. While the probe runs a slot of the same plan, the later slots wait.
 */
async function skipUntaken(tx: Transaction, { id }: LockedSchedule, now: Date): Promise<void> {
  const runningCount = await tx.scheduleRun.count({ where: { scheduleId: id, state: "running" } });
  if (runningCount > 0) return;
  await tx.scheduleRun.updateMany({
    where: {
      scheduleId: id,
      state: "queued",
      attempts: 0,
      schedule: { plan: { vantageNodeId: { not: null } } },
    },
    data: { state: "skipped", outcome: untakenOutcome, finishedAt: now },
  });
}

function whyNotRun(schedule: LockedSchedule, latest: Date, now: Date, busyCount: number): string | null {
  const isLate = now.getTime() - latest.getTime() > lateAfterMs;
  if (schedule.missed_policy === "skip" && isLate) return missedOutcome;
  return busyCount > 0 ? overlapOutcome : null;
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
