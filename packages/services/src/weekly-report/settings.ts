import type { subscribeWeeklyReportInput, WeeklyReportSettings } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { type Context, requireRole, type Verb } from "../context.ts";
import { weeklyReportScheduleId } from "../schedule/catalogue.ts";
import { nextOccurrences } from "../schedule/occurrences.ts";
import { findMailChannel } from "./mail.ts";

/** Reads the weekly report's settings of the signed-in user. */
export async function getWeeklyReport({ ctx }: { ctx: Context }): Promise<WeeklyReportSettings> {
  const { userId } = requireRole(ctx, "viewer");
  const { db, now } = ctx.platform;
  const [user, channel, schedule, last] = await Promise.all([
    db.user.findUniqueOrThrow({ where: { id: userId }, select: { wantsWeeklyReport: true } }),
    findMailChannel(ctx.platform),
    db.schedule.findUnique({ where: { id: weeklyReportScheduleId } }),
    db.weeklyReportDelivery.findFirst({ where: { userId }, orderBy: { week: "desc" } }),
  ]);
  const isDue = schedule !== null && schedule.pausedAt === null;
  return {
    isWanted: user.wantsWeeklyReport,
    channelName: channel?.name ?? null,
    nextAt: isDue ? (nextOccurrences(schedule, now(), 1)[0] ?? null) : null,
    timeZone: schedule?.timeZone ?? "UTC",
    last:
      last === null
        ? null
        : {
            week: last.week,
            deliveredAt: last.deliveredAt,
            lastError: last.lastError,
          },
  };
}

export async function subscribeWeeklyReport({
  ctx,
  input: { isWanted },
}: Verb<typeof subscribeWeeklyReportInput>): Promise<void> {
  const { userId, email } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: userId, wantsWeeklyReport: !isWanted },
      data: { wantsWeeklyReport: isWanted },
    });
    if (count === 0) return;
    await writeAudit(tx, ctx, {
      action: isWanted ? "weekly_report.subscribed" : "weekly_report.unsubscribed",
      target: { kind: "user", id: userId, name: email },
    });
  });
}
