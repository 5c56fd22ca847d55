/**
 * Sends queued reports. A worker leases the reports that it takes, so that no two workers send the same; once the lease
 * has expired, another worker sends those that were not finished.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import { attemptsMax, leaseMs, waitMs } from "../channel/deliver.ts";
import type { Core } from "../core.ts";
import { claimDue, type DueRows, type LeasedTable, leaseMoment } from "../lease/lease.ts";
import { statementsIn } from "../statements-in.ts";
import { mailLetter } from "./mail.ts";

const leasedDeliveries: LeasedTable<{ week: "text"; user_id: "text" }> = {
  name: "weekly_report_delivery",
  key: { week: "text", user_id: "text" },
  until: "next_attempt_at",
  heldState: "waiting",
};

const due: DueRows = {
  where: ({ now }) => `r.state = 'waiting' AND r.next_attempt_at <= ${now()}`,
  orderBy: "r.next_attempt_at",
  countMax: 10,
};

/** Returns the number accepted by the mail server. */
export async function deliverWeeklyReports(platform: Core): Promise<number> {
  const claimed = await claimDue(
    statementsIn(platform.db),
    leasedDeliveries,
    { due, leaseMs },
    leaseMoment(platform),
  );
  let deliveredCount = 0;
  for (const { week, user_id: userId, attempts } of claimed) {
    if (await deliverOne(platform, week, userId, attempts)) deliveredCount += 1;
  }
  return deliveredCount;
}

async function deliverOne(platform: Core, week: string, userId: string, attempts: number): Promise<boolean> {
  const key = { week, userId };
  const delivery = await platform.db.weeklyReportDelivery.findUnique({
    where: { week_userId: key },
    include: { report: true, user: { select: { email: true, disabledAt: true, wantsWeeklyReport: true } } },
  });
  if (delivery === null) return false;
  const { report, user } = delivery;
  const failure =
    user.disabledAt === null && user.wantsWeeklyReport
      ? await attempt(() => mailLetter(platform, user.email, `weekly.${week}.${userId}`, report))
      : "The user no longer wants it.";
  const now = platform.now();
  const isLast = attempts >= attemptsMax || !user.wantsWeeklyReport || user.disabledAt !== null;
  await platform.db.weeklyReportDelivery.updateMany({
    where: { ...key, state: "waiting" },
    data:
      failure === null
        ? { state: "delivered", deliveredAt: now, lastError: null }
        : {
            state: isLast ? "failed" : "waiting",
            lastError: failure,
            nextAttemptAt: new Date(now.getTime() + waitMs(attempts)),
          },
  });
  return failure === null;
}

/** Returns the reason why sending failed; null if it succeeded. */
async function attempt(send: () => Promise<void>): Promise<string | null> {
  try {
    await send();
    return null;
  } catch (error) {
    return error instanceof StashlightError ? error.message : "It could not be sent.";
  }
}
