/** Report that is mailed to its subscribers on Mondays. */
import { z } from "zod";

export const subscribeWeeklyReportInput = z.object({ isWanted: z.boolean() });

export interface WeeklyReportSettings {
  isWanted: boolean;
  /** E-mail channel whose mail server sends it; null while there is none. */
  channelName: string | null;
  nextAt: Date | null;
  timeZone: string;
  last: { week: string; deliveredAt: Date | null; lastError: string | null } | null;
}
