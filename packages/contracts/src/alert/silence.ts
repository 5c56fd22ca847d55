/** Times without notifications: silences of firing alerts, and planned maintenance windows. */

import { z } from "zod";
import { seriesLabel } from "../metrics/query/query.ts";
import { DAY_MS, WEEK_MS } from "../time/duration.ts";
import { instantMs } from "../time/instant.ts";

export const createAlertSilenceInput = z.object({
  ruleId: z.uuid("There is no such rule.").nullable().default(null),
  labels: z.partialRecord(seriesLabel, z.array(z.string().max(200)).min(1).max(50)).default({}),
  reason: z.string().trim().min(1, "Give a reason for later readers.").max(500),
  minutes: z
    .int("Enter a whole number of minutes.")
    .min(1, "A silence must last at least a minute.")
    .max(43_200, "A silence can last at most 30 days."),
});
const MAINTENANCE_MS_MAX = 30 * DAY_MS;

/** A planned silence: of one rule or all, of some vaults and nodes or all, once or in the same hours of each week. */
export const planMaintenanceInput = z
  .object({
    ruleId: z.uuid("There is no such rule.").nullable().default(null),
    labels: z
      .object({
        vault: z.array(z.string().max(200)).min(1).max(50).optional(),
        node: z.array(z.string().max(200)).min(1).max(200).optional(),
      })
      .default({}),
    reason: z.string().trim().min(1, "Describe the work for later readers.").max(500),
    startMs: instantMs,
    endMs: instantMs,
    isWeekly: z.boolean().default(false),
  })
  .refine(({ startMs, endMs }) => endMs > startMs, {
    path: ["endMs"],
    message: "The end must be after the start.",
  })
  .refine(({ startMs, endMs }) => endMs - startMs <= MAINTENANCE_MS_MAX, {
    path: ["endMs"],
    message: "A maintenance window can last at most 30 days.",
  })
  .refine(({ startMs, endMs, isWeekly }) => !isWeekly || endMs - startMs < WEEK_MS, {
    path: ["endMs"],
    message: "A weekly window must be shorter than a week.",
  });

export const listMaintenanceInput = z.object({ fromMs: instantMs, toMs: instantMs });
export const alertSilenceIdInput = z.object({ silenceId: z.uuid("There is no such silence.") });

export interface AlertSilenceRow {
  id: string;
  ruleId: string | null;
  ruleName: string | null;
  labels: Record<string, string[]>;
  reason: string;
  createdBy: string;
  createdAt: Date;
  /** The present occurrence, or the next one. */
  startsAt: Date;
  endsAt: Date;
  isActive: boolean;
  isMaintenance: boolean;
  isWeekly: boolean;
}

/** An occurrence of a maintenance window, as charts show it. */
export interface MaintenanceSpan {
  startMs: number;
  endMs: number;
  reason: string;
  /** Null means all vaults. */
  vaults: string[] | null;
}
