import type { Core } from "../core.ts";
import { builtInSchedules, weeklyReportScheduleId } from "./catalogue.ts";

/**
 * Creates the built-in schedules, or updates their text and times; a pause is kept. The weekly report runs in the
 * morning of `timeZone`, the installation's time zone; the others may run at any hour.
 */
export async function ensureSchedules(platform: Core, timeZone = "UTC"): Promise<void> {
  for (const { id, ...schedule } of builtInSchedules) {
    const rest = id === weeklyReportScheduleId ? { ...schedule, timeZone } : schedule;
    await platform.db.schedule.upsert({
      where: { id },
      create: { id, ...rest, plannedUntil: platform.now() },
      update: rest,
    });
  }
}
