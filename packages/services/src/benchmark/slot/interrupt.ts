/** Slots whose process was lost or stopped: marked, their objects left to be deleted, tried again by their plan's policy. */
import type { Transaction } from "@stashlight/db";
import type { Core } from "../../core.ts";
import { type DueRows, leaseMoment, lockDue, releaseLease } from "../../lease/lease.ts";
import { leasesIn } from "../../lease/orm.ts";
import { leasedSlots, type SlotName, slotKey, slotName } from "./leased.ts";
import { finishRun } from "./record.ts";

const attemptsMax = 3;
const retryAfterMs = 30_000;

/** Finds slots whose lease is over; returns how many. */
export async function recoverLostSlots(platform: Core): Promise<number> {
  return platform.db.$transaction(async (tx) => {
    const now = platform.now();
    const due: DueRows = { where: ({ expired }) => expired(), orderBy: "r.lease_until" };
    const lost = await lockDue(leasesIn(tx), leasedSlots, due, leaseMoment(platform));
    for (const key of lost) {
      await interruptSlot(tx, slotName(key), "the process that ran it was lost", now);
    }
    return lost.length;
  });
}

/** Ends what is under way of a slot that the caller holds; it waits for another attempt, or is over. */
export async function interruptSlot(
  tx: Transaction,
  name: SlotName,
  reason: string,
  now: Date,
): Promise<void> {
  const slot = await tx.scheduleRun.findUniqueOrThrow({
    where: { scheduleId_plannedAt: name },
    include: { schedule: { include: { plan: { select: { id: true } } } } },
  });
  const { schedule, attempts: attempt, cancelRequestedAt, cancelRequestedByName } = slot;
  const planId = schedule.plan?.id ?? null;
  const mayTryAgain =
    schedule.missedPolicy === "run-late" && attempt < attemptsMax && cancelRequestedAt === null;
  await endRuns(tx, { planId, slotAt: name.plannedAt, reason, mayTryAgain, now });
  const isCancelled = cancelRequestedAt !== null;
  const sentence = isCancelled ? `Cancelled by ${cancelRequestedByName}.` : `Interrupted: ${reason}.`;
  await releaseLease(leasesIn(tx), leasedSlots, slotKey(name));
  await tx.scheduleRun.update({
    where: { scheduleId_plannedAt: name },
    data: mayTryAgain
      ? {
          state: "queued",
          startAfter: new Date(now.getTime() + retryAfterMs),
          outcome: `Attempt ${attempt} of ${attemptsMax} was interrupted: ${reason}.`,
        }
      : { state: "failed", outcome: sentence, finishedAt: now },
  });
}

interface Ending {
  planId: string | null;
  slotAt: Date;
  reason: string;
  mayTryAgain: boolean;
  now: Date;
}

async function endRuns(tx: Transaction, { planId, slotAt, reason, mayTryAgain, now }: Ending): Promise<void> {
  const open = await tx.benchmarkRun.findMany({
    where: { planId, slotAt, state: { in: ["queued", "running"] } },
    select: { id: true, state: true, sampleCount: true },
  });
  for (const { id, state, sampleCount } of open) {
    if (state === "running") {
      const outcome = `Interrupted after ${sampleCount} samples: ${reason}.`;
      await finishRun(tx, id, { state: "interrupted", outcome }, now);
    } else if (mayTryAgain) {
      // It never began; the next attempt makes another.
      await tx.benchmarkRun.delete({ where: { id } });
    } else {
      await tx.benchmarkRun.update({
        where: { id },
        data: { state: "skipped", outcome: `Skipped: the slot was interrupted, ${reason}.`, finishedAt: now },
      });
    }
  }
}
