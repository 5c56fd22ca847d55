/** Progress columns of a slot's row, which the caller has locked. */
import type { Statements } from "../../statements.ts";
import type { SlotName } from "./leased.ts";

export const noteSlotBeginning = (tx: Statements, name: SlotName, startedAt: Date): Promise<void> =>
  changeSlot(tx, name, "started_at = $3::timestamptz, outcome = NULL", [startedAt]);

export const queueSlotAgain = (
  tx: Statements,
  name: SlotName,
  startAfter: Date,
  outcome: string,
): Promise<void> =>
  changeSlot(tx, name, "state = 'queued', start_after = $3::timestamptz, outcome = $4::text", [
    startAfter,
    outcome,
  ]);

export interface SlotEnd {
  state: "succeeded" | "failed" | "skipped";
  outcome: string;
}

export const finishSlot = (
  tx: Statements,
  name: SlotName,
  { state, outcome }: SlotEnd,
  finishedAt: Date,
): Promise<void> =>
  changeSlot(tx, name, "state = $3::schedule_run_state, outcome = $4::text, finished_at = $5::timestamptz", [
    state,
    outcome,
    finishedAt,
  ]);

async function changeSlot(
  tx: Statements,
  { scheduleId, plannedAt }: SlotName,
  set: string,
  values: readonly unknown[],
): Promise<void> {
  const changed = await tx.query(
    `UPDATE schedule_run SET ${set} WHERE schedule_id = $1::text AND planned_at = $2::timestamptz
     RETURNING schedule_id`,
    [scheduleId, plannedAt, ...values],
  );
  if (changed.length === 0) throw new Error(`The slot of ${plannedAt.toISOString()} is gone.`);
}
