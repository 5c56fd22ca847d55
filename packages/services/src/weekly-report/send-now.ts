import { writeAudit } from "../audit/write.ts";
import { type Context, requireRole } from "../context.ts";
import { newId } from "../ids.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { statementsIn } from "../statements-in.ts";
import { mailLetter, requireMailChannel } from "./mail.ts";
import { composeLastWeek } from "./prepare.ts";
import type { WithFacts } from "./read-week.ts";

/** Limited because a report reads two weeks of hundreds of drives. */
const perUserRule = { windowSeconds: 600, requestCountMax: 5 };

/** Sends the signed-in user the report of the last week, whether or not they received it on Monday. */
export async function sendWeeklyReportNow({ ctx }: { ctx: Context<WithFacts> }): Promise<{ week: string }> {
  const { userId, email } = requireRole(ctx, "viewer");
  const { platform } = ctx;
  await enforceRateLimit(statementsIn(platform.db), `weekly-report:${userId}`, perUserRule, platform.now());
  await requireMailChannel(platform);
  const { week, letter } = await composeLastWeek(platform);
  await mailLetter(platform, email, `weekly.${week.name}.${userId}.${newId()}`, letter);
  await platform.db.$transaction((tx) =>
    writeAudit(tx, ctx, {
      action: "weekly_report.sent",
      target: { kind: "user", id: userId, name: email },
      after: { week: week.name },
    }),
  );
  return { week: week.name };
}
