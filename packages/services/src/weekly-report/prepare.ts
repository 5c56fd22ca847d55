import { weeklyReportScheduleId } from "../schedule/catalogue.ts";
import { composeLetter, type Letter } from "./compose.ts";
import { readWeek, type WithFacts } from "./read-week.ts";
import { lastWeeks, type Week } from "./week.ts";

/** Time zone of the installation, as in the report's schedule. */
async function readTimeZone({ db }: Pick<WithFacts, "db">): Promise<string> {
  const schedule = await db.schedule.findUnique({
    where: { id: weeklyReportScheduleId },
    select: { timeZone: true },
  });
  return schedule?.timeZone ?? "UTC";
}

/** Composes the e-mail about the last complete week. */
export async function composeLastWeek(platform: WithFacts): Promise<{ week: Week; letter: Letter }> {
  const { week, before } = lastWeeks(platform.now(), await readTimeZone(platform));
  const facts = await readWeek(platform, week, before);
  return { week, letter: composeLetter(facts, platform.options.publicUrl) };
}

/**
 * Creates the last week's report, and a delivery for each subscriber, once; a second or late worker finds them already
 * there. `deliverWeeklyReports` sends them.
 */
export async function prepareWeeklyReport(platform: WithFacts): Promise<string> {
  const { db } = platform;
  const now = platform.now();
  const wanting = { wantsWeeklyReport: true, disabledAt: null };
  if ((await db.user.count({ where: wanting })) === 0) return "The weekly report has no subscribers.";
  const { week, letter } = await composeLastWeek(platform);
  const queuedCount = await db.$transaction(async (tx) => {
    await tx.weeklyReport.createMany({
      data: [{ week: week.name, ...letter, createdAt: now }],
      skipDuplicates: true,
    });
    const users = await tx.user.findMany({ where: wanting, select: { id: true } });
    const { count } = await tx.weeklyReportDelivery.createMany({
      data: users.map(({ id }) => ({
        week: week.name,
        userId: id,
        state: "waiting",
        nextAttemptAt: now,
      })),
      skipDuplicates: true,
    });
    return count;
  });
  return `Queued the report of the week of ${week.name} for ${queuedCount} users.`;
}
