/**
 * Interrupts slots whose process was lost or stopped: marks them, leaves their objects to be deleted, and retries by
 * their plan's policy.
 */
import type { Base } from "../../base.ts";
import { type DueRows, isAnyDue, leaseMoment, lockDue, releaseLease } from "../../lease/lease.ts";
import { present } from "../../present.ts";
import { type Statements, toStatements, transact } from "../../statements.ts";
import { leasedSlots, type SlotName, slotKey, slotName } from "./leased.ts";
import { finishRun } from "./record.ts";
import { finishSlot, queueSlotAgain } from "./slot-row.ts";

const attemptsMax = 3;
const retryAfterMs = 30_000;

/** Interrupts slots whose lease has expired; returns the number of slots. */
export async function recoverLostSlots(platform: Base): Promise<number> {
  const due: DueRows = { where: ({ expired }) => expired(), orderBy: "r.lease_until" };
  const at = leaseMoment(platform);
  if (!(await isAnyDue(toStatements(platform.metrics), leasedSlots, due, at))) return 0;
  return transact(platform.metrics, async (tx) => {
    const now = platform.now();
    const lost = await lockDue(tx, leasedSlots, due, at);
    for (const key of lost) {
      await interruptSlot(tx, slotName(key), "the process that ran it was lost", now);
    }
    return lost.length;
  });
}

/** Ends the work in progress of a slot that the caller holds; the slot then waits for another attempt, or has ended. */
export async function interruptSlot(
  tx: Statements,
  name: SlotName,
  reason: string,
  now: Date,
): Promise<void> {
  const { attempt, isCancelled, cancelledBy, missedPolicy, planId } = await findSlot(tx, name);
  const mayTryAgain = missedPolicy === "run-late" && attempt < attemptsMax && !isCancelled;
  await endRuns(tx, { planId, slotAt: name.plannedAt, reason, mayTryAgain, now });
  const sentence = isCancelled ? `Cancelled by ${cancelledBy}.` : `Interrupted: ${reason}.`;
  await releaseLease(tx, leasedSlots, slotKey(name));
  if (mayTryAgain) {
    const outcome = `Attempt ${attempt} of ${attemptsMax} was interrupted: ${reason}.`;
    await queueSlotAgain(tx, name, new Date(now.getTime() + retryAfterMs), outcome);
  } else await finishSlot(tx, name, { state: "failed", outcome: sentence }, now);
}

interface FoundSlot {
  attempt: number;
  isCancelled: boolean;
  cancelledBy: string | null;
  missedPolicy: string;
  planId: string | null;
}

async function findSlot(tx: Statements, { scheduleId, plannedAt }: SlotName): Promise<FoundSlot> {
  const [slot] = await tx.query<FoundSlot>(
    `SELECT r.attempts AS attempt, r.cancel_requested_at IS NOT NULL AS "isCancelled",
            r.cancel_requested_by_name AS "cancelledBy", s.missed_policy AS "missedPolicy", p.id AS "planId"
       FROM schedule_run AS r JOIN schedule AS s ON s.id = r.schedule_id
       LEFT JOIN benchmark_plan AS p ON p.schedule_id = s.id
      WHERE r.schedule_id = $1::text AND r.planned_at = $2::timestamptz`,
    [scheduleId, plannedAt],
  );
  return present(slot);
}

interface Ending {
  planId: string | null;
  slotAt: Date;
  reason: string;
  mayTryAgain: boolean;
  now: Date;
}

async function endRuns(tx: Statements, { planId, slotAt, reason, mayTryAgain, now }: Ending): Promise<void> {
  const open = await tx.query<{ id: string; state: string; sampleCount: number }>(
    `SELECT id, state, sample_count AS "sampleCount" FROM benchmark_run
      WHERE plan_id IS NOT DISTINCT FROM $1::uuid AND slot_at = $2::timestamptz AND state IN ('queued', 'running')`,
    [planId, slotAt],
  );
  for (const { id, state, sampleCount } of open) {
    if (state === "running") {
      const outcome = `Interrupted after ${sampleCount} samples: ${reason}.`;
      await finishRun(tx, id, { state: "interrupted", outcome }, now);
    } else if (mayTryAgain) {
      // The run never began, and the next attempt creates another.
      await tx.query("DELETE FROM benchmark_run WHERE id = $1::uuid", [id]);
    } else {
      const outcome = `Skipped: the slot was interrupted, ${reason}.`;
      await tx.query(
        "UPDATE benchmark_run SET state = 'skipped', outcome = $2, finished_at = $3 WHERE id = $1::uuid",
        [id, outcome, now],
      );
    }
  }
}
