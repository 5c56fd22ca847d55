import type { Core } from "../core.ts";
import { builtInSchedules } from "./catalogue.ts";

/** Makes the built-in schedules, or brings their text and times up to date; a pause stays. */
export async function ensureSchedules(platform: Core): Promise<void> {
  for (const { id, ...rest } of builtInSchedules) {
    await platform.db.schedule.upsert({
      where: { id },
      create: { id, ...rest, plannedUntil: platform.now() },
      update: rest,
    });
  }
}
