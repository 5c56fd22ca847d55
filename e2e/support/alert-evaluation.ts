import type { QueryRows } from "./database.ts";

/**
 * Leaves only the alerts that the test itself inserts. The nodes of a seeded vault send nothing more, so the number of
 * its alerts would depend on the time since then.
 */
export async function pauseAlertEvaluation(rows: QueryRows): Promise<void> {
  await rows("UPDATE alert_rule SET evaluated_at = now() + interval '1 day'");
}

export async function resumeAlertEvaluation(rows: QueryRows): Promise<void> {
  await rows("UPDATE alert_rule SET evaluated_at = NULL");
}
