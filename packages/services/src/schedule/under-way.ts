import type { Core } from "../core.ts";

/**
 * Returns the first queued or running run of each of these schedules that has one: further runs may be queued after it,
 * and are not in progress.
 */
export async function readRunsUnderWay({ db }: Pick<Core, "db">, scheduleIds: readonly string[]) {
  const runs = await db.scheduleRun.findMany({
    where: { scheduleId: { in: [...scheduleIds] }, state: { in: ["queued", "running"] } },
    orderBy: { plannedAt: "desc" },
  });
  return new Map(runs.map((run) => [run.scheduleId, run]));
}
