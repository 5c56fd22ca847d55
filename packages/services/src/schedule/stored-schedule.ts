import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";

/** Reads the schedule and locks it until the transaction ends, so that planning and edits are serialised. */
export async function findSchedule(tx: Transaction, scheduleId: string) {
  await tx.$queryRaw`SELECT id FROM schedule WHERE id = ${scheduleId} FOR UPDATE`;
  const schedule = await tx.schedule.findUnique({ where: { id: scheduleId } });
  if (schedule === null) throw new StashlightError("not_found", "There is no such schedule.");
  return schedule;
}
